package vector

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestPartsFindWhatTheWholeDoes: rows of few different values, so that many scores are equal;
// also one row more than fits the parts evenly.
func TestPartsFindWhatTheWholeDoes(t *testing.T) {
	for _, n := range []int{1111, 2*64*4 + 1, 3*64 + 2, 7*64*2 + 6, 18*64 + 17, 1} {
		t.Run(strconv.Itoa(n), func(t *testing.T) { partsFind(t, n) })
	}
}

func partsFind(t *testing.T, n int) {
	const dim = 8
	r := rand.New(rand.NewPCG(3, 5))
	m, err := New(dim)
	if err != nil {
		t.Fatal(err)
	}
	allow := make(Bitmap, n/64+1)
	v, q := make([]float32, dim), randomUnit(r, dim)
	for row := range uint32(n) {
		for i := range v {
			v[i] = float32(r.IntN(2))
		}
		if _, err := m.Append(v); err != nil {
			t.Fatal(err)
		}
		if r.IntN(4) > 0 {
			allow.Set(row)
		}
	}
	m.sketch.above = n / 2
	m.sketch.extend(m)
	scan := func(parts int, allow Bitmap) []Hit {
		s := newScratch(dim)
		s.top.reset(n / 2)
		if _, err := quantizeQuery(s.query, q); err != nil {
			t.Fatal(err)
		}
		m.scan(s, allow, parts)
		return s.top.sorted()
	}
	measure := func(parts int, allow Bitmap) ([]uint16, []int) {
		s := newScratch(dim)
		s.signs = appendSigns(nil, q)
		m.sketch.measure(n, allow, s, parts)
		return s.distances, s.histogram
	}
	for _, parts := range []int{2, 3, 7, 18, 40} {
		for _, allow := range []Bitmap{nil, allow} {
			if got, want := scan(parts, allow), scan(1, allow); !slices.Equal(got, want) {
				t.Errorf("%d parts find %v, the whole %v", parts, got, want)
			}
			d, h := measure(parts, allow)
			if wantD, wantH := measure(1, allow); !slices.Equal(d, wantD) || !slices.Equal(h, wantH) {
				t.Errorf("%d parts measure other distances than the whole", parts)
			}
		}
	}
}
