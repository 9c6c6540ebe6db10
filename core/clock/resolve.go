package clock

import "time"

// A moment is all that the words of a line are relative to.
type moment struct {
	instant time.Time
	said    Date // the day of it in zone
	zone    *time.Location
	order   DateOrder
	tense   Tense
	own     bool // the tense is that of the clause itself, not of one beside it
}

// resolve returns the days of an expression.
func (m *matcher) resolve(i int32, at moment) (Span, bool) {
	s, ok := m.days(&m.exprs[i], at)
	return s, ok && s.ok()
}

func (m *matcher) days(e *expr, at moment) (Span, bool) {
	switch e.op {
	case opDigits:
		return m.digitDays(&m.toks[e.n], at)
	case opDay:
		return oneDay(at.said.AddDays(int(e.n))), true
	case opSigned:
		switch at.tense {
		case Past:
			return oneDay(at.said.AddDays(-int(e.n))), true
		case Unknown:
			return Span{}, false
		}
		return oneDay(at.said.AddDays(int(e.n))), true
	case opWithin:
		if at.tense == Past && at.own {
			return Span{}, false // how long it took
		}
		return oneDay(at.shift(int(e.n), e.unit)), true
	case opShift:
		return oneDay(at.shift(int(e.n*e.which), e.unit)), true
	case opHalf:
		return halves(int(2*e.n+1)*int(e.which), e.unit, at)
	case opUnit:
		return unitAround(at.said, e.unit&0xff, int(e.which))
	case opPeriod:
		return period(e, at)
	case opOccur:
		return m.occurs(e, at)
	case opWeekIn:
		monday := at.said.AddDays(7*int(e.which) - weekIndex(at.said.Weekday()))
		return oneDay(monday.AddDays(weekIndex(e.weekday))), true
	case opDomIn:
		first := Date{at.said.Year, at.said.Month, 1}.AddMonths(int(e.which))
		d, ok := newDate(first.Year, int(first.Month), int(e.dom))
		return oneDay(d), ok
	case opEdgeUnit:
		return edgeOfUnit(e, at)
	case opRange:
		return m.between(e, at)
	case opDomRange:
		return m.domRange(e, at)
	default:
		return m.around(e, at)
	}
}

// shift returns the day n units away. Up to hours it is counted in elapsed time.
func (at moment) shift(n int, u unit) Date {
	n *= int(u >> 8)
	switch u & 0xff {
	case unitSecond:
		return DateOf(at.instant.Add(time.Duration(n)*time.Second), at.zone)
	case unitMinute:
		return DateOf(at.instant.Add(time.Duration(n)*time.Minute), at.zone)
	case unitHour:
		return DateOf(at.instant.Add(time.Duration(n)*time.Hour), at.zone)
	default:
		return shiftDays(at.said, n, u&0xff)
	}
}

// shiftDays moves a date by n units of a day or more; by less it has no answer.
func shiftDays(d Date, n int, u unit) Date {
	switch u {
	case unitDay:
		return d.AddDays(n)
	case unitWeek, unitWeekend:
		return d.AddDays(7 * n)
	case unitMonth:
		return d.AddMonths(n)
	case unitQuarter:
		return d.AddMonths(3 * n)
	case unitYear:
		return d.AddMonths(12 * n)
	default:
		return Date{}
	}
}

// halves moves by half units, which only years and hours have on a calendar.
func halves(n int, u unit, at moment) (Span, bool) {
	switch u {
	case unitYear | 1<<8:
		return oneDay(at.said.AddMonths(6 * n)), true
	case unitHour | 1<<8:
		return oneDay(DateOf(at.instant.Add(time.Duration(n)*30*time.Minute), at.zone)), true
	default:
		return Span{}, false
	}
}

// unitAround returns the calendar unit that holds d, or one k units away.
func unitAround(d Date, u unit, k int) (Span, bool) {
	var s Span
	switch u {
	case unitWeek:
		s.Start = d.AddDays(7*k - weekIndex(d.Weekday()))
		s.End, s.Grain = s.Start.AddDays(6), GrainWeek
	case unitWeekend:
		s.Start = d.AddDays(7*k + 5 - weekIndex(d.Weekday()))
		s.End, s.Grain = s.Start.AddDays(1), GrainRange
	case unitMonth:
		s.Start = Date{d.Year, d.Month, 1}.AddMonths(k)
		s.End, s.Grain = monthEnd(s.Start), GrainMonth
	case unitQuarter:
		s.Start = Date{d.Year, d.Month - (d.Month-1)%3, 1}.AddMonths(3 * k)
		s.End, s.Grain = monthEnd(s.Start.AddMonths(2)), GrainRange
	case unitYear:
		s.Start = Date{d.Year, time.January, 1}.AddMonths(12 * k)
		s.End, s.Grain = monthEnd(s.Start.AddMonths(11)), GrainYear
	default:
		return Span{}, false
	}
	return s, s.ok()
}

// monthEnd returns the last day of the month of d.
func monthEnd(d Date) Date {
	if d.IsZero() {
		return d
	}
	return Date{d.Year, d.Month, daysIn(d.Year, d.Month)}
}

// weekIndex counts the days since Monday.
func weekIndex(d time.Weekday) int { return (int(d) + 6) % 7 }

// period returns the n units that end or begin at the moment.
func period(e *expr, at moment) (Span, bool) {
	s := Span{Start: at.said, End: at.said, Grain: GrainRange}
	if far := at.shift(int(e.n*e.which), e.unit); e.which < 0 {
		s.Start = far
	} else {
		s.End = far
	}
	return s, true
}

// around returns what depends on another expression and a moment only.
func (m *matcher) around(e *expr, at moment) (Span, bool) {
	if !e.hasDate {
		return Span{}, false
	}
	switch e.op {
	case opSame:
		return m.resolve(e.sub, at)
	case opApprox:
		s, ok := m.resolve(e.sub, at)
		s.Approx = true
		return s, ok
	case opTo: // "moved to Friday", "a table for Friday"
		sub := &m.exprs[e.sub]
		if at.tense == Past && (sub.op != opOccur || sub.fam <= famMonthDay) { // not "home for Christmas"
			at.tense, at.own = Future, false
		}
		return m.resolve(e.sub, at)
	case opRel:
		return m.related(e, at)
	}
	s, ok := m.part(e, at)
	if !ok || !m.isBare(e.sub) {
		return s, ok
	}
	// "At the end of March", said of the past within March, was last year's.
	whole, _ := m.resolve(e.sub, at)
	switch {
	case at.tense == Past && at.said.Before(s.Start):
		at.said = whole.Start.AddDays(-1)
	case (at.tense == Future || at.tense == Present) && s.End.Before(at.said):
		at.said = whole.End.AddDays(1)
	default:
		return s, true
	}
	if at.said.IsZero() {
		return Span{}, false
	}
	return m.part(e, at)
}

// related resolves "since March", "until Friday". Days before or after a date
// are no date: the span is that of the date, and it does not count as known.
func (m *matcher) related(e *expr, at moment) (Span, bool) {
	rel, sub := Rel(e.n), &m.exprs[e.sub]
	if e.n == argFrom {
		rel = Since
		if sub.which < 0 || sub.op == opDay && sub.n < 0 { // "the photos from last week"
			return m.resolve(e.sub, at)
		}
	}
	switch {
	case rel == Since && (sub.op == opRange || sub.op == opDomRange):
		return m.resolve(e.sub, at) // "from Monday to Wednesday"
	case rel == Since:
		at.tense, at.own = Past, false
	case at.tense == Unknown:
		at.tense = Future
	}
	s, ok := m.resolve(e.sub, at)
	s.Rel = rel
	return s, ok
}

// isBare reports whether an expression names days that come again and leaves
// it to the tense which are meant.
func (m *matcher) isBare(i int32) bool {
	e := &m.exprs[i]
	switch e.op {
	case opOccur:
		return e.year == 0 && !e.yearRel && e.which == whichNear && e.fam != famYear
	case opDigits:
		f := m.toks[e.n].form
		return f == formPair || f == formPadded
	case opSame, opApprox, opTo, opEdge, opThird, opNth:
		return e.hasDate && m.isBare(e.sub)
	case opDomRange:
		return e.year == 0
	default:
		return false
	}
}
