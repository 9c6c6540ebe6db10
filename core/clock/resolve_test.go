package clock_test

import (
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

// none is what a phrase without days resolves to.
const none = ""

func newReader(t testing.TB) *clock.Reader {
	t.Helper()
	r, err := clock.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at returns ten in the morning of a day in UTC.
func at(t testing.TB, day string) time.Time {
	t.Helper()
	said, err := time.Parse("2006-01-02T15", day+"T10")
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// show is a span and its relation as the tables write them.
func show(s clock.Span, ok bool) string {
	if !ok {
		return none
	}
	text := s.String()
	if s.Approx {
		text = "~" + text
	}
	return map[clock.Rel]string{clock.Since: "since ", clock.Until: "until ", clock.By: "by "}[s.Rel] + text
}

// TestResolveByTense has a column each for the past, the present, the future
// and no tense. All are said on Thursday, 15 October 2026.
func TestResolveByTense(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, c := range []struct {
		phrase                         string
		past, present, future, unknown string
	}{
		// Weekdays: never the day itself.
		{"on Monday", "2026-10-12", "2026-10-19", "2026-10-19", "2026-10-19"},
		{"Thursday", "2026-10-08", "2026-10-22", "2026-10-22", "2026-10-22"},
		{"on Friday", "2026-10-09", "2026-10-16", "2026-10-16", "2026-10-16"},
		{"this Monday", "2026-10-12", "2026-10-12", "2026-10-19", "2026-10-12"},
		{"this Saturday", "2026-10-10", "2026-10-17", "2026-10-17", "2026-10-17"},
		{"this Thursday", "2026-10-15", "2026-10-15", "2026-10-15", "2026-10-15"},
		{"from Monday to Wednesday", "2026-10-12/2026-10-14", none, "2026-10-19/2026-10-21", none},
		{"between Friday and Sunday", "2026-10-09/2026-10-11", none, "2026-10-16/2026-10-18", none},
		{"over the weekend", "2026-10-10/2026-10-11", "2026-10-17/2026-10-18", "2026-10-17/2026-10-18", "2026-10-17/2026-10-18"},
		{"this weekend", "2026-10-10/2026-10-11", "2026-10-17/2026-10-18", "2026-10-17/2026-10-18", "2026-10-17/2026-10-18"},
		// Days and months without a year.
		{"12 November", "2025-11-12", "2026-11-12", "2026-11-12", "2026-11-12"},
		{"3 May", "2026-05-03", "2027-05-03", "2027-05-03", "2026-05-03"},
		{"15 October", "2026-10-15", "2026-10-15", "2026-10-15", "2026-10-15"},
		{"16 October", "2025-10-16", "2026-10-16", "2026-10-16", "2026-10-16"},
		{"14 October", "2026-10-14", "2027-10-14", "2027-10-14", "2026-10-14"},
		{"in November", "2025-11", "2026-11", "2026-11", "2026-11"},
		{"in October", "2026-10", "2026-10", "2026-10", "2026-10"},
		{"in September", "2026-09", "2027-09", "2027-09", "2026-09"},
		{"on the 5th", "2026-10-05", "2026-11-05", "2026-11-05", "2026-11-05"},
		{"on the 15th", "2026-10-15", "2026-10-15", "2026-10-15", "2026-10-15"},
		{"the 31st", "2026-08-31", "2026-10-31", "2026-10-31", "2026-10-31"},
		{"29 February", "2024-02-29", "2028-02-29", "2028-02-29", "2028-02-29"},
		{"from the 3rd to the 7th", "2026-10-03/2026-10-07", "2026-11-03/2026-11-07", "2026-11-03/2026-11-07", "2026-11-03/2026-11-07"},
		{"from 28 December to 3 January", "2025-12-28/2026-01-03", "2026-12-28/2027-01-03", "2026-12-28/2027-01-03", "2026-12-28/2027-01-03"},
		{"between 3 and 5 May", "2026-05-03/2026-05-05", "2027-05-03/2027-05-05", "2027-05-03/2027-05-05", "2026-05-03/2026-05-05"},
		{"from November to January", "2025-11-01/2026-01-31", "2026-11-01/2027-01-31", "2026-11-01/2027-01-31", "2026-11-01/2027-01-31"},
		// Holidays and seasons.
		{"at Christmas", "2025-12-25", "2026-12-25", "2026-12-25", "2026-12-25"},
		{"on New Year's Eve", "2025-12-31", "2026-12-31", "2026-12-31", "2026-12-31"},
		{"Diwali", "2025-10-20", "2026-11-08", "2026-11-08", "2026-11-08"},
		{"Easter", "2026-04-05", "2027-03-28", "2027-03-28", "2027-03-28"},
		{"in the summer", "2026-06-01/2026-08-31", none, "2027-06-01/2027-08-31", none},
		{"this summer", "2026-06-01/2026-08-31", "2026-06-01/2026-08-31", "2027-06-01/2027-08-31", "2026-06-01/2026-08-31"},
		{"this autumn", "2026-09-01/2026-11-30", "2026-09-01/2026-11-30", "2026-09-01/2026-11-30", "2026-09-01/2026-11-30"},
		// Pieces of what is open.
		{"mid-June", "2026-06-11/2026-06-20", "2027-06-11/2027-06-20", "2027-06-11/2027-06-20", "2026-06-11/2026-06-20"},
		{"late October", "2025-10-21/2025-10-31", "2026-10-21/2026-10-31", "2026-10-21/2026-10-31", "2026-10-21/2026-10-31"},
		{"early October", "2026-10-01/2026-10-10", "2027-10-01/2027-10-10", "2027-10-01/2027-10-10", "2026-10-01/2026-10-10"},
		{"at the end of October", "2025-10-31", "2026-10-31", "2026-10-31", "2026-10-31"},
		{"at the end of the month", "2026-09-30", "2026-10-31", "2026-10-31", "2026-10-31"},
		{"at the beginning of the month", "2026-10-01", "2026-11-01", "2026-11-01", "2026-10-01"},
		{"the first Monday of May", "2026-05-04", "2027-05-03", "2027-05-03", "2026-05-04"},
		{"two days before Christmas", "2025-12-23", "2026-12-23", "2026-12-23", "2026-12-23"},
		// Since looks back whatever the tense, until and by ahead without one.
		{"since March", "since 2026-03", "since 2026-03", "since 2026-03", "since 2026-03"},
		{"since Monday", "since 2026-10-12", "since 2026-10-12", "since 2026-10-12", "since 2026-10-12"},
		{"since November", "since 2025-11", "since 2025-11", "since 2025-11", "since 2025-11"},
		{"until Friday", "until 2026-10-09", "until 2026-10-16", "until 2026-10-16", "until 2026-10-16"},
		{"by the 20th", "by 2026-09-20", "by 2026-10-20", "by 2026-10-20", "by 2026-10-20"},
		{"to Friday", "2026-10-16", "2026-10-16", "2026-10-16", "2026-10-16"},
		{"for Christmas", "2025-12-25", "2026-12-25", "2026-12-25", "2026-12-25"},
		// In the past this is how long something took.
		{"in two weeks", none, "2026-10-29", "2026-10-29", "2026-10-29"},
		// Hindi words that point both ways.
		{"kal", "2026-10-14", "2026-10-16", "2026-10-16", none},
		{"parso", "2026-10-13", "2026-10-17", "2026-10-17", none},
		{"narson", "2026-10-12", "2026-10-18", "2026-10-18", none},
		{"kal raat", "2026-10-14", "2026-10-16", "2026-10-16", none},
		{"कल", "2026-10-14", "2026-10-16", "2026-10-16", none},
		{"somvaar ko", "2026-10-12", "2026-10-19", "2026-10-19", "2026-10-19"},
		{"Diwali par", "2025-10-20", "2026-11-08", "2026-11-08", "2026-11-08"},
		{"mahine ke aakhir mein", "2026-09-30", "2026-10-31", "2026-10-31", "2026-10-31"},
	} {
		for _, k := range []struct {
			tense clock.Tense
			want  string
		}{{clock.Past, c.past}, {clock.Present, c.present}, {clock.Future, c.future}, {clock.Unknown, c.unknown}} {
			if got := show(r.Resolve(c.phrase, said, k.tense, clock.Options{})); got != k.want {
				t.Errorf("Resolve(%q, tense %d) = %q, want %q", c.phrase, k.tense, got, k.want)
			}
		}
	}
}

// TestResolveWhateverTheTense has phrases that say themselves where they lie.
func TestResolveWhateverTheTense(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ said, phrase, want string }{
		{"2026-10-15", "today", "2026-10-15"},
		{"2026-10-15", "this morning", "2026-10-15"},
		{"2026-10-15", "tonight", "2026-10-15"},
		{"2026-10-15", "yesterday", "2026-10-14"},
		{"2026-10-15", "Yesterday evening", "2026-10-14"},
		{"2026-10-15", "last night", "2026-10-14"},
		{"2026-10-15", "the day before yesterday", "2026-10-13"},
		{"2026-10-15", "tomorrow at 5pm", "2026-10-16"},
		{"2026-10-15", "tomorrow, at 17:30", "2026-10-16"},
		{"2026-10-15", "at 5 p.m. tomorrow", "2026-10-16"},
		{"2026-10-15", "the day after tomorrow", "2026-10-17"},
		{"2026-01-01", "yesterday", "2025-12-31"},
		{"2026-12-31", "tomorrow", "2027-01-01"},
		{"2028-02-28", "tomorrow", "2028-02-29"},
		{"2026-02-28", "tomorrow", "2026-03-01"},
		// Units away.
		{"2026-10-15", "three days ago", "2026-10-12"},
		{"2026-10-15", "3 days ago", "2026-10-12"},
		{"2026-10-15", "a week ago", "2026-10-08"},
		{"2026-10-15", "a week ago today", "2026-10-08"},
		{"2026-10-15", "a fortnight ago", "2026-10-01"},
		{"2026-10-15", "two fortnights ago", "2026-09-17"},
		{"2026-10-15", "a couple of days ago", "2026-10-13"},
		{"2026-10-15", "couple weeks ago", "2026-10-01"},
		{"2026-10-15", "twenty-one days ago", "2026-09-24"},
		{"2026-10-15", "a hundred days ago", "2026-07-07"},
		{"2026-10-15", "a hundred and five days ago", "2026-07-02"},
		{"2026-10-15", "two hundred days ago", "2026-03-29"},
		{"2026-10-15", "1,000 days ago", "2024-01-19"},
		{"2026-10-15", "ten years ago", "2016-10-15"},
		{"2026-10-15", "10 years ago", "2016-10-15"},
		{"2026-10-15", "half a year ago", "2026-04-15"},
		{"2026-10-15", "a year and a half ago", "2025-04-15"},
		{"2026-10-15", "two and a half years ago", "2024-04-15"},
		{"2026-10-15", "three quarters ago", "2026-01-15"},
		{"2026-10-15", "about two weeks ago", "~2026-10-01"},
		{"2026-10-15", "some three months ago", "~2026-07-15"},
		{"2026-10-15", "just three days ago", "2026-10-12"},
		{"2026-10-15", "in a week's time", "2026-10-22"},
		{"2026-10-15", "in two weeks' time", "2026-10-29"},
		{"2026-10-15", "two weeks from now", "2026-10-29"},
		{"2026-10-15", "a week from tomorrow", "2026-10-23"},
		{"2026-10-15", "20 minutes ago", "2026-10-15"},
		{"2026-10-15", "11 hours ago", "2026-10-14"},
		{"2026-10-15", "2h ago", "2026-10-15"},
		{"2026-10-15", "3days ago", "2026-10-12"},
		// Months and years clamp.
		{"2028-03-31", "one month ago", "2028-02-29"},
		{"2026-03-31", "one month ago", "2026-02-28"},
		{"2026-05-31", "three months ago", "2026-02-28"},
		{"2026-10-31", "a month from now", "2026-11-30"},
		{"2028-02-29", "a year ago", "2027-02-28"},
		{"2028-02-29", "four years ago", "2024-02-29"},
		{"2028-02-29", "a year from now", "2029-02-28"},
		{"2100-03-29", "a month ago", "2100-02-28"},
		// Whole units.
		{"2026-10-15", "last week", "2026-10-05/2026-10-11"},
		{"2026-10-15", "this week", "2026-10-12/2026-10-18"},
		{"2026-10-15", "next week", "2026-10-19/2026-10-25"},
		{"2026-10-12", "last week", "2026-10-05/2026-10-11"},
		{"2026-10-18", "last week", "2026-10-05/2026-10-11"},
		{"2026-01-01", "last week", "2025-12-22/2025-12-28"},
		{"2026-10-15", "last month", "2026-09"},
		{"2026-03-31", "last month", "2026-02"},
		{"2026-01-31", "next month", "2026-02"},
		{"2026-01-02", "last month", "2025-12"},
		{"2026-10-15", "last quarter", "2026-07-01/2026-09-30"},
		{"2026-10-15", "last year", "2025"},
		{"2026-10-15", "next year", "2027"},
		{"2026-10-15", "the year before last", "2024"},
		{"2026-10-15", "the week before last", "2026-09-28/2026-10-04"},
		{"2026-10-15", "the month after next", "2026-12"},
		{"2026-10-15", "earlier this week", "2026-10-12/2026-10-18"},
		{"2026-10-15", "the past two months", "2026-08-15/2026-10-15"},
		{"2026-10-15", "over the last 10 days", "2026-10-05/2026-10-15"},
		{"2026-10-15", "the past week", "2026-10-08/2026-10-15"},
		{"2026-10-15", "the next two weeks", "2026-10-15/2026-10-29"},
		// Weekdays.
		{"2026-03-17", "last Tuesday", "2026-03-10"},
		{"2026-03-17", "next Tuesday", "2026-03-24"},
		{"2026-10-15", "last Saturday", "2026-10-10"},
		{"2026-10-15", "last Sat", "2026-10-10"},
		{"2026-10-15", "next Friday", "2026-10-16"},
		{"2026-10-15", "this coming Friday", "2026-10-16"},
		{"2026-10-15", "this past Friday", "2026-10-09"},
		{"2026-10-15", "Monday last week", "2026-10-05"},
		{"2026-10-15", "on Monday of last week", "2026-10-05"},
		{"2026-10-15", "last week on Friday", "2026-10-09"},
		{"2026-10-15", "Friday next week", "2026-10-23"},
		{"2026-10-15", "the Friday after next", "2026-10-23"},
		{"2026-10-15", "the Monday before last", "2026-10-05"},
		{"2026-10-15", "Tuesday two weeks ago", "2026-09-29"},
		{"2026-10-15", "two weeks ago on Tuesday", "2026-09-29"},
		{"2026-10-15", "last Friday night", "2026-10-09"},
		{"2026-10-15", "last weekend", "2026-10-10/2026-10-11"},
		{"2026-10-11", "last weekend", "2026-10-03/2026-10-04"},
		{"2026-10-15", "two weekends ago", "2026-10-03/2026-10-04"},
		{"2026-10-15", "the weekend before last", "2026-10-03/2026-10-04"},
		{"2026-10-15", "next weekend", "2026-10-17/2026-10-18"},
		// Last and next of what comes once a year.
		{"2026-10-15", "last March", "2026-03"},
		{"2026-10-15", "last November", "2025-11"},
		{"2026-10-15", "last October", "2025-10"},
		{"2026-10-15", "next October", "2027-10"},
		{"2026-10-15", "next May", "2027-05"},
		{"2026-10-15", "last summer", "2026-06-01/2026-08-31"},
		{"2026-07-15", "last summer", "2025-06-01/2025-08-31"},
		{"2026-01-15", "last winter", "2024-12-01/2025-02-28"},
		{"2026-10-15", "next spring", "2027-03-01/2027-05-31"},
		{"2026-10-15", "last Christmas", "2025-12-25"},
		{"2026-10-15", "last Diwali", "2025-10-20"},
		{"2026-11-08", "next Diwali", "2027-10-29"},
		{"2026-10-15", "next Easter", "2027-03-28"},
	} {
		for tense := clock.Unknown; tense <= clock.Future; tense++ {
			if got := show(r.Resolve(c.phrase, at(t, c.said), tense, clock.Options{})); got != c.want {
				t.Errorf("Resolve(%q, %s, tense %d) = %q, want %q", c.phrase, c.said, tense, got, c.want)
			}
		}
	}
}
