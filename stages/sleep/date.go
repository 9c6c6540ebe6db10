package sleep

import (
	"context"
	"errors"
	"strings"
	"time"

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
was said. What holds "from Monday" is a plan until sleep runs on that day or later.
An event has a date only if the line gives one.`,
}, struct{}{}, newDate)}

func newDate(struct{}, component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(_ context.Context, b *sl.Batch) error {
		for it := range b.Live {
			if it.Event {
				if s := it.Line().Grammar(); it.Clause >= 0 && s.Lang != nil && planned(s, it.Clause) {
					it.Reject(sl.ReasonFuture, "not yet")
					continue
				}
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
	s := l.Grammar()
	if it.Past {
		pastDays(b, it)
		return
	}
	if it.Clause >= 0 && s.Lang != nil && !it.Ended && !it.Denied && !it.Prohibited && !it.Lift && planned(s, it.Clause) {
		fromThen(b, it)
		return
	}
	it.From, it.Stated = b.Env.StateDay(l, it.Match, it.Clause)
	if day, ok := undate(b, it); ok {
		it.From, it.Stated = day, true
	}
	if it.Stated || it.Ended || it.Denied || it.Prohibited || it.Lift || it.Clause < 0 || s.Lang == nil {
		return
	}
	start, end := s.Bytes(it.Match)
	for _, f := range b.Env.Dates(l) {
		if f.Resolved && !(f.Start < end && start < f.End) && s.InClause(it.Clause, f.Start) && f.Span.Rel == clock.At && f.Span.Day() > l.Day() && beginning(s, it.Clause) && it.Match.From >= s.Clauses[it.Clause].Verb.From {
			it.Reject(sl.ReasonFuture, "from "+f.Span.Day())
			return
		}
	}
	if s.Clauses[it.Clause].Verb.Tense == lang.Future {
		it.Reject(sl.ReasonFuture, "not yet")
	}
}

// planned reports whether a clause begins with the day from which it is true: "from
// Monday I work at …".
func planned(s *lang.Sentence, clause int) bool {
	c := &s.Clauses[clause]
	i := c.Prefix[0]
	if c.Prefix[1]-i < 2 || c.Verb.Tense == lang.Past || c.Verb.Perfect {
		return false
	}
	switch s.Tokens[i+1].Norm {
	case "this", "today", "now":
		return false
	}
	w := s.Tokens[i].Norm
	return w == "from" || w == "starting" || w == "as" && s.Tokens[i+1].Norm == "of"
}

// fromThen dates what is true from a day on that the beginning of its clause gives. It
// is a plan until the run's clock has come to that day.
func fromThen(b *sl.Batch, it *sl.Item) {
	l := it.Line()
	s := l.Grammar()
	p := s.Clauses[it.Clause].Prefix
	from := p[0] + 1
	if s.Tokens[from].Norm == "of" && from+1 < p[1] {
		from++ // "as of"
	}
	for _, t := range s.Tokens[from:p[1]] {
		if t.Norm == "to" || t.Norm == "until" || t.Norm == "till" {
			it.Reject(sl.ReasonFuture, "for a time")
			return
		}
	}
	for _, f := range b.Env.Dates(l) {
		if !f.Resolved || f.Start >= s.Tokens[p[1]-1].End || f.End <= s.Tokens[p[0]].Start {
			continue
		}
		f.Span = coming(b, l, strings.TrimSuffix(l.Text[max(f.Start, s.Tokens[from].Start):max(f.End, s.Tokens[from].End)], " on"), f.Span)
		if day := f.Span.Start.String(); day <= clock.Day(b.Now, l.Zone) {
			it.From, it.Stated = day, true
			return
		}
		break
	}
	it.Reject(sl.ReasonFuture, "not yet")
}

// coming reads the day behind "from": the next one of that name, but a number in a month
// is the nearest: "from 1 June" may be said on the third.
func coming(b *sl.Batch, l *sl.Line, phrase string, was clock.Span) clock.Span {
	o := clock.Options{Zone: l.Zone, Order: b.Env.Order}
	next, ok := b.Env.Clock.Resolve(phrase, l.Said, clock.Future, o)
	if !ok {
		return was
	}
	said, err1 := time.Parse(time.DateOnly, l.Day())
	before, err2 := time.Parse(time.DateOnly, was.Start.String())
	after, err3 := time.Parse(time.DateOnly, next.Start.String())
	if lang.HasDigit(phrase) && errors.Join(err1, err2, err3) == nil && said.Sub(before) < after.Sub(said) {
		return was
	}
	return next
}

// pastDays sets the days between which something was true that is no more: those that
// the clause gives, else the day it was said.
func pastDays(b *sl.Batch, it *sl.Item) {
	l := it.Line()
	it.From, it.To = l.Day(), l.Day()
	for _, f := range b.Env.Dates(l) {
		if !f.Resolved || !l.Grammar().InClause(it.Clause, f.Start) || f.Span.Start.String() > l.Day() {
			continue
		}
		it.Stated = true
		switch f.Span.Rel {
		case clock.Until, clock.By:
			it.To = min(f.Span.End.String(), l.Day())
			it.From = min(it.From, it.To)
		case clock.Since:
			it.From = f.Span.Start.String()
		default:
			it.From, it.To = f.Span.Start.String(), min(f.Span.End.String(), l.Day())
		}
	}
}

// undate takes a time word off the end of a value ("Utrecht yesterday") and returns
// its day. A date with a number may be the value itself and stays.
func undate(b *sl.Batch, it *sl.Item) (string, bool) {
	l := it.Line()
	start, end := l.Grammar().Bytes(it.Match)
	for _, f := range b.Env.Dates(l) {
		if !f.Resolved || f.End != end || f.Start <= start || f.Span.Rel != clock.At || f.Span.Day() > l.Day() || lang.HasDigit(l.Text[f.Start:f.End]) {
			continue
		}
		if rest, ok := strings.CutSuffix(strings.ToLower(it.Value), strings.ToLower(l.Text[f.Start:f.End])); ok && strings.TrimSpace(rest) != "" {
			it.Value = sl.CleanValue(it.Value[:len(rest)])
			return f.Span.Day(), true
		}
	}
	return "", false
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
		if !f.Resolved || !l.Grammar().InClause(it.Clause, f.Start) {
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
