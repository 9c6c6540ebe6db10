package sqlite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// What is found is what strings.Contains finds, whether phrases begin alike, lie in one another or
// overlap.
func TestPhrases(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		b := make([]byte, 3+r.IntN(most))
		for i := range b {
			b[i] = "ab\xc3 "[r.IntN(4)]
		}
		return string(b)
	}
	hits := 0
	for range 2000 {
		set := map[string]bool{}
		for range r.IntN(30) {
			set[word(6)] = true
		}
		text, got := word(40), map[string]bool{}
		p := newPhrases(set)
		p.find(text, func(i int) { got[p.sorted[i]] = true })
		for s := range set {
			if want := strings.Contains(text, s); got[s] != want {
				t.Fatalf("%q in %q: %v", s, text, got[s])
			} else if want {
				hits++
			}
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits", hits)
	}
}

// BenchmarkTraces erases half of what was said: the time must grow with what there is, not with
// its square.
func BenchmarkTraces(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				tr := &traces{}
				for i := range n {
					s := fmt.Sprintf("On day %d we saw %s and then went home.", i, words(i))
					tr.text(s)
					tr.piece(s)
					tr.note(words(i))
				}
				tr.match()
				for i := range n {
					tr.said(fmt.Sprintf("On day %d they saw %s and then stayed.", n+i, words(n+i)))
				}
				tr.settle()
			}
		})
	}
}
