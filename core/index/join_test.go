package index

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

// TestJoinKeepsEdgesInOrder compares join with sorting.
func TestJoinKeepsEdgesInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var got []frame.Edge
	want := map[uint32]float32{}
	for range 2000 {
		e := frame.Edge{To: uint32(r.IntN(60)), Weight: float32(r.IntN(8)+1) / 8}
		got = join(got, e)
		want[e.To] = max(want[e.To], e.Weight)
		var sorted []frame.Edge
		for to, w := range want {
			sorted = append(sorted, frame.Edge{To: to, Weight: w})
		}
		slices.SortFunc(sorted, func(x, y frame.Edge) int { return cmp.Or(cmp.Compare(y.Weight, x.Weight), cmp.Compare(x.To, y.To)) })
		if !slices.Equal(got, sorted) {
			t.Fatalf("after %v: %v, want %v", e, got, sorted)
		}
	}
}
