package clock_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones of these tests, wherever they run

	"github.com/orma-memory/orma/core/clock"
)

// TestDateArithmetic compares every day of the calendar with package time.
func TestDateArithmetic(t *testing.T) {
	d := clock.Date{Year: 1, Month: time.January, Day: 1}
	days := 0
	for want := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); want.Year() <= 9999; want = want.AddDate(0, 0, 1) {
		y, m, day := want.Date()
		if d != (clock.Date{Year: y, Month: m, Day: day}) || d.Weekday() != want.Weekday() {
			t.Fatalf("day %d is %s, a %s; want %s, a %s", days, d, d.Weekday(), want.Format(time.DateOnly), want.Weekday())
		}
		d = d.AddDays(1)
		days++
	}
	if !d.IsZero() {
		t.Errorf("the day after the last is %s, want none", d)
	}
	first := clock.Date{Year: 1, Month: time.January, Day: 1}
	if got := first.AddDays(days - 1).String(); got != "9999-12-31" {
		t.Errorf("%d days after the first is %s", days-1, got)
	}
	if got := first.AddDays(-1); !got.IsZero() {
		t.Errorf("the day before the first is %s, want none", got)
	}
}

func TestAddMonthsClamps(t *testing.T) {
	for _, c := range []struct {
		from   string
		months int
		want   string
	}{
		{"2028-03-31", -1, "2028-02-29"},
		{"2026-03-31", -1, "2026-02-28"},
		{"2100-03-31", -1, "2100-02-28"},
		{"2000-03-31", -1, "2000-02-29"},
		{"2026-01-31", 1, "2026-02-28"},
		{"2026-05-31", 1, "2026-06-30"},
		{"2028-02-29", 12, "2029-02-28"},
		{"2028-02-29", 48, "2032-02-29"},
		{"2026-12-31", 2, "2027-02-28"},
		{"2026-01-15", -1, "2025-12-15"},
		{"2026-01-15", -13, "2024-12-15"},
		{"0001-01-31", -1, ""},
		{"9999-12-31", 1, ""},
	} {
		d, err := clock.ParseDate(c.from)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.AddMonths(c.months).String(); got != c.want {
			t.Errorf("%s %+d months = %q, want %q", c.from, c.months, got, c.want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for _, s := range []string{"", "2026", "2026-5-3", "2026-02-29", "2026-13-01", "0000-01-01", "2026-05-03T10:00", " 2026-05-03", "12026-05-03"} {
		if d, err := clock.ParseDate(s); err == nil {
			t.Errorf("ParseDate(%q) = %s, want an error", s, d)
		}
	}
}

// TestDateStart looks at days whose midnight does not exist or comes twice.
func TestDateStart(t *testing.T) {
	for _, c := range []struct{ zone, day, want string }{
		{"UTC", "2026-05-03", "2026-05-03T00:00:00Z"},
		{"Asia/Kolkata", "2026-05-03", "2026-05-02T18:30:00Z"},
		{"America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"},
		{"America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"},
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
	} {
		d, err := clock.ParseDate(c.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Start(zone(t, c.zone)).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s starts in %s at %s, want %s", c.day, c.zone, got, c.want)
		}
	}
}

// TestStartIsOfItsDay checks in many zones that a day starts on itself and that
// the second before is of an earlier one.
func TestStartIsOfItsDay(t *testing.T) {
	for _, name := range []string{"UTC", "America/Havana", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo", "America/Asuncion", "Asia/Tehran", "Australia/Lord_Howe"} {
		loc := zone(t, name)
		for d := (clock.Date{Year: 2010, Month: time.January, Day: 1}); d.Year < 2027; d = d.AddDays(1) {
			start := d.Start(loc)
			if clock.DateOf(start, loc) != d || !clock.DateOf(start.Add(-time.Second), loc).Before(d) {
				t.Fatalf("%s in %s starts at %s", d, name, start)
			}
		}
	}
}

func TestSpanDay(t *testing.T) {
	start, end := clock.Date{Year: 2026, Month: 5, Day: 3}, clock.Date{Year: 2026, Month: 5, Day: 9}
	for rel, want := range map[clock.Rel]string{
		clock.At: "2026-05-03", clock.Since: "2026-05-03", clock.Until: "2026-05-09", clock.By: "2026-05-09",
	} {
		if got := (clock.Span{Start: start, End: end, Rel: rel}).Day(); got != want {
			t.Errorf("relation %d: Day() = %s, want %s", rel, got, want)
		}
	}
}
