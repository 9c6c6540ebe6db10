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
	among := k.facts.under[f.topic()]
	if f.Forbidden {
		among = k.facts.rules[f.subject]
	}
	for _, g := range among {
		if g == f || g.Retracted || g.condition != f.condition || g.Forbidden != f.Forbidden {
			continue
		}
		if k.succeed(f, g) {
			out = append(out, g)
		}
	}
	// Mostly they came in order, and a history may have thousands of values.
	if !slices.IsSortedFunc(out, inSuccession) {
		slices.SortStableFunc(out, inSuccession)
	}
	return out
}

// succeed reports whether two states of a topic cannot both hold, or are the same one.
func (k *Book) succeed(f, g *fact) bool {
	switch {
	case f.Forbidden:
		return k.meaning(f).same(k.meaning(g))
	case !f.attr.Many && !f.sameLine(g):
		return true
	case k.meaning(f).same(k.meaning(g)):
		return true
	}
	// One line may give two values.
	return !f.sameLine(g) && f.attr.Versioned && k.meaning(f).sameButNumbers(k.meaning(g))
}

func inSuccession(a, b *fact) int {
	switch {
	case a.before(b):
		return -1
	case b.before(a):
		return 1
	}
	return 0
}

// place puts a new state where it belongs, and returns the state that now says it
// with what became of it: "known", "confirmed", "history", "superseded" (another)
// or "new".
func (k *Book) place(f *fact) (*fact, string) {
	chain := k.chain(f)
	src := f.Sources[0]
	at := -1
	for i, g := range chain {
		if g.cites(src) && k.meaning(f).same(k.meaning(g)) {
			return g, OutcomeKnown
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
	if prev != nil && k.meaning(prev).same(k.meaning(f)) && !(prev.ended() && f.ValidFrom >= prev.ValidTo) {
		k.addSource(prev, src)
		return prev, OutcomeConfirmed
	}
	if prev != nil {
		if q := k.resumed(prev, next, f, chain); q != nil {
			next = q
		}
	}
	if next != nil && k.meaning(next).same(k.meaning(f)) {
		k.addSource(next, src)
		k.redate(next, prev, f)
		return next, OutcomeConfirmed
	}
	outcome := OutcomeNew
	for _, g := range chain[:at+1] {
		if g.Closed.IsZero() || next != nil && g.SupersededBy == next.ID {
			k.close(g, f.ValidFrom, f.ID, nil)
			outcome = OutcomeSuperseded
		}
	}
	if next != nil {
		f.until(next.ValidFrom)
		f.SupersededBy, f.Closed = next.ID, f.Recorded
		outcome = OutcomeHistory
	}
	k.add(f)
	return f, outcome
}

// resumed splits prev when f arrives late and belongs between two statements of
// prev: its later statements become a state of their own, which is returned.
func (k *Book) resumed(prev, next, f *fact, chain []*fact) *fact {
	var q *fact
	for _, s := range prev.Sources {
		g := *prev
		g.ID, g.fresh, g.touched, g.closed, g.redated, g.ending, g.sources = 0, true, false, false, false, nil, nil
		g.Sources = []core.Source{s}
		g.first, g.episode, g.start = s.At, s.Episode, s.Start
		g.ValidFrom, g.Stated = k.day(s, prev)
		if !f.before(&g) || slices.ContainsFunc(chain, func(o *fact) bool { return o != prev && o.cites(s) }) {
			continue
		}
		switch {
		case q == nil:
			q = &g
			q.ID, q.Said = k.temporary(), s.At
		case g.before(q):
			q.ValidFrom, q.Stated, q.first, q.episode, q.start = g.ValidFrom, g.Stated, g.first, g.episode, g.start
			q.Sources = append(q.Sources, s)
		default:
			q.Sources = append(q.Sources, s)
		}
	}
	if q == nil {
		return nil
	}
	q.SupersededBy, q.Closed = prev.SupersededBy, prev.Closed
	if prev.ValidTo != "" {
		q.until(prev.ValidTo)
	}
	if next != nil && q.SupersededBy == 0 && !next.before(q) && prev.Closed.IsZero() {
		return nil
	}
	k.add(q)
	// What prev gave way to, q gives way to; prev itself gives way to f.
	prev.SupersededBy, prev.Closed = q.ID, closedNow
	k.touch(prev)
	return q
}

// day returns the day that a line gives for what it states, by reading it again.
func (k *Book) day(s core.Source, f *fact) (string, bool) {
	if s.Episode == f.episode && s.Start == f.start {
		return f.ValidFrom, f.Stated
	}
	if k.dayOf != nil {
		if day, stated, ok := k.dayOf(s, f.Value); ok {
			return day, stated
		}
	}
	return s.At.UTC().Format(time.DateOnly), false
}

// ended reports whether the state was closed without another taking its place.
func (f *fact) ended() bool { return !f.Closed.IsZero() && f.SupersededBy == 0 }

func (f *fact) cites(s core.Source) bool {
	return slices.ContainsFunc(f.Sources, func(o core.Source) bool { return o.Episode == s.Episode && o.Start == s.Start })
}

func (k *Book) addSource(f *fact, s core.Source) {
	if f.cites(s) {
		return
	}
	k.touch(f)
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
	k.touch(next)
	if prev != nil && prev.SupersededBy == next.ID {
		k.close(prev, f.ValidFrom, next.ID, prev.ending)
	}
}

func (k *Book) close(f *fact, day string, by core.ID, src *core.Source) {
	f.until(day)
	f.SupersededBy, f.ending = by, src
	if f.Closed.IsZero() {
		f.Closed = closedNow
	}
	f.closed = true
	k.touch(f)
}

// until sets the day on which a state ends. One that was known from the day it was
// said only, and ended before that day, was true before it was said: its beginning
// goes back to its end. One whose beginning a line gives ends no earlier than it.
func (f *fact) until(day string) {
	switch {
	case day >= f.ValidFrom:
	case f.Stated:
		day = f.ValidFrom
	default:
		f.ValidFrom, f.redated = day, true
	}
	f.ValidTo = day
}

// end closes the states that a line ends, and returns how many: those of the
// attribute, or else, unless strict, those of the same value under another name. A
// line that arrives late ends what held when it was said: a state that gave way to
// another later, or one that was said again later and then is two.
func (k *Book) end(subject string, attr Attribute, value string, rules, strict bool, said time.Time, day string, src core.Source) int {
	n := 0
	m := meaningOf(k.set, value)
	for _, pass := range []bool{true, false} {
		among := k.facts.of[subject]
		if pass {
			among = k.facts.under[topic{subject, attr.Key}]
		}
		for _, f := range among {
			if f.first.After(said) || f.cites(src) || !f.Closed.IsZero() && !f.gaveWayAfter(day) {
				continue
			}
			same := value != "" && (k.meaning(f).same(&m) || m.covers(k.meaning(f)) || k.meaning(f).covers(&m) && !f.attr.Many)
			switch {
			case pass && (same || value == "" && !f.attr.Many):
			case !pass && value != "" && (k.meaning(f).same(&m) || rules && f.Forbidden && same):
			default:
				continue
			}
			k.resumed(f, nil, &fact{first: said, episode: src.Episode, start: src.Start}, k.chain(f))
			s := src
			k.close(f, day, 0, &s)
			n++
		}
		if n > 0 || strict {
			break
		}
	}
	return n
}

// gaveWayAfter reports whether another state took the place of f after a day.
func (f *fact) gaveWayAfter(day string) bool {
	return f.SupersededBy != 0 && !f.Retracted && f.ValidFrom <= day && day < f.ValidTo
}

// lift closes the rules that speak of value.
func (k *Book) lift(subject, value string, said time.Time, day string, src core.Source) int {
	n := 0
	m := meaningOf(k.set, value)
	for _, f := range k.facts.rules[subject] {
		if !f.Closed.IsZero() || f.first.After(said) || f.cites(src) {
			continue
		}
		if m.covers(k.meaning(f)) || k.meaning(f).covers(&m) {
			s := src
			k.close(f, day, 0, &s)
			n++
		}
	}
	return n
}

// permit closes the rules under an attribute that a later state speaks of too. What
// is allowed under a condition is an exception, and the rule stands beside it.
func (k *Book) permit(f *fact) int {
	n := 0
	for _, g := range k.facts.under[f.topic()] {
		if g.Forbidden && g.Closed.IsZero() && lifts(f, g) {
			k.close(g, f.ValidFrom, f.ID, nil)
			n++
		}
	}
	return n
}

// permitted closes a rule that arrives late when it was lifted since, and reports
// whether it was.
func (k *Book) permitted(rule *fact) bool {
	var first *fact
	for _, f := range k.facts.under[rule.topic()] {
		if !f.Forbidden && !f.Retracted && lifts(f, rule) && (first == nil || f.before(first)) {
			first = f
		}
	}
	if first != nil {
		k.close(rule, first.ValidFrom, first.ID, nil)
	}
	return first != nil
}

// lifts reports whether state f, which forbids nothing, takes rule g of its topic back.
func lifts(f, g *fact) bool {
	return (f.condition == "" || f.condition == g.condition) && g.before(f) && !g.sameLine(f)
}
