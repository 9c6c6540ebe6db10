package vector

import (
	"cmp"
	"slices"
)

// blockRows is how many rows are scored at a time: of 256 values they fit the first cache.
const blockRows = 64

// scratch is what one search needs and the next may use again.
type scratch struct {
	query []int16
	dots  []int32 // of a block of rows
	top   top

	block   []int8    // rows that lie apart, brought together
	queries []int16   // of several queries
	units   []float32 // their scales

	signs     []uint64 // of the query
	distances []uint16 // of every row
	histogram []int    // rows at each distance
	rows      []uint32 // picked by the sketch
}

func newScratch(dim int) *scratch {
	return &scratch{query: make([]int16, dim), dots: make([]int32, blockRows)}
}

// sortByRow sorts hits by row, so that whatever is behind the rows is read in order.
func sortByRow(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Row, b.Row) })
}
