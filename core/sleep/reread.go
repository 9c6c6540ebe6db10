package sleep

import (
	"context"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
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
	return l.Day(), false
}
