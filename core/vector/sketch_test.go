package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Recall of the sketch on clustered vectors, at its real size.
func TestSketchRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSketchRecall makes 210,000 vectors; skipped by -short")
	}
	const dim, n, k, queries = 256, SketchAbove + 10_000, 30, 20
	r := rand.New(rand.NewPCG(21, 22))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	rows := floats(flat, dim)
	found := 0
	for range queries {
		q := slices.Clone(rows(uint32(r.IntN(n))))
		for j := range q {
			q[j] += float32(r.NormFloat64()) * 0.03
		}
		unit(q)
		exact := search(t, m, q, k, Options{Floats: rows, Exact: true})
		sketched := search(t, m, q, k, Options{Floats: rows})
		if exact.Approximate || !sketched.Approximate {
			t.Fatalf("approximate: exact says %v, sketch says %v", exact.Approximate, sketched.Approximate)
		}
		found += common(sketched.Hits, exact.Hits)
	}
	recall := float64(found) / (queries * k)
	t.Logf("recall at %d of %d rows: %.4f", k, n, recall)
	if recall < 0.99 {
		t.Errorf("recall %.4f, want at least 0.99", recall)
	}
}

func TestSketchOnlyWhenManyRowsAreAllowed(t *testing.T) {
	const dim, n = 24, 500
	r := rand.New(rand.NewPCG(23, 24))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	m.sketch.above = 400
	m.sketch.extend(m)
	q := randomUnit(r, dim)
	for name, c := range map[string]struct {
		o    Options
		want bool
	}{
		"all rows":          {Options{}, true},
		"exact":             {Options{Exact: true}, false},
		"many allowed":      {Options{Allow: every(n, 1)}, true},
		"few allowed":       {Options{Allow: every(n, 2)}, false},
		"exact with bitmap": {Options{Allow: every(n, 1), Exact: true}, false},
	} {
		got := search(t, m, q, 10, c.o)
		if got.Approximate != c.want {
			t.Errorf("%s: approximate is %v, want %v", name, got.Approximate, c.want)
		}
		// Fewer rows than the sketch picks: the answer is the same either way.
		c.o.Exact = true
		if want := search(t, m, q, 10, c.o); !slices.Equal(got.Hits, want.Hits) {
			t.Errorf("%s: got %v, want %v", name, got.Hits, want.Hits)
		}
	}
}

func TestSketchPicksTheNearestSigns(t *testing.T) {
	const dim, n = 72, 12_000
	r := rand.New(rand.NewPCG(25, 26))
	m := fill(t, clustered(r, n, dim), dim)
	m.sketch.above = 100
	m.sketch.extend(m)
	s := newScratch(dim)
	q := randomUnit(r, dim)
	allow := every(n, 1)
	allow.Clear(17)
	got := slices.Clone(m.sketch.pick(m, q, allow, s))
	type near struct {
		d   int
		row uint32
	}
	var all []near
	for row := range uint32(n) {
		if row == 17 {
			continue
		}
		d := 0
		for i, x := range m.ints(row) {
			if (x < 0) != (q[i] < 0) {
				d++
			}
		}
		all = append(all, near{d, row})
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.d - b.d })
	var want []uint32
	for _, a := range all[:sketchPicks] {
		want = append(want, a.row)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("picked %d rows, want %d, or others", len(got), len(want))
	}
}

func TestSketchFollowsAppendAndReset(t *testing.T) {
	const dim = 16
	r := rand.New(rand.NewPCG(27, 28))
	m, err := New(dim)
	if err != nil {
		t.Fatal(err)
	}
	m.sketch.above = 10
	for round := range 2 {
		for i := range 25 {
			if _, err := m.Append(randomUnit(r, dim)); err != nil {
				t.Fatal(err)
			}
			want := 0
			if i >= 10 {
				want = i + 1
			}
			if got := len(m.sketch.bits); got != want {
				t.Fatalf("round %d: %d rows have %d sketches, want %d", round, i+1, got, want)
			}
		}
		m.Reset()
	}
}

func BenchmarkSketch(b *testing.B) {
	const dim, n = 256, 1_000_000
	r := rand.New(rand.NewPCG(1, 1))
	some := clustered(r, 50_000, dim)
	m, err := New(dim)
	if err != nil {
		b.Fatal(err)
	}
	m.Reserve(n)
	for i := range n {
		if _, err := m.Append(some[i%50_000*dim:][:dim]); err != nil {
			b.Fatal(err)
		}
	}
	q, dst := randomUnit(r, dim), make([]Hit, 0, 60)
	for name, o := range map[string]Options{"1000000x256/sketch": {}, "1000000x256/exact": {Exact: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Search(q, 60, o, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
