package filter

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzTakePrint reads texts from outside: whatever they are, reading ends, a text is
// like itself, and what is said of two texts does not depend on which comes first.
func FuzzTakePrint(f *testing.F) {
	f.Add("The boat leaves on 14 March.", "The boat doesn't leave on the 14th!")
	f.Add("", "...")
	f.Add("a\xff'b", "部署 🏡 ’n’t")
	f.Add("'", "x'")
	f.Fuzz(func(t *testing.T, a, b string) {
		var arena []uint64
		p, q, again := takePrint(a, &arena), takePrint(b, &arena), takePrint(a, &arena)
		if p.words > utf8.RuneCountInString(a) {
			t.Errorf("%q has %d words", a, p.words)
		}
		if !slices.IsSorted(arena[p.from:p.to]) || !slices.IsSorted(arena[q.from:q.to]) {
			t.Error("the words are not in order")
		}
		if p.words > 0 && !(p.sameWords(&again) && p.mayBe(&again, arena)) {
			t.Errorf("%q is not like itself", a)
		}
		if p.sameWords(&q) != q.sameWords(&p) || p.mayBe(&q, arena) != q.mayBe(&p, arena) {
			t.Errorf("%q and %q are not alike both ways", a, b)
		}
	})
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		a, b []uint64
		want bool
	}{
		{nil, nil, true},
		{nil, []uint64{1}, true},
		{[]uint64{1}, nil, false},
		{[]uint64{1, 3}, []uint64{1, 2, 3}, true},
		{[]uint64{1, 1}, []uint64{1, 2}, false},
		{[]uint64{1, 4}, []uint64{1, 2, 3}, false},
	} {
		if got := within(c.a, c.b); got != c.want {
			t.Errorf("within(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
