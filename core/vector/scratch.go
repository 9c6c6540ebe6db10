package vector

import (
	"cmp"
	"slices"
)

// scratch is what one search needs and the next may use again.
type scratch struct {
	query []int16
	dots  []int32 // of a block of 64 rows
	top   top

	signs     []uint64 // of the query
	distances []uint16 // of every row
	histogram []int    // rows at each distance
	rows      []uint32 // picked by the sketch
}

func newScratch(dim int) *scratch {
	return &scratch{query: make([]int16, dim), dots: make([]int32, 64)}
}

// sortByRow sorts hits by row, so that whatever is behind the rows is read in order.
func sortByRow(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Row, b.Row) })
}
