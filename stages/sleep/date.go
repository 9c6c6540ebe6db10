package sleep

import (
	"context"

	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Date works out when things are true or happened.
var Date = sl.Spec{Spec: component.Define(component.About{
	Name:    "date",
	Summary: "Work out dates from the line's own words and when it was said",
	Doc: `
The calendar reads the words of the line ("last week", "3 May", "kal") against the
time it was said, in its speaker's zone; never the extractor's arithmetic and never
today's clock. A state is true from the day its clause gives, else from the day it
was said. An event has a date only if the line gives one.`,
}, struct{}{}, newDate)}

func newDate(struct{}, component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(_ context.Context, b *sl.Batch) error {
		for it := range b.Live {
			if it.Event {
				eventDate(b, it)
			} else {
				stateDate(b, it)
			}
		}
		return nil
	}), nil
}

// stateDate sets the day from which a state holds.
func stateDate(b *sl.Batch, it *sl.Item) {
	l := it.Line()
	it.From = l.Day()
	s := l.Grammar()
	start, end := s.Bytes(it.Match)
	for _, f := range b.Env.Dates(l) {
		if !f.Resolved || f.Start < end && start < f.End || !sameClause(s, it.Clause, f.Start) {
			continue
		}
		if f.Span.Rel == clock.Until || f.Span.Rel == clock.By {
			continue
		}
		day := f.Span.Day()
		if day > l.Day() {
			if beginning(s, it.Clause) {
				it.Reject(sl.ReasonFuture, "from "+day)
				return
			}
			continue
		}
		it.From, it.Stated = day, true
		return
	}
	if it.Clause >= 0 && s.Lang != nil && !it.Ended && !it.Prohibited && !it.Lift {
		if c := s.Clauses[it.Clause]; c.Verb.Tense == lang.Future {
			it.Reject(sl.ReasonFuture, "not yet")
		}
	}
}

// beginning reports whether the clause's verb says that something begins.
func beginning(s *lang.Sentence, clause int) bool {
	if clause < 0 || s.Lang == nil {
		return false
	}
	switch v := s.Clauses[clause].Verb; v.Lemma {
	case "start", "begin", "move", "join", "switch", "become", "get", "relocate", "change", "take", "leave", "retire", "quit", "marry":
		return true
	default:
		return v.Tense == lang.Future
	}
}

func sameClause(s *lang.Sentence, clause, at int) bool {
	if clause < 0 || s.Lang == nil {
		return true
	}
	for i, t := range s.Tokens {
		if t.End > at {
			return s.ClauseOf(i) == clause
		}
	}
	return true
}

// eventDate sets the days of an event.
func eventDate(b *sl.Batch, it *sl.Item) {
	l := it.Line()
	if it.When != "" {
		if f, ok := b.Env.Locate(l, it.When); ok {
			setEvent(it, f.Span)
			return
		}
	}
	var only *clock.Found
	for _, f := range b.Env.Dates(l) {
		if !f.Resolved || !sameClause(l.Grammar(), it.Clause, f.Start) {
			continue
		}
		if only != nil {
			return // which of them it is nobody knows
		}
		only = &f
	}
	if only != nil {
		setEvent(it, only.Span)
	}
}

func setEvent(it *sl.Item, s clock.Span) {
	it.Stated = true
	it.From, it.To = s.Start.String(), s.End.String()
	if s.Rel == clock.Until || s.Rel == clock.By {
		it.From = it.To
	}
	if s.Rel == clock.Since {
		it.To = it.From
	}
}
