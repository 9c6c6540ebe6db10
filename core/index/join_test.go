package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core"
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

// TestOnlyWeightsAboveZeroJoin: others would be links of no weight, or of one that JSON
// cannot hold.
func TestOnlyWeightsAboveZeroJoin(t *testing.T) {
	for _, c := range []struct {
		weight float64
		want   []float32
	}{{0.25, []float32{0.25}}, {7, []float32{1}}, {math.Inf(1), []float32{1}}, {0, nil}, {-1, nil}, {math.NaN(), nil}} {
		s := New("s", Options{})
		for id := range core.ID(2) {
			if err := s.Entity(&core.Entity{ID: id + 1, Name: []string{"Anna", "Boris"}[id]}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Link(core.Link{From: 1, To: 2, Weight: float32(c.weight)}); err != nil {
			t.Fatal(err)
		}
		var got []float32
		for _, e := range s.graph.links[0] {
			got = append(got, e.Weight)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.weight, got, c.want)
		}
	}
}
