package sleep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every list has what a walk over all facts finds, in their order, also once facts have
// moved to other subjects.
func TestHoldings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	subject := func() string { return fmt.Sprint("#", r.IntN(8)) }
	h := newHoldings(0)
	for range 500 {
		f := &fact{subject: subject(), attr: Attribute{Key: fmt.Sprint(r.IntN(4))}}
		f.Forbidden = r.IntN(3) == 0
		h.add(f)
		if r.IntN(3) == 0 {
			h.move(h.all[r.IntN(len(h.all))], subject())
		}
	}
	walk := func(want func(*fact) bool) (out []*fact) {
		for _, f := range h.all {
			if want(f) {
				out = append(out, f)
			}
		}
		return out
	}
	for _, f := range h.all {
		ofSubject := func(g *fact) bool { return g.subject == f.subject }
		if !slices.Equal(h.of[f.subject], walk(ofSubject)) {
			t.Fatalf("of %s: wrong facts", f.subject)
		}
		if !slices.Equal(h.rules[f.subject], walk(func(g *fact) bool { return ofSubject(g) && g.Forbidden })) {
			t.Fatalf("rules of %s: wrong facts", f.subject)
		}
		if !slices.Equal(h.under[f.topic()], walk(func(g *fact) bool { return g.topic() == f.topic() })) {
			t.Fatalf("under %v: wrong facts", f.topic())
		}
	}
}
