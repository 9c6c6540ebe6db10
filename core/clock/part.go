package clock

import "time"

// part returns the days that a piece of another expression means, or that lie
// around it.
func (m *matcher) part(e *expr, at moment) (Span, bool) {
	s, ok := m.resolve(e.sub, at)
	if !ok {
		return Span{}, false
	}
	switch e.op {
	case opEdge:
		return edgeOf(s, e.value), true
	case opThird:
		return thirdOf(s, e.value)
	case opNth:
		return nthOf(s, e)
	case opFrom: // "a week after Easter"
		from, u := s.End, e.unit&0xff
		if e.which < 0 {
			from = s.Start
		}
		return oneDay(shiftDays(from, int(e.n*e.which)*int(e.unit>>8), u)), u >= unitDay
	case opUnitOf: // "the week before 9 June"
		return unitAround(s.Start, e.unit&0xff, int(e.which))
	case opWeekdayOf: // "the Friday before Christmas"
		if e.which < 0 {
			back := (int(s.Start.Weekday()) - int(e.weekday) + 6) % 7
			return oneDay(s.Start.AddDays(-1 - back)), true
		}
		ahead := (int(e.weekday) - int(s.End.Weekday()) + 6) % 7
		return oneDay(s.End.AddDays(1 + ahead)), true
	default:
		return Span{}, false
	}
}

// edgeOf returns the first or the last day, or the middle third.
func edgeOf(s Span, edge int32) Span {
	switch edge {
	case 0:
		return oneDay(s.Start)
	case 2:
		return oneDay(s.End)
	default:
		mid, _ := thirdOf(s, 1)
		return mid
	}
}

// thirdOf returns the early, middle or late part of a span; a day has none.
func thirdOf(s Span, part int32) (Span, bool) {
	if s.Start == s.End {
		return s, true
	}
	out := Span{Grain: GrainRange}
	switch {
	case s.Grain == GrainMonth:
		out.Start = s.Start.AddDays(10 * int(part))
		out.End = s.Start.AddDays(10*int(part) + 9)
	case s.days() > 80: // whole months
		months := (s.End.Year-s.Start.Year)*12 + int(s.End.Month-s.Start.Month) + 1
		out.Start = s.Start.AddMonths(months * int(part) / 3)
		out.End = s.Start.AddMonths(months * int(part+1) / 3).AddDays(-1)
	default:
		out.Start = s.Start.AddDays(s.days() * int(part) / 3)
		out.End = s.Start.AddDays(s.days()*int(part+1)/3 - 1)
	}
	if part == 2 {
		out.End = s.End
	}
	return out, out.ok()
}

// nthOf returns the nth weekday, day, week or weekend of a span; the last if n
// is negative. The weeks of a month begin on its 1st, 8th and so on.
func nthOf(s Span, e *expr) (Span, bool) {
	n := int(e.n)
	if s.Start == s.End || n > 400 {
		return Span{}, false
	}
	day, step, length := e.weekday, 7, 1
	switch e.unit {
	case unitDay:
		day, step = s.Start.Weekday(), 1
	case unitWeek:
		day, length = s.Start.Weekday(), 7
	case unitWeekend:
		day, length = time.Saturday, 2
	}
	first := s.Start.AddDays((int(day) - int(s.Start.Weekday()) + 7) % 7)
	start := first.AddDays(step * (n - 1))
	if n < 0 {
		start = first.AddDays((s.days() - 1 - (first.number() - s.Start.number())) / step * step)
		if e.unit == unitWeek {
			start = s.End.AddDays(-6)
		}
	}
	out := Span{Start: start, End: start.AddDays(length - 1)}
	if length > 1 {
		out.Grain = GrainRange
	}
	if e.unit == unitWeek && s.End.Before(out.End) {
		out.End = s.End
	}
	return out, out.ok() && !s.End.Before(start) && !start.Before(s.Start)
}

// edgeOfUnit resolves "the end of the month": of this one, unless the tense
// points to one that ended before or begins later.
func edgeOfUnit(e *expr, at moment) (Span, bool) {
	get := func(k int) (Span, bool) {
		s, ok := unitAround(at.said, e.unit&0xff, k)
		if !ok {
			return Span{}, false
		}
		return edgeOf(s, e.value), true
	}
	s, ok := get(0)
	switch {
	case ok && at.tense == Past && at.said.Before(s.Start):
		return get(-1)
	case ok && (at.tense == Future || at.tense == Present) && s.End.Before(at.said):
		return get(1)
	}
	return s, ok
}

// between resolves a range. An end that leaves its year or week open takes the
// nearest one to the other.
func (m *matcher) between(e *expr, at moment) (Span, bool) {
	openL, openR := m.isBare(e.sub), m.isBare(e.sub2)
	weekdays := m.isWeekday(e.sub) && m.isWeekday(e.sub2)
	if openL && openR && weekdays && at.tense != Past && at.tense != Future {
		return Span{}, false // a habit
	}
	var l, r Span
	var okL, okR bool
	if openL || !openR {
		if r, okR = m.resolve(e.sub2, at); !okR {
			return Span{}, false
		}
		if openL {
			at.said, at.tense, at.own = r.Start, Past, false
		}
		l, okL = m.resolve(e.sub, at)
	} else {
		if l, okL = m.resolve(e.sub, at); !okL {
			return Span{}, false
		}
		at.said, at.tense, at.own = l.End, Future, false
		r, okR = m.resolve(e.sub2, at)
	}
	return Span{Start: l.Start, End: r.End, Grain: GrainRange}, okL && okR
}

func (m *matcher) isWeekday(i int32) bool {
	e := &m.exprs[i]
	return e.op == opOccur && e.fam == famWeekday || (e.op == opSame || e.op == opTo) && e.hasDate && m.isWeekday(e.sub)
}

// domRange resolves "3 to 5 May" and "the 5th to the 9th".
func (m *matcher) domRange(e *expr, at moment) (Span, bool) {
	last := *e
	last.op, last.dom = opOccur, e.dom2
	if last.fam = famMonthDay; e.month == 0 {
		last.fam = famDom
	}
	if e.which = whichNear; e.year == 0 {
		last.which = whichNear
	}
	end, ok := m.occurs(&last, at)
	if !ok {
		return Span{}, false
	}
	start := end.Start
	if e.dom > e.dom2 {
		if e.month != 0 {
			return Span{}, false // "28 to 3 May" is no range of May
		}
		start = Date{start.Year, start.Month, 1}.AddMonths(-1)
	}
	first, ok := newDate(start.Year, int(start.Month), int(e.dom))
	return Span{Start: first, End: end.End, Grain: GrainRange}, ok
}
