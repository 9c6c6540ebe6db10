package sleep

import (
	"context"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// reread lets the book of a batch ask what day a line, read long ago, gave.
func (w *worker) reread(ctx context.Context, b *Batch) {
	b.Book.dayOf = func(s core.Source, value string) (string, bool, bool) {
		got, err := w.store.EpisodesByID(ctx, w.run.Space, []core.ID{s.Episode})
		if err != nil || len(got) == 0 || s.End > len(got[0].Text) || s.Start < 0 || s.Start >= s.End {
			return "", false, false
		}
		e := &got[0]
		l := &Line{Text: e.Text[s.Start:s.End], Said: e.At, Zone: w.zone(e.Zone)}
		l.Analyse(w.s.set)
		words, _ := w.s.set.Content(value)
		places, _ := l.grammar.Locate(words)
		if len(places) == 0 {
			return l.Day(), false, true
		}
		day, stated := b.Env.StateDay(l, places[0], l.grammar.ClauseOf(places[0].From))
		return day, stated, true
	}
}

// StateDay returns the day from which what a clause states is true: the one its
// clause gives, if that is not after the line was said, else the day of the line.
func (e *Env) StateDay(l *Line, m Place, clause int) (day string, stated bool) {
	s := l.Grammar()
	start, end := s.Bytes(m)
	for _, f := range e.Dates(l) {
		if !f.Resolved || f.Start < end && start < f.End || !s.InClause(clause, f.Start) {
			continue
		}
		if f.Span.Rel == clock.Until || f.Span.Rel == clock.By {
			continue
		}
		if d := f.Span.Day(); d <= l.Day() {
			return d, true
		}
	}
	if day, ok := e.lasting(l, clause); ok {
		return day, true
	}
	return l.Day(), false
}

// lasting returns the day that "I have lived here for two years" counts from.
func (e *Env) lasting(l *Line, clause int) (string, bool) {
	s := l.Grammar()
	if s.Lang == nil || !s.Lang.HasVerbs() || clause < 0 || clause >= len(s.Clauses) {
		return "", false
	}
	c := &s.Clauses[clause]
	if !c.Verb.Perfect || c.Verb.Tense != lang.Present || c.Verb.Negated {
		return "", false
	}
	for i := c.Verb.To; i+2 < len(s.Tokens) && i+2 < c.To; i++ {
		if !s.After(i, "for") {
			continue
		}
		for j := i + 3; j <= min(i+5, c.To); j++ {
			switch lang.Stem(s.Tokens[j-1].Norm) {
			case "year", "month", "week", "dai", "day":
			default:
				continue
			}
			o := clock.Options{Zone: l.Zone, Order: e.Order}
			if f, ok := e.Clock.Resolve(s.Slice(i+1, j)+" ago", l.Said, clock.Past, o); ok {
				return f.Day(), true
			}
		}
	}
	return "", false
}
