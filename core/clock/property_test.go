package clock_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

// The phrases of the laws below, by where they lie.
var (
	pastPhrases = []string{
		"yesterday", "last night", "the day before yesterday", "three days ago", "a week ago", "a fortnight ago", "two months ago",
		"a year ago", "half a year ago", "11 hours ago", "90 minutes ago", "last week", "last month", "last quarter", "last year",
		"the week before last", "last Monday", "last Sunday", "last weekend", "two weekends ago", "last May", "last February",
		"last summer", "last winter", "last Christmas", "last Easter", "Monday last week", "the 28th of last month",
		"the end of last month", "early last year", "the past two months", "since yesterday", "pichle hafte", "do din pehle", "pichle saal",
	}
	futurePhrases = []string{
		"tomorrow", "the day after tomorrow", "in three days", "in two weeks", "a month from now", "in a year", "in 11 hours", "next week",
		"next month", "next year", "next Monday", "next Sunday", "next weekend", "next May", "next summer", "next Christmas", "Friday next week",
		"the end of next month", "the week after next", "agle mahine",
	}
	openPhrases = []string{
		"on Monday", "on Sunday", "over the weekend", "on 3 May", "on 29 February", "on 31 December", "in January", "in June", "on the 5th", "on the 31st",
		"at Christmas", "on New Year's Eve", "at Easter", "in the summer", "in the winter", "mid-June", "late February", "at the end of March",
		"the first Monday of May", "two days before Christmas", "from 28 December to 3 January", "from Monday to Wednesday", "between 3 and 5 May",
		"by the 20th", "until Friday", "this Monday", "this Saturday", "this weekend", "this May", "this summer", "this Christmas", "kal", "parso", "25/12",
		"at the end of the month", "the week before 9 June",
	}
	zones = []string{"UTC", "Asia/Kolkata", "America/New_York", "Pacific/Apia", "Pacific/Kiritimati", "America/Havana", "Australia/Lord_Howe", "Etc/GMT+12"}
)

// moments calls f with many times of saying, most near the edges of days.
func moments(t *testing.T, f func(said time.Time, o clock.Options)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range zones {
		o := clock.Options{Zone: zone(t, name)}
		for range 60 {
			year, day := 1990+rng.IntN(60), rng.IntN(366)
			said := time.Date(year, 1, 1+day, 0, 0, 0, 0, o.Zone)
			f(said.Add(time.Duration(rng.IntN(240)-120)*time.Minute), o)
		}
		for _, edge := range []string{"2028-02-29", "2026-02-28", "2026-03-31", "2026-12-31", "2027-01-01"} {
			f(at(t, edge), o)
		}
	}
}

func TestPastIsNeverLater(t *testing.T) {
	r := newReader(t)
	moments(t, func(said time.Time, o clock.Options) {
		today := clock.DateOf(said, o.Zone)
		for _, p := range pastPhrases {
			s, ok := r.Resolve(p, said, clock.Past, o)
			if !ok || today.Before(s.Start) {
				t.Errorf("%q said on %s in %s = %s, %t; want none later", p, today, o.Zone, s, ok)
			}
		}
		for _, p := range openPhrases {
			if s, ok := r.Resolve(p, said, clock.Past, o); !ok || today.Before(s.Start) {
				t.Errorf("%q said of the past on %s in %s = %s, %t; want none later", p, today, o.Zone, s, ok)
			}
		}
	})
}

func TestFutureIsNeverOver(t *testing.T) {
	r := newReader(t)
	moments(t, func(said time.Time, o clock.Options) {
		today := clock.DateOf(said, o.Zone)
		for _, p := range append(futurePhrases, openPhrases...) {
			if s, ok := r.Resolve(p, said, clock.Future, o); !ok || s.End.Before(today) {
				t.Errorf("%q said of the future on %s in %s = %s, %t; want none over", p, today, o.Zone, s, ok)
			}
		}
	})
}

// TestLaterSayingIsNeverEarlier checks that days never go back as time goes on.
func TestLaterSayingIsNeverEarlier(t *testing.T) {
	r := newReader(t)
	o := clock.Options{Zone: zone(t, "Europe/Vienna")}
	for _, group := range []struct {
		phrases []string
		tense   clock.Tense
	}{{pastPhrases, clock.Past}, {futurePhrases, clock.Future}, {openPhrases, clock.Past}, {openPhrases, clock.Future}} {
		for _, p := range group.phrases {
			var last clock.Date
			for said := time.Date(2023, 12, 1, 23, 30, 0, 0, time.UTC); said.Year() < 2029; said = said.Add(19 * time.Hour) {
				s, ok := r.Resolve(p, said, group.tense, o)
				if !ok {
					continue
				}
				if s.Start.Before(last) {
					t.Fatalf("%q said at %s, tense %d = %s, before %s", p, said, group.tense, s, last)
				}
				last = s.Start
			}
		}
	}
}

// TestMachineZoneDoesNotMatter resolves the same under other local zones.
func TestMachineZoneDoesNotMatter(t *testing.T) {
	r := newReader(t)
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	line := "I left yesterday, in March, on 2026-05-03T23:30:00, and 11 hours ago I came back; kal aaya tha."
	want := ""
	for i, name := range zones {
		time.Local = zone(t, name)
		said := time.Unix(1_791_970_200, 0) // in time.Local
		got := found(line, r.Find(line, said, clock.Options{}))
		got += found(line, r.Find(line, said, clock.Options{Zone: zone(t, "Asia/Tokyo")}))
		if parsed, err := clock.ParseTime("2026-05-03T10:00", nil); err != nil {
			t.Fatal(err)
		} else {
			got += parsed.UTC().String() + clock.Day(said, nil)
		}
		if i > 0 && got != want {
			t.Errorf("in %s: %s\nbefore: %s", name, got, want)
		}
		want = got
	}
}

// TestEndsOfTheCalendar says everything in the first and last years there are.
func TestEndsOfTheCalendar(t *testing.T) {
	r := newReader(t)
	phrases := append(append(append([]string{"a hundred years ago", "99999 years ago", "in 99999 months", "in 9999 weeks"},
		pastPhrases...), futurePhrases...), openPhrases...)
	for _, said := range []time.Time{
		{}, time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(1, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(9998, 12, 31, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 0, 0, time.UTC), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		for _, p := range phrases {
			for tense := clock.Unknown; tense <= clock.Future; tense++ {
				s, ok := r.Resolve(p, said, tense, clock.Options{})
				if ok {
					checkSpan(t, p, s)
				}
			}
		}
	}
}

func checkSpan(t *testing.T, text string, s clock.Span) {
	t.Helper()
	for _, d := range []clock.Date{s.Start, s.End} {
		if back, err := clock.ParseDate(d.String()); err != nil || back != d {
			t.Errorf("%q has the day %v, which is none", text, d)
		}
	}
	if s.End.Before(s.Start) {
		t.Errorf("%q ends before it begins: %s", text, s)
	}
}

func FuzzFind(f *testing.F) {
	for _, group := range [][]string{pastPhrases, futurePhrases, openPhrases} {
		for _, p := range group {
			f.Add("I was there "+p+", and will be.", int64(1_791_970_200), uint8(0))
		}
	}
	f.Add("a.m. 5p.m. '’ 12:30:99 2026-05-03T10:00Z–1/2/3 \xff kal से", int64(0), uint8(1))
	r := newReader(f)
	f.Fuzz(func(t *testing.T, line string, unix int64, order uint8) {
		said := time.Unix(unix%400_000_000_000, 0).UTC()
		o := clock.Options{Order: clock.DateOrder(order % 4)}
		last := 0
		for _, x := range r.Find(line, said, o) {
			if x.Start < last || x.End <= x.Start || x.End > len(line) || x.ClauseStart > x.Start || x.ClauseEnd < x.End {
				t.Fatalf("bytes %d to %d, clause %d to %d, after %d in %q", x.Start, x.End, x.ClauseStart, x.ClauseEnd, last, line)
			}
			last = x.End
			if x.Resolved {
				checkSpan(t, line, x.Span)
			}
		}
		if s, ok := r.Resolve(line, said, clock.Tense(order%4), o); ok {
			checkSpan(t, line, s)
		}
		r.Locate(line, line[:len(line)/2], said, o)
		r.Tense(line)
	})
}
