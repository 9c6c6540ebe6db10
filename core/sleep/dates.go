package sleep

import (
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Dates returns the time expressions of a line, each by the tense of the verb of
// its clause where the grammar knows it, else by what the calendar makes of it.
func (e *Env) Dates(l *Line) []clock.Found {
	o := clock.Options{Zone: l.Zone, Order: e.Order}
	found := e.Clock.Find(l.Text, l.Said, o)
	for i := range found {
		e.retense(l, &found[i], o)
	}
	return found
}

// Locate resolves a phrase that somebody read in a line, by the line's own words.
func (e *Env) Locate(l *Line, phrase string) (clock.Found, bool) {
	o := clock.Options{Zone: l.Zone, Order: e.Order}
	f, ok := e.Clock.Locate(l.Text, phrase, l.Said, o)
	if ok {
		e.retense(l, &f, o)
	}
	return f, ok && f.Resolved
}

func (e *Env) retense(l *Line, f *clock.Found, o clock.Options) {
	t := tenseAt(l.Grammar(), f.Start)
	if t == clock.Unknown || t == f.Tense || !f.Resolved {
		return
	}
	if s, ok := e.Clock.Resolve(l.Text[f.Start:f.End], l.Said, t, o); ok {
		f.Span, f.Tense = s, t
	}
}

// tenseAt returns the tense of the clause that the byte at stands in.
func tenseAt(s *lang.Sentence, at int) clock.Tense {
	if s == nil || s.Lang == nil || !s.Lang.HasVerbs() {
		return clock.Unknown
	}
	for i, t := range s.Tokens {
		if t.End <= at {
			continue
		}
		c := s.ClauseOf(i)
		if c < 0 {
			return clock.Unknown
		}
		v := s.Clauses[c].Verb
		switch {
		case v.Lemma == "" || v.Guessed:
			return clock.Unknown
		case v.Tense == lang.Past || v.Perfect:
			return clock.Past
		case v.Tense == lang.Future:
			return clock.Future
		case v.Tense == lang.Present:
			return clock.Present
		}
		return clock.Unknown
	}
	return clock.Unknown
}
