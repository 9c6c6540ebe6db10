package vector

import (
	"runtime"
	"sync"
)

// partRows is the least number of rows that are worth a goroutine of their own: about half a
// millisecond's work.
const partRows = 1 << 15

// partsOf returns into how many parts a scan of rows is cut: the processors share it.
func partsOf(rows int) int { return max(1, min(runtime.GOMAXPROCS(0), rows/partRows)) }

// inParts calls f for each part at once, with the part's number and its rows from up to to. Parts begin
// at multiples of 64.
func inParts(rows, parts int, f func(part, from, to int)) {
	size := ((rows+parts-1)/parts + 63) &^ 63
	var wg sync.WaitGroup
	for p := 1; p < parts && p*size < rows; p++ {
		wg.Go(func() { f(p, p*size, min((p+1)*size, rows)) })
	}
	f(0, 0, min(size, rows))
	wg.Wait()
}
