package clock

import (
	"strings"
	"time"
)

// occurs resolves days that come again and again, by the word before them or
// the tense.
func (m *matcher) occurs(e *expr, at moment) (Span, bool) {
	if e.fam == famYear || e.year > 0 || e.yearRel {
		year := int(e.year)
		if e.yearRel {
			year = at.said.Year + int(e.which)
		}
		return m.inPeriod(e, at, year)
	}
	s, ok := m.pick(e, at)
	if ok && e.n != 0 { // weeks later: "Friday week", "two weekends ago"
		s.Start, s.End = s.Start.AddDays(7*int(e.n)), s.End.AddDays(7*int(e.n))
	}
	return s, ok
}

// pick searches the periods around the moment.
func (m *matcher) pick(e *expr, at moment) (Span, bool) {
	now, reach := at.said.Year, 9 // 29 February may be eight years away
	switch e.fam {
	case famWeekday, famWeekend:
		now, reach = at.said.number()/7, 2
	case famDom:
		now, reach = at.said.Year*12+int(at.said.Month)-1, 3
	}
	which := e.which
	if e.fam == famSeason && which == whichNear && at.tense != Past && at.tense != Future {
		return Span{}, false // "I ski in the winter": a habit
	}
	if which == whichThis {
		s, ok := m.inPeriod(e, at, now)
		switch {
		case at.tense == Past && (!ok || at.said.Before(s.Start)),
			at.tense == Future && (!ok || s.End.Before(at.said)):
			which = whichNear
		default:
			return s, ok
		}
	}
	back := which == whichLast || which == whichNear && at.tense == Past
	best, found := Span{}, false
	for k := -reach; k <= reach; k++ {
		i := now + k
		if back {
			i = now - k
		}
		s, ok := m.inPeriod(e, at, i)
		if !ok || !fits(s, e.fam, which, at) {
			continue
		}
		if which == whichNear && at.tense == Unknown && e.fam >= famWeekend {
			if !found || distance(s, at.said) <= distance(best, at.said) {
				best, found = s, true
			}
			continue
		}
		return s, true
	}
	return best, found
}

// fits reports whether a span lies on the side of the moment that is meant.
func fits(s Span, fam family, which int32, at moment) bool {
	switch {
	case which == whichLast:
		return s.End.Before(at.said)
	case which == whichNext:
		return at.said.Before(s.Start)
	case fam == famWeekday && at.tense == Past:
		return s.End.Before(at.said)
	case fam == famWeekday:
		return at.said.Before(s.Start)
	case at.tense == Past:
		return !at.said.Before(s.Start)
	case at.tense == Unknown && fam >= famWeekend:
		return true
	default:
		return !s.End.Before(at.said)
	}
}

// distance returns the days between a date and a span, 0 inside it.
func distance(s Span, d Date) int {
	return max(s.Start.number()-d.number(), d.number()-s.End.number(), 0)
}

// inPeriod returns the days of a family in a period: a week, a month or a year.
func (m *matcher) inPeriod(e *expr, at moment, i int) (Span, bool) {
	switch e.fam {
	case famWeekday:
		d := fromNumber(7*i + weekIndex(e.weekday))
		return oneDay(d), !d.IsZero()
	case famWeekend:
		d := fromNumber(7*i + 5)
		s := Span{Start: d, End: d.AddDays(1), Grain: GrainRange}
		return s, s.ok()
	case famDom:
		d, ok := newDate(i/12, i%12+1, int(e.dom))
		return oneDay(d), ok
	case famMonthDay:
		d, ok := newDate(i, int(e.month), int(e.dom))
		return oneDay(d), ok
	case famHoliday:
		d, ok := m.g.holidays[e.value].in(i)
		return oneDay(d), ok
	}
	month, months, grain := 1, 12, GrainYear
	switch e.fam {
	case famMonth:
		month, months, grain = int(e.month), 1, GrainMonth
	case famQuarter:
		month, months, grain = int(e.value)*3-2, 3, GrainRange
	case famSeason:
		month, months, grain = int(e.value)*3+3, 3, GrainSeason
		if southern(at.zone) {
			month = (month+5)%12 + 1
		}
	}
	first, ok := newDate(i, month, 1)
	s := Span{Start: first, End: monthEnd(first.AddMonths(months - 1)), Grain: grain}
	return s, ok && s.ok()
}

// digitDays returns the day or month of a date in digits.
func (m *matcher) digitDays(t *token, at moment) (Span, bool) {
	p := t.parts
	switch t.form {
	case formInstant:
		when, err := ParseTime(m.line[t.start:t.end], at.zone)
		return oneDay(DateOf(when, at.zone)), err == nil
	case formISO, formYearDay:
		d, ok := newDate(int(p[0]), int(p[1]), int(p[2]))
		return oneDay(d), ok
	case formMonth:
		return m.inPeriod(&expr{fam: famMonth, month: p[1]}, at, int(p[0]))
	case formPair, formPadded:
		month, day, ok := dayMonth(p[0], p[1], at.order)
		if !ok {
			return Span{}, false
		}
		return m.occurs(&expr{fam: famMonthDay, month: month, dom: day, which: whichNear}, at)
	}
	if at.order == YMD && !isDigit(m.line[t.end-3]) { // 26/05/03
		d, ok := newDate(fullYear(int(p[0]), at.said), int(p[1]), int(p[2]))
		return oneDay(d), ok
	}
	month, day, ok := dayMonth(p[0], p[1], at.order)
	year := int(p[2])
	if !isDigit(m.line[t.end-3]) {
		year = fullYear(year, at.said)
	}
	d, valid := newDate(year, int(month), int(day))
	return oneDay(d), ok && valid
}

// dayMonth puts two numbers in order. Without a configured order only one of
// them may be able to be the month.
func dayMonth(a, b int32, order DateOrder) (month, day int32, ok bool) {
	switch {
	case order == DMY:
		return b, a, true
	case order == MDY || order == YMD:
		return a, b, true
	case a == b || a <= 12 && b > 12:
		return a, b, true
	case b <= 12 && a > 12:
		return b, a, true
	default:
		return 0, 0, false
	}
}

// fullYear returns the year of two digits that lies from 80 years before to 19
// after a day.
func fullYear(yy int, said Date) int {
	year := said.Year - said.Year%100 + yy
	for year > said.Year+19 {
		year -= 100
	}
	for year < said.Year-80 {
		year += 100
	}
	return year
}

// southernZones are the beginnings of names of zones where summer is in
// December.
var southernZones = []string{
	"Africa/Johannesburg", "Africa/Harare", "Africa/Lusaka", "Africa/Maputo", "Africa/Gaborone", "Africa/Windhoek",
	"Africa/Maseru", "Africa/Mbabane", "Africa/Blantyre", "America/Argentina/", "America/Buenos_Aires", "America/Asuncion",
	"America/Montevideo", "America/Santiago", "America/Punta_Arenas", "America/Sao_Paulo", "America/Campo_Grande",
	"America/Cuiaba", "America/La_Paz", "America/Lima", "Antarctica/", "Australia/", "Pacific/Auckland", "Pacific/Chatham",
	"Indian/Antananarivo", "Indian/Mauritius", "Indian/Reunion", "NZ", "Brazil/East", "Brazil/West", "Chile/",
}

func southern(zone *time.Location) bool {
	name := zone.String()
	for _, prefix := range southernZones {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
