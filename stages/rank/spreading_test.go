package rank

import (
	"context"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestSpreading(t *testing.T) { conform(t, Spreading) }

// fakeGraph holds a graph by entity; mentions follow from what items mention.
type fakeGraph struct {
	frame.Source
	named    []uint32
	entities [][]uint32 // by item
	links    map[uint32][]frame.Edge
}

func (g *fakeGraph) Named(dst []uint32) []uint32      { return append(dst, g.named...) }
func (g *fakeGraph) Entities(doc uint32) []uint32     { return g.entities[doc] }
func (g *fakeGraph) Links(entity uint32) []frame.Edge { return g.links[entity] }
func (g *fakeGraph) Mentions(entity uint32) (ds []uint32) {
	for d, es := range g.entities {
		for _, e := range es {
			if e == entity {
				ds = append(ds, uint32(d))
			}
		}
	}
	return ds
}

func spread(t *testing.T, g *fakeGraph, p SpreadingParams, score ...float32) *frame.Frame {
	t.Helper()
	f := rows(len(g.entities), Spreading)
	f.Source = g
	set(f, frame.Score, score...)
	run(t, stage(t, Spreading, p), f)
	return f
}

var plainSpread = SpreadingParams{Weight: 1, Passages: 5, Hops: 2, Decay: 0.5, Threshold: 0, Half: 0.5}

func TestSpreadingByHand(t *testing.T) {
	g := &fakeGraph{
		named:    []uint32{7},
		entities: [][]uint32{{7}, {7, 9}, {9}, nil},
		links:    map[uint32][]frame.Edge{7: {{To: 9, Weight: 0.8}}},
	}
	f := spread(t, g, plainSpread, 0, 0, 0, 0)
	// A(7) = 1, fan 2: 0.5 a row. A(9) = 0.5·0.8/1 = 0.4, fan 2: 0.2 a row.
	// With half = 0.5: 0.5/1, 0.7/1.2, 0.2/0.7.
	wantNear(t, "feature", f.F32(SpreadingFeature), []float32{0.5, 0.583333, 0.285714, 0}, 1e-6)
	wantNear(t, "score", f.F32(frame.Score), []float32{0, 0, 0, 0}, 0)

	one := plainSpread
	one.Hops = 1
	f = spread(t, g, one, 1, 0, 0, 0)
	// Row 0 has all of the score, so entity 7 has 1 from the query and 1 from it.
	wantNear(t, "feature with one hop", f.F32(SpreadingFeature), []float32{2.0 / 3, 2.0 / 3, 0, 0}, 1e-6)
	wantNear(t, "score", f.F32(frame.Score), []float32{1.947734, 0, 0, 0}, 1e-6)
}

// TestSpreadingFollowsLinks is the reason for the stage: the best row names
// somebody, another row says where they are, and a third who they work for.
func TestSpreadingFollowsLinks(t *testing.T) {
	const dentist, clinic = 3, 5
	g := &fakeGraph{
		entities: [][]uint32{{dentist}, nil, {dentist, clinic}, nil, {clinic}, {8}},
		links:    map[uint32][]frame.Edge{dentist: {{To: clinic, Weight: 1}}, clinic: {{To: dentist, Weight: 1}}},
	}
	p := *Spreading.NewParams().(*SpreadingParams)
	p.Passages = 1
	f := spread(t, g, p, 0.5, 0.06, 0.05, 0.06, 0.05, 0.06)
	s := f.F32(frame.Score)
	if !(s[2] > s[1] && s[2] > s[5] && s[4] > s[1] && s[2] > s[4]) {
		t.Errorf("got scores %v, want row 2, then row 4, above rows 1, 3 and 5", s)
	}
	p.Hops = 1
	f = spread(t, g, p, 0.5, 0.06, 0.05, 0.06, 0.05, 0.06)
	if s := f.F32(frame.Score); s[4] >= s[1] {
		t.Errorf("got scores %v with one hop, want row 4 below row 1", s)
	}
}

// TestSpreadingHasNoCliff compares entities by the number of their rows: each has a
// little less than the one before.
func TestSpreadingHasNoCliff(t *testing.T) {
	p := *Spreading.NewParams().(*SpreadingParams)
	last := float32(1)
	for fan := 1; fan <= 200; fan++ {
		g := &fakeGraph{named: []uint32{0, 1}, entities: [][]uint32{{1}}} // a rival with one row
		for range fan {
			g.entities = append(g.entities, []uint32{0})
		}
		got := spread(t, g, p, make([]float32, fan+1)...).F32(SpreadingFeature)[1]
		if got > last || last-got > 0.1 && fan > 2 {
			t.Fatalf("with %d rows each has %v, with one less %v", fan, got, last)
		}
		if fan == 21 && got < 0.1 {
			t.Errorf("with 21 rows each has %v, which is next to nothing", got)
		}
		last = got
	}
}

func TestSpreadingWithoutGraph(t *testing.T) {
	f := rows(2, Spreading)
	set(f, frame.Score, 1, 2)
	set(f, SpreadingFeature, 1, 1)
	f.Source = channelSource{}
	run(t, stage(t, Spreading, Spreading.NewParams()), f)
	wantNear(t, "score", f.F32(frame.Score), []float32{1, 2}, 0)
	wantNear(t, "feature", f.F32(SpreadingFeature), []float32{0, 0}, 0)
	refused(t, Spreading, SpreadingParams{Hops: 3, Half: 1}, SpreadingParams{Hops: 0, Half: 1}, SpreadingParams{Hops: 1, Half: 0})
}

// TestSpreadingForgets runs one stage over two graphs: nothing of the first may be
// left.
func TestSpreadingForgets(t *testing.T) {
	st := stage(t, Spreading, plainSpread)
	big := &fakeGraph{named: []uint32{900}, entities: [][]uint32{{900}, {900, 5}}}
	small := &fakeGraph{named: []uint32{2}, entities: [][]uint32{{5}, {900}, {2}}}
	for range 3 {
		f := rows(2, Spreading)
		set(f, frame.Score, 0, 0)
		f.Source = big
		run(t, st, f)
		f = rows(3, Spreading)
		set(f, frame.Score, 0, 0, 0)
		f.Source = small
		if err := st.Run(context.Background(), f); err != nil {
			t.Fatal(err)
		}
		wantNear(t, "feature", f.F32(SpreadingFeature), []float32{0, 0, 2.0 / 3}, 1e-6)
	}
}

func TestBest(t *testing.T) {
	score := []float32{1, 5, 5, 0, 2, 9}
	got := best(nil, []int32{0, 1, 2, 3, 4}, score, []int64{0, 8, 3, 1, 1, 1}, 3)
	want := []int32{2, 1, 4}
	for i := range want {
		if len(got) != 3 || got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if got := best(nil, []int32{0}, score, []int64{0}, 0); len(got) != 0 {
		t.Errorf("got %v for none", got)
	}
}

func BenchmarkSpreading(b *testing.B) { bench(b, Spreading) }
