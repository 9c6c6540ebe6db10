package engine

import (
	"time"

	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// yearShare is how much a year that a query names counts against a day or a month: it
// holds so many rows that it says little.
const yearShare = 0.5

// datesIn finds the days that a query names. What it asks about was said before, so
// a month without a year is the last one.
func datesIn(reader func() *clock.Reader, order clock.DateOrder) index.Dates {
	return func(q *frame.Query) []index.DaySpan {
		r := reader()
		if r == nil {
			return nil
		}
		o := clock.Options{Zone: q.Zone, Order: order}
		var out []index.DaySpan
		for _, f := range r.Find(q.Text, q.Now, o) {
			s, ok := r.Resolve(q.Text[f.Start:f.End], q.Now, clock.Past, o)
			if !ok {
				s, ok = f.Span, f.Resolved
			}
			if !ok {
				continue
			}
			d := index.DaySpan{First: dayNumber(s.Start), Last: dayNumber(s.End), Weight: 1}
			if s.Grain == clock.GrainYear {
				d.Weight = yearShare
			}
			out = append(out, d)
		}
		return out
	}
}

// dayNumber counts days from 1970-01-01.
func dayNumber(d clock.Date) int64 { return d.Start(time.UTC).Unix() / 86400 }
