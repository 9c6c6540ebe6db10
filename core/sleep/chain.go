package sleep

import (
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

func trimForbidden(attribute string) string {
	return strings.TrimPrefix(attribute, core.ForbiddenPrefix)
}

// before reports whether f comes before g in the order in which one follows the
// other: by the day where both lines give one, else by when they were said.
func (f *fact) before(g *fact) bool {
	if f.Stated && g.Stated && f.ValidFrom != g.ValidFrom {
		return f.ValidFrom < g.ValidFrom
	}
	if !f.first.Equal(g.first) {
		return f.first.Before(g.first)
	}
	if f.episode != g.episode {
		return f.episode < g.episode
	}
	return f.start < g.start
}

func (f *fact) sameLine(g *fact) bool {
	return f.episode == g.episode && f.start == g.start && f.episode != 0
}

// chain returns the states that f takes part in a succession with, in order.
func (k *Book) chain(f *fact) []*fact {
	var out []*fact
	for _, g := range k.facts {
		if g == f || g.Retracted || g.subject != f.subject || g.condition != f.condition || g.Forbidden != f.Forbidden {
			continue
		}
		if f.Forbidden {
			if !sameValue(k.set, f.Value, g.Value) {
				continue
			}
		} else {
			if g.attr.Key != f.attr.Key {
				continue
			}
			same := sameValue(k.set, f.Value, g.Value)
			if f.attr.Many && !same && !(f.attr.Versioned && sameButNumbers(k.set, f.Value, g.Value)) {
				continue
			}
			if !same && f.sameLine(g) {
				continue // one line may give two values
			}
		}
		out = append(out, g)
	}
	slices.SortStableFunc(out, func(a, b *fact) int {
		switch {
		case a.before(b):
			return -1
		case b.before(a):
			return 1
		}
		return 0
	})
	return out
}

// place puts a new state where it belongs, and returns the state that now says it
// with what became of it: "known", "confirmed", "history", "superseded" (another)
// or "new".
func (k *Book) place(f *fact) (*fact, string) {
	chain := k.chain(f)
	src := f.Sources[0]
	at := -1
	for i, g := range chain {
		if g.cites(src) && sameValue(k.set, f.Value, g.Value) {
			return g, "known"
		}
		if g.before(f) {
			at = i
		}
	}
	var prev, next *fact
	if at >= 0 {
		prev = chain[at]
	}
	if at+1 < len(chain) {
		next = chain[at+1]
	}
	if prev != nil && sameValue(k.set, prev.Value, f.Value) && !(prev.ended() && f.ValidFrom >= prev.ValidTo) {
		prev.addSource(src)
		return prev, "confirmed"
	}
	if next != nil && sameValue(k.set, next.Value, f.Value) {
		next.addSource(src)
		k.redate(next, prev, f)
		return next, "confirmed"
	}
	outcome := "new"
	for _, g := range chain[:at+1] {
		if g.Closed.IsZero() || next != nil && g.SupersededBy == next.ID {
			g.close(f.ValidFrom, f.ID, nil)
			outcome = "superseded"
		}
	}
	if next != nil {
		f.ValidTo, f.SupersededBy, f.Closed = next.ValidFrom, next.ID, f.Recorded
		outcome = "history"
	}
	k.facts = append(k.facts, f)
	return f, outcome
}

// ended reports whether the state was closed without another taking its place.
func (f *fact) ended() bool { return !f.Closed.IsZero() && f.SupersededBy == 0 }

func (f *fact) cites(s core.Source) bool {
	return slices.ContainsFunc(f.Sources, func(o core.Source) bool { return o.Episode == s.Episode && o.Start == s.Start })
}

func (f *fact) addSource(s core.Source) {
	if f.cites(s) {
		return
	}
	f.Sources = append(f.Sources, s)
	if !f.fresh {
		f.sources = append(f.sources, s)
	}
	if s.At.After(f.Said) {
		f.Said = s.At
	}
	if s.At.Before(f.first) {
		f.first, f.episode, f.start = s.At, s.Episode, s.Start
	}
}

// redate moves the beginning of a state back to an earlier statement of it that
// arrived late.
func (k *Book) redate(next, prev, f *fact) {
	if f.ValidFrom >= next.ValidFrom {
		return
	}
	next.ValidFrom, next.Stated = f.ValidFrom, f.Stated
	next.redated = true
	if prev != nil && prev.SupersededBy == next.ID {
		prev.close(f.ValidFrom, next.ID, prev.ending)
	}
}

func (f *fact) close(day string, by core.ID, src *core.Source) {
	f.ValidTo, f.SupersededBy, f.ending = day, by, src
	if f.Closed.IsZero() {
		f.Closed = closedNow
	}
	f.closed = true
}

// end closes the open states that a line ends, and returns how many: those of the
// attribute, or else, unless strict, those of the same value under another name.
func (k *Book) end(subject string, attr Attribute, value string, rules, strict bool, said time.Time, day string, src core.Source) int {
	n := 0
	for _, pass := range []bool{true, false} {
		for _, f := range k.facts {
			if !f.Closed.IsZero() || f.subject != subject || f.first.After(said) || f.cites(src) {
				continue
			}
			same := value != "" && (sameValue(k.set, f.Value, value) || covers(k.set, value, f.Value) || covers(k.set, f.Value, value) && !f.attr.Many)
			switch {
			case pass && f.attr.Key == attr.Key && (same || value == "" && !f.attr.Many):
			case !pass && value != "" && (sameValue(k.set, f.Value, value) || rules && f.Forbidden && same):
			default:
				continue
			}
			s := src
			f.close(day, 0, &s)
			n++
		}
		if n > 0 || strict {
			break
		}
	}
	return n
}

// lift closes the rules that speak of value.
func (k *Book) lift(subject, value string, said time.Time, day string, src core.Source) int {
	n := 0
	for _, f := range k.facts {
		if !f.Forbidden || !f.Closed.IsZero() || f.subject != subject || f.first.After(said) || f.cites(src) {
			continue
		}
		if covers(k.set, value, f.Value) || covers(k.set, f.Value, value) {
			s := src
			f.close(day, 0, &s)
			n++
		}
	}
	return n
}

// permit closes the rules under an attribute that a later state speaks of too.
func (k *Book) permit(f *fact) int {
	n := 0
	for _, g := range k.facts {
		if g.Forbidden && g.Closed.IsZero() && g.subject == f.subject && g.attr.Key == f.attr.Key && g.before(f) && !g.sameLine(f) {
			g.close(f.ValidFrom, f.ID, nil)
			n++
		}
	}
	return n
}
