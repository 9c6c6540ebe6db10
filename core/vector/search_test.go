package vector

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

func randomUnit(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	n := float32(1 / math.Sqrt(float64(Dot(v, v))))
	for i := range v {
		v[i] *= n
	}
	return v
}

// clustered returns n unit vectors around a center for each 50, with a spectrum that decays as that of
// real embeddings does. They lie one after the other.
func clustered(r *rand.Rand, n, dim int) []float32 {
	centers := make([][]float32, n/50+1)
	draw := func(noise, j float64) float32 { return float32(noise * r.NormFloat64() / math.Sqrt(1+j/16)) }
	for i := range centers {
		centers[i] = make([]float32, dim)
		for j := range centers[i] {
			centers[i][j] = draw(1, float64(j))
		}
	}
	flat := make([]float32, 0, n*dim)
	for range n {
		c := centers[r.IntN(len(centers))]
		for j, x := range c {
			flat = append(flat, x+draw(0.7, float64(j)))
		}
		unit(flat[len(flat)-dim:])
	}
	return flat
}

func fill(t testing.TB, flat []float32, dim int) *Matrix {
	t.Helper()
	m, err := New(dim)
	if err != nil {
		t.Fatal(err)
	}
	m.Reserve(len(flat) / dim)
	for i := 0; i < len(flat); i += dim {
		if row, err := m.Append(flat[i : i+dim]); err != nil || int(row) != i/dim {
			t.Fatalf("Append gave row %d, %v; want row %d", row, err, i/dim)
		}
	}
	return m
}

func floats(flat []float32, dim int) func(uint32) []float32 {
	return func(row uint32) []float32 { return flat[int(row)*dim:][:dim] }
}

// nearest is the answer by definition: score everything, sort, cut.
func nearest(flat []float32, dim int, q []float32, k int, allow Bitmap) []Hit {
	var hits []Hit
	for i := 0; i < len(flat)/dim; i++ {
		if allow == nil || allow.Has(uint32(i)) {
			hits = append(hits, Hit{uint32(i), Dot(q, flat[i*dim:][:dim])})
		}
	}
	slices.SortFunc(hits, order)
	return hits[:min(k, len(hits))]
}

func search(t testing.TB, m *Matrix, q []float32, k int, o Options) Result {
	t.Helper()
	r, err := m.Search(q, k, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every row fits among the rows that are scored again, so the answer must be that of float32, bit for bit.
func TestSearchEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dim := range []int{8, 24, 64, 256, 384} {
		for _, n := range []int{1, 2, 63, 64, 65, 100} {
			flat := clustered(r, n, dim)
			m := fill(t, flat, dim)
			for _, k := range []int{1, 10, n, n + 5} {
				q := randomUnit(r, dim)
				got := search(t, m, q, k, Options{Floats: floats(flat, dim)})
				if want := nearest(flat, dim, q, k, nil); !slices.Equal(got.Hits, want) || got.Approximate {
					t.Errorf("dim %d, %d rows, k %d: got %v, want %v", dim, n, k, got, want)
				}
			}
		}
	}
}

func TestSearchRecallAgainstFloat32(t *testing.T) {
	const dim, n, k = 256, 20_000, 30
	r := rand.New(rand.NewPCG(9, 10))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	both, alone := 0, 0
	for range 20 {
		i := r.IntN(n)
		q := slices.Clone(flat[i*dim:][:dim])
		for j := range q {
			q[j] += float32(r.NormFloat64()) * 0.03
		}
		unit(q)
		want := nearest(flat, dim, q, k, nil)
		both += common(search(t, m, q, k, Options{Floats: floats(flat, dim)}).Hits, want)
		got := search(t, m, q, k, Options{}).Hits
		alone += common(got, want)
		for i, h := range got {
			if diff := math.Abs(float64(h.Score - Dot(q, flat[int(h.Row)*dim:][:dim]))); diff > 0.004 {
				t.Errorf("hit %d: int8 score off by %g", i, diff)
			}
		}
	}
	t.Logf("recall at %d: %.4f with float32, %.4f on int8 alone", k, float64(both)/(20*k), float64(alone)/(20*k))
	if both != 20*k {
		t.Errorf("recall with float32 is %d of %d", both, 20*k)
	}
	if alone < 20*k*96/100 {
		t.Errorf("recall on int8 alone is %d of %d, want 96%%", alone, 20*k)
	}
}

func common(a, b []Hit) int {
	n := 0
	for _, h := range a {
		if slices.ContainsFunc(b, func(o Hit) bool { return o.Row == h.Row }) {
			n++
		}
	}
	return n
}

func TestSearchTiesGoToTheLowerRow(t *testing.T) {
	const dim = 16
	v := randomUnit(rand.New(rand.NewPCG(1, 1)), dim)
	var flat []float32
	for range 300 {
		flat = append(flat, v...)
	}
	m := fill(t, flat, dim)
	for _, o := range []Options{{}, {Floats: floats(flat, dim)}, {Allow: every(300, 3)}} {
		got := search(t, m, v, 5, o)
		for i, h := range got.Hits {
			want := uint32(i)
			if o.Allow != nil {
				want *= 3
			}
			if h.Row != want {
				t.Errorf("with %+v: hit %d is row %d, want %d", o, i, h.Row, want)
			}
		}
	}
}

// every returns the rows below n that step divides.
func every(n, step int) Bitmap {
	b := make(Bitmap, (n+63)/64)
	for i := 0; i < n; i += step {
		b.Set(uint32(i))
	}
	return b
}

func TestSearchHonoursTheBitmap(t *testing.T) {
	const dim, n = 64, 1000
	r := rand.New(rand.NewPCG(11, 12))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	for name, allow := range map[string]Bitmap{
		"none": {}, "all": every(n, 1), "two thirds": func() Bitmap {
			b := every(n, 1)
			for i := 0; i < n; i += 3 {
				b.Clear(uint32(i))
			}
			return b
		}(), "few": every(n, 97), "short": every(200, 1), "past the end": every(5000, 1),
	} {
		q := randomUnit(r, dim)
		got := search(t, m, q, 40, Options{Allow: allow, Floats: floats(flat, dim)})
		if want := nearest(flat, dim, q, 40, allow); !slices.Equal(got.Hits, want) {
			t.Errorf("%s: got %v, want %v", name, got.Hits, want)
		}
	}
}

func TestSearchAppendsToDst(t *testing.T) {
	m := fill(t, randomUnit(rand.New(rand.NewPCG(1, 1)), 8), 8)
	r, err := m.Search(make([]float32, 8), 1, Options{}, []Hit{{Row: 9, Score: 9}})
	if want := []Hit{{9, 9}, {0, 0}}; err != nil || !slices.Equal(r.Hits, want) {
		t.Errorf("Search = %v, %v, want %v", r.Hits, err, want)
	}
}

func TestBadInputIsRefusedAndChangesNothing(t *testing.T) {
	const dim = 16
	flat := randomUnit(rand.New(rand.NewPCG(1, 1)), dim)
	m := fill(t, flat, dim)
	q := func(n int, x float32) []float32 { v := make([]float32, n); v[0] = x; return v }
	floatsOf := func(v []float32) Options { return Options{Floats: func(uint32) []float32 { return v }} }
	searchErr := func(q []float32, o Options) error { _, err := m.Search(q, 3, o, nil); return err }
	appendErr := func(v []float32) error { _, err := m.Append(v); return err }
	rowErr := func(row uint32) error { _, err := m.Row(row, nil); return err }
	for name, c := range map[string]struct{ got, want error }{
		"search too short":         {searchErr(q(8, 1), Options{}), ErrDim},
		"search too long":          {searchErr(q(24, 1), Options{}), ErrDim},
		"search empty":             {searchErr(nil, Options{}), ErrDim},
		"search nan":               {searchErr(q(dim, nan), Options{}), ErrNotFinite},
		"search infinity":          {searchErr(q(dim, -inf), Options{}), ErrNotFinite},
		"float row too short":      {searchErr(q(dim, 1), floatsOf(q(8, 1))), ErrDim},
		"float row nan":            {searchErr(q(dim, 1), floatsOf(q(dim, nan))), ErrNotFinite},
		"append too short":         {appendErr(q(8, 1)), ErrDim},
		"append nan":               {appendErr(q(dim, nan)), ErrNotFinite},
		"append infinity":          {appendErr(q(dim, inf)), ErrNotFinite},
		"dots too short":           {m.Dots(q(8, 1), nil, nil), ErrDim},
		"dots nan":                 {m.Dots(q(dim, nan), []uint32{0}, make([]float32, 1)), ErrNotFinite},
		"dots of two into one":     {m.DotsAll([][]float32{q(dim, 1), q(dim, 1)}, nil, [][]float32{nil}), ErrDim},
		"dots of two, one bad":     {m.DotsAll([][]float32{q(dim, 1), q(8, 1)}, nil, [][]float32{nil, nil}), ErrDim},
		"dots dst too short":       {m.Dots(q(dim, 1), []uint32{0}, nil), ErrDim},
		"dots of a missing row":    {m.Dots(q(dim, 1), []uint32{0, 1}, make([]float32, 2)), ErrRow},
		"dots of the greatest row": {m.Dots(q(dim, 1), []uint32{math.MaxUint32}, make([]float32, 1)), ErrRow},
		"a missing row":            {rowErr(1), ErrRow},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: error %v, want %v", name, c.got, c.want)
		}
	}
	if m.Len() != 1 {
		t.Errorf("after refused appends there are %d rows, want 1", m.Len())
	}
	for _, dim := range []int{-8, 0, 4, 12, 257, 8200} {
		if _, err := New(dim); !errors.Is(err, ErrDim) {
			t.Errorf("New(%d): error %v, want %v", dim, err, ErrDim)
		}
	}
}

func TestSearchWithNothingToFind(t *testing.T) {
	m, err := New(8)
	if err != nil {
		t.Fatal(err)
	}
	one := fill(t, make([]float32, 8), 8)
	for name, r := range map[string]Result{
		"empty matrix": search(t, m, make([]float32, 8), 5, Options{}),
		"k of 0":       search(t, one, make([]float32, 8), 0, Options{}),
		"negative k":   search(t, one, make([]float32, 8), -3, Options{}),
	} {
		if len(r.Hits) != 0 {
			t.Errorf("%s: got %v", name, r.Hits)
		}
	}
}

func TestDotsOfManyAreThoseOfEach(t *testing.T) {
	const dim, n = 24, 150 // more than two blocks of rows
	m := fill(t, randomUnit(rand.New(rand.NewPCG(7, 7)), n*dim), dim)
	var rows []uint32
	for i := range 2*n + 1 { // in no order, some twice
		rows = append(rows, uint32(i*37%n))
	}
	qs, got := make([][]float32, 5), make([][]float32, 5)
	for i := range qs {
		qs[i], got[i] = randomUnit(rand.New(rand.NewPCG(uint64(i), 8)), dim), make([]float32, len(rows))
	}
	if err := m.DotsAll(qs, rows, got); err != nil {
		t.Fatal(err)
	}
	for i, q := range qs {
		for j, row := range rows {
			one := make([]float32, 1)
			if err := m.Dots(q, []uint32{row}, one); err != nil {
				t.Fatal(err)
			}
			if got[i][j] != one[0] {
				t.Fatalf("query %d, row %d: %v among others, %v alone", i, row, got[i][j], one[0])
			}
		}
	}
}

func TestDotsAgreeWithSearchAndRow(t *testing.T) {
	const dim, n = 256, 200
	r := rand.New(rand.NewPCG(13, 14))
	m := fill(t, clustered(r, n, dim), dim)
	q := randomUnit(r, dim)
	hits := search(t, m, q, n, Options{}).Hits
	rows, got := make([]uint32, n), make([]float32, n)
	for i, h := range hits {
		rows[i] = h.Row
	}
	if err := m.Dots(q, rows, got); err != nil {
		t.Fatal(err)
	}
	for i, h := range hits {
		if got[i] != h.Score {
			t.Errorf("row %d: Dots %g, Search %g", h.Row, got[i], h.Score)
		}
		v, err := m.Row(h.Row, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := Dot(q, v); math.Abs(float64(got[i]-want)) > 1e-4 {
			t.Errorf("row %d: Dots %g, by its values %g", h.Row, got[i], want)
		}
	}
}

func TestResetAndAppendAgain(t *testing.T) {
	const dim = 32
	r := rand.New(rand.NewPCG(15, 16))
	m := fill(t, clustered(r, 100, dim), dim)
	m.Reset()
	v := randomUnit(r, dim)
	if row, err := m.Append(v); err != nil || row != 0 || m.Len() != 1 {
		t.Fatalf("Append after Reset = %d, %v with %d rows", row, err, m.Len())
	}
	if got := search(t, m, v, 5, Options{}).Hits; len(got) != 1 || math.Abs(float64(got[0].Score-1)) > 0.01 {
		t.Errorf("after Reset got %v", got)
	}
}

func TestConcurrentSearchesAgree(t *testing.T) {
	const dim, n = 64, 3000
	r := rand.New(rand.NewPCG(17, 18))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	q := randomUnit(r, dim)
	want := search(t, m, q, 10, Options{Floats: floats(flat, dim)}).Hits
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got, err := m.Search(q, 10, Options{Floats: floats(flat, dim)}, nil)
				if err != nil || !slices.Equal(got.Hits, want) {
					t.Errorf("got %v, %v, want %v", got, err, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestSearchAllocatesNothing(t *testing.T) {
	const dim, n = 64, 2000
	r := rand.New(rand.NewPCG(19, 20))
	flat := clustered(r, n, dim)
	m := fill(t, flat, dim)
	m.sketch.above = 1000
	m.sketch.extend(m)
	q, dst, rows := randomUnit(r, dim), make([]Hit, 0, 30), floats(flat, dim)
	for name, o := range map[string]Options{
		"exact": {Exact: true}, "rescored": {Exact: true, Floats: rows}, "sketch": {Floats: rows},
	} {
		got := testing.AllocsPerRun(50, func() {
			if _, err := m.Search(q, 30, o, dst); err != nil {
				t.Fatal(err)
			}
		})
		if got >= 1 && !raceEnabled {
			t.Errorf("%s: %v allocations a search", name, got)
		}
	}
}

func FuzzSearchEqualsDefinition(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint8(2), uint8(10))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, d, k uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		dim, n := 8*(1+int(d)%8), 1+int(rows)%500
		flat := clustered(r, n, dim)
		m := fill(t, flat, dim)
		allow := make(Bitmap, (n+63)/64)
		for i := range n {
			if r.IntN(3) > 0 {
				allow.Set(uint32(i))
			}
		}
		q := randomUnit(r, dim)
		got := search(t, m, q, int(k), Options{Allow: allow, Floats: floats(flat, dim)}).Hits
		want := nearest(flat, dim, q, int(k), allow)
		if len(got) != len(want) {
			t.Fatalf("%d hits, want %d", len(got), len(want))
		}
		for i := range got { // int8 may have lost a row in a near tie, never by more than its error
			if !allow.Has(got[i].Row) || got[i].Score < want[i].Score-0.02 || got[i].Score > want[i].Score {
				t.Errorf("hit %d is %v, want %v", i, got[i], want[i])
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct{ n, dim int }{{2000, 256}, {10_000, 256}, {10_000, 384}, {100_000, 256}, {100_000, 384}} {
		r := rand.New(rand.NewPCG(1, 1))
		flat := clustered(r, c.n, c.dim)
		m := fill(b, flat, c.dim)
		q, dst := randomUnit(r, c.dim), make([]Hit, 0, 60)
		o := Options{Floats: floats(flat, c.dim)}
		b.Run(fmt.Sprintf("%dx%d", c.n, c.dim), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Search(q, 60, o, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
