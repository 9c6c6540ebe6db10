package clock

import (
	"fmt"
	"time"
)

// The years a [Date] may have. Anything that leaves them has no date.
const (
	minYear = 1
	maxYear = 9999
)

// A Date is a day of the Gregorian calendar, counted backwards before it was
// introduced. The zero Date is none; every other one made by this package is
// valid and of the years 1 to 9999.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day it is at t in zone; nil stands for UTC. It is the
// zero Date outside the years 1 to 9999.
func DateOf(t time.Time, zone *time.Location) Date {
	if zone == nil {
		zone = time.UTC
	}
	y, m, d := t.In(zone).Date()
	if y < minYear || y > maxYear {
		return Date{}
	}
	return Date{y, m, d}
}

// Day returns the day it is at t in zone as YYYY-MM-DD; nil stands for UTC. It
// is empty outside the years 1 to 9999.
func Day(t time.Time, zone *time.Location) string {
	return DateOf(t, zone).String()
}

// ParseDate reads YYYY-MM-DD and nothing else.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < minYear {
		return Date{}, fmt.Errorf("%q is not a date of the form YYYY-MM-DD", s)
	}
	return Date{t.Year(), t.Month(), t.Day()}, nil
}

// String returns the date as YYYY-MM-DD, or "" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// IsZero reports whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Before reports whether d is an earlier day than e.
func (d Date) Before(e Date) bool { return d.number() < e.number() }

// Start returns the first instant of the day in zone, nil for UTC: midnight,
// or where the clocks jump over it, the moment they do.
func (d Date) Start(zone *time.Location) time.Time {
	return wall(d, 0, zone)
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday {
	return time.Weekday((d.number()%7 + 1) % 7) // day 0 is Monday, 0001-01-01
}

// AddDays returns the day n days later, or the zero Date outside the years.
func (d Date) AddDays(n int) Date {
	if d.IsZero() || n > 4_000_000 || n < -4_000_000 {
		return Date{}
	}
	return fromNumber(d.number() + n)
}

// AddMonths returns the same day n months later, or the last day of that month
// where it is shorter; the zero Date outside the years.
func (d Date) AddMonths(n int) Date {
	if d.IsZero() || n > 200_000 || n < -200_000 {
		return Date{}
	}
	m := d.Year*12 + int(d.Month) - 1 + n
	year, month := m/12, time.Month(m%12+1)
	if m < 0 || year < minYear || year > maxYear {
		return Date{}
	}
	return Date{year, month, min(d.Day, daysIn(year, month))}
}

// newDate returns the date, or false if there is no such day.
func newDate(year, month, day int) (Date, bool) {
	if year < minYear || year > maxYear || month < 1 || month > 12 || day < 1 || day > daysIn(year, time.Month(month)) {
		return Date{}, false
	}
	return Date{year, time.Month(month), day}, true
}

func daysIn(year int, m time.Month) int {
	switch m {
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case time.April, time.June, time.September, time.November:
		return 30
	default:
		return 31
	}
}

// number counts days from 0001-01-01. Years start in March here, so that the
// leap day is the last of its year; a month then begins at (153m+2)/5.
func (d Date) number() int {
	y, m := d.Year, int(d.Month)
	if m <= 2 {
		y, m = y-1, m+12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d.Day - 1 - 306
}

// fromNumber is the inverse of number, or the zero Date outside the years.
func fromNumber(n int) Date {
	if n < 0 || n > lastNumber {
		return Date{}
	}
	n += 306
	era, doe := n/146_097, n%146_097 // 400 years, and the day in them
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day, month, year := doy-(153*mp+2)/5+1, mp+3, era*400+yoe
	if month > 12 {
		month, year = month-12, year+1
	}
	return Date{year, time.Month(month), day}
}

// lastNumber is the number of 9999-12-31.
const lastNumber = 3_652_058
