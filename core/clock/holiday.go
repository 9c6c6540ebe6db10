package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A holidayRule says on which day of a year a holiday falls.
type holidayRule struct {
	kind       holidayKind
	month, day int
	nth        int          // of a weekday in the month
	weekday    time.Weekday // of nthWeekday
	shift      int          // days from Easter, or after the nth weekday
	days       []Date       // of listed, in order
}

type holidayKind uint8

const (
	fixedDay   holidayKind = iota // "12-25"
	fromEaster                    // "easter", "easter-2"
	nthWeekday                    // "4 thursday 11", "4 thursday 11 +1"
	listedDays                    // "2025-10-20 2026-11-08 …"
)

// holiday reads a rule and returns its number.
func (g *grammar) holiday(s string) (int32, error) {
	r, err := parseHoliday(s)
	if err != nil {
		return 0, err
	}
	g.holidays = append(g.holidays, r)
	return int32(len(g.holidays) - 1), nil
}

func parseHoliday(s string) (holidayRule, error) {
	bad := fmt.Errorf("%q is none of MM-DD, easter±N, NTH WEEKDAY MONTH [±N], YYYY-MM-DD …", s)
	f := strings.Fields(s)
	if len(f) == 0 {
		return holidayRule{}, bad
	}
	if shift, ok := strings.CutPrefix(f[0], "easter"); ok && len(f) == 1 {
		n, err := strconv.Atoi("0" + shift)
		if shift != "" {
			n, err = strconv.Atoi(shift)
		}
		if err != nil || n < -100 || n > 100 {
			return holidayRule{}, bad
		}
		return holidayRule{kind: fromEaster, shift: n}, nil
	}
	if t, err := time.Parse("01-02", s); err == nil {
		return holidayRule{kind: fixedDay, month: int(t.Month()), day: t.Day()}, nil
	}
	if len(f[0]) == 1 && (len(f) == 3 || len(f) == 4) {
		r := holidayRule{kind: nthWeekday}
		var errs [3]error
		r.nth, errs[0] = strconv.Atoi(f[0])
		r.month, errs[1] = strconv.Atoi(f[2])
		if len(f) == 4 {
			r.shift, errs[2] = strconv.Atoi(f[3])
		}
		day := -1
		for d := time.Sunday; d <= time.Saturday; d++ {
			if strings.EqualFold(d.String(), f[1]) {
				day = int(d)
			}
		}
		r.weekday = time.Weekday(day)
		ok := errs == [3]error{} && day >= 0 && r.nth >= 1 && r.nth <= 5 && r.month >= 1 && r.month <= 12 && r.shift >= -31 && r.shift <= 31
		if !ok {
			return holidayRule{}, bad
		}
		return r, nil
	}
	r := holidayRule{kind: listedDays}
	for _, day := range f {
		d, err := ParseDate(day)
		if err != nil || len(r.days) > 0 && !r.days[len(r.days)-1].Before(d) {
			return holidayRule{}, bad
		}
		r.days = append(r.days, d)
	}
	return r, nil
}

// in returns the day of the holiday in a year, the first if it has two.
func (r *holidayRule) in(year int) (Date, bool) {
	switch r.kind {
	case fixedDay:
		return newDate(year, r.month, r.day)
	case fromEaster:
		d, ok := easter(year)
		if d = d.AddDays(r.shift); d.IsZero() {
			ok = false
		}
		return d, ok
	case nthWeekday:
		d, ok := nthInMonth(year, r.month, r.nth, r.weekday)
		return d.AddDays(r.shift), ok
	default:
		for _, d := range r.days {
			if d.Year == year {
				return d, true
			}
		}
		return Date{}, false
	}
}

// nthInMonth returns the nth such weekday of a month.
func nthInMonth(year, month, n int, day time.Weekday) (Date, bool) {
	first, ok := newDate(year, month, 1)
	if !ok {
		return Date{}, false
	}
	skip := (int(day) - int(first.Weekday()) + 7) % 7
	return newDate(year, month, 1+skip+7*(n-1))
}

// easter returns Easter Sunday of the Gregorian calendar, by the algorithm of
// J.-M. Oudin (1940).
func easter(year int) (Date, bool) {
	if year < minYear || year > maxYear {
		return Date{}, false
	}
	c := year / 100
	n := year % 19
	i := (c - c/4 - (c-(c-17)/25)/3 + 19*n + 15) % 30
	i -= (i / 28) * (1 - (i/28)*(29/(i+1))*((21-n)/11))
	j := (year + year/4 + i + 2 - c + c/4) % 7
	l := i - j
	month := 3 + (l+40)/44
	return newDate(year, month, l+28-31*(month/4))
}
