package clock_test

import (
	"testing"

	"github.com/orma-memory/orma/core/clock"
)

// TestResolveDates has phrases that name their days, said on Thursday,
// 15 October 2026.
func TestResolveDates(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, c := range []struct{ phrase, want string }{
		{"3 May 2026", "2026-05-03"},
		{"on 3 May 2026", "2026-05-03"},
		{"on the 3rd of May, 2026", "2026-05-03"},
		{"May 3, 2026", "2026-05-03"},
		{"May 3rd 2026", "2026-05-03"},
		{"Sunday, 3 May 2026", "2026-05-03"},
		{"Sun. 3 May 2026", "2026-05-03"},
		{"the twenty-third of June 2019", "2019-06-23"},
		{"June twenty-third 2019", "2019-06-23"},
		{"the first of January 2000", "2000-01-01"},
		{"14 July 2026", "2026-07-14"},
		{"Jan. 5 2027", "2027-01-05"},
		{"5 sept 2020", "2020-09-05"},
		{"on 3 may 2026 at 5pm", "2026-05-03"},
		{"the evening of 3 May 2026", "2026-05-03"},
		{"at 17:30 on 3 May 2026", "2026-05-03"},
		{"29 February 2024", "2024-02-29"},
		{"29 February 2026", none},
		{"31 April 2026", none},
		{"31 April", none},
		{"30 February", none},
		{"3 May last year", "2025-05-03"},
		{"May 3rd of next year", "2027-05-03"},
		{"the 5th of last month", "2026-09-05"},
		{"the 31st of last month", none},
		{"the 5th of next month", "2026-11-05"},
		{"on the 20th of this month", "2026-10-20"},
		// Digits.
		{"2026-05-03", "2026-05-03"},
		{"on 2026-05-03", "2026-05-03"},
		{"2026/05/03", "2026-05-03"},
		{"2026-05", "2026-05"},
		{"2026-02-29", none},
		{"2026-13-01", none},
		{"2026-05-03T10:00", "2026-05-03"},
		{"2026-05-03 10:00", "2026-05-03"},
		{"2026-05-03T23:30:00Z", "2026-05-03"},
		{"2026-05-03T23:30:00-05:00", "2026-05-04"},
		{"25/12/2026", "2026-12-25"},
		{"12/25/2026", "2026-12-25"},
		{"25.12.2026", "2026-12-25"},
		{"25-12-2026", "2026-12-25"},
		{"08/10/2026", none},
		{"08/08/2026", "2026-08-08"},
		{"08/10", none},
		{"8", none},
		{"2026", "2026"},
		{"10/10/10/10", none},
		{"10.0.0.1", none},
		{"2.5", none},
		// Months, quarters, seasons, holidays and years.
		{"May 2019", "2019-05"},
		{"in March, 2025", "2025-03"},
		{"May of last year", "2025-05"},
		{"last year in May", "2025-05"},
		{"May next year", "2027-05"},
		{"the month of May 2019", "2019-05"},
		{"in 2019", "2019"},
		{"back in 2019", "2019"},
		{"the year 1999", "1999"},
		{"Q3 2025", "2025-07-01/2025-09-30"},
		{"the first quarter of 2026", "2026-01-01/2026-03-31"},
		{"in the summer of 2019", "2019-06-01/2019-08-31"},
		{"winter 2019", "2019-12-01/2020-02-29"},
		{"summer last year", "2025-06-01/2025-08-31"},
		{"Christmas 2020", "2020-12-25"},
		{"Christmas Eve 2020", "2020-12-24"},
		{"Easter 2024", "2024-03-31"},
		{"Good Friday 2024", "2024-03-29"},
		{"Easter Monday 2011", "2011-04-25"},
		{"Thanksgiving 2025", "2025-11-27"},
		{"Black Friday 2025", "2025-11-28"},
		{"Diwali 2024", "2024-10-31"},
		{"Diwali 1990", none},
		{"Holi 2025", "2025-03-14"},
		{"New Year's Eve 1999", "1999-12-31"},
		{"the fourth Thursday of November 2026", "2026-11-26"},
		{"the last Friday of November 2026", "2026-11-27"},
		{"the fifth Monday of February 2026", none},
		{"the first week of May 2026", "2026-05-01/2026-05-07"},
		{"the last week of May 2026", "2026-05-25/2026-05-31"},
		{"the second weekend of May 2026", "2026-05-09/2026-05-10"},
		{"the last day of February 2028", "2028-02-29"},
		{"the last day of the month", "2026-09-30"},
		// Pieces.
		{"at the end of this month", "2026-10-31"},
		{"at the end of last month", "2026-09-30"},
		{"the start of next month", "2026-11-01"},
		{"the end of 2019", "2019-12-31"},
		{"the beginning of last year", "2025-01-01"},
		{"the middle of May 2026", "2026-05-11/2026-05-20"},
		{"early May 2026", "2026-05-01/2026-05-10"},
		{"late February 2026", "2026-02-21/2026-02-28"},
		{"mid-2019", "2019-05-01/2019-08-31"},
		{"in early 2019", "2019-01-01/2019-04-30"},
		{"late last year", "2025-09-01/2025-12-31"},
		{"late in the summer of 2019", "2019-08-01/2019-08-31"},
		{"the week of 3 May 2026", "2026-04-27/2026-05-03"},
		{"the week before 9 June 2023", "2023-05-29/2023-06-04"},
		{"the day after 28 February 2026", "2026-03-01"},
		{"three days after Easter 2024", "2024-04-03"},
		{"two weeks before 1 January 2026", "2025-12-18"},
		{"a month after 31 January 2026", "2026-02-28"},
		{"the Friday before Christmas 2026", "2026-12-18"},
		{"the Monday after 3 May 2026", "2026-05-04"},
		{"the year after 2019", "2020"},
		// Ranges.
		{"from 3 to 5 May 2026", "2026-05-03/2026-05-05"},
		{"3-5 May 2026", "2026-05-03/2026-05-05"},
		{"3–5 May 2026", "2026-05-03/2026-05-05"},
		{"May 3-5, 2026", "2026-05-03/2026-05-05"},
		{"between 3 and 5 May 2026", "2026-05-03/2026-05-05"},
		{"from 28 April to 3 May 2026", "2026-04-28/2026-05-03"},
		{"28 December to 3 January 2026", "2025-12-28/2026-01-03"},
		{"2026-05-03 to 2026-05-05", "2026-05-03/2026-05-05"},
		{"from 2015 to 2018", "2015-01-01/2018-12-31"},
		{"between 2015 and 2018", "2015-01-01/2018-12-31"},
		{"from March to May 2019", "2019-03-01/2019-05-31"},
		{"from November to January 2020", "2019-11-01/2020-01-31"},
		{"from 5 May 2026 to 3 May 2026", none},
		{"5 to 3 May 2026", none},
		{"next Monday to Wednesday", "2026-10-19/2026-10-21"},
		{"from last Friday to Sunday", "2026-10-09/2026-10-11"},
		// Relations.
		{"since 3 May 2026", "since 2026-05-03"},
		{"ever since last summer", "since 2026-06-01/2026-08-31"},
		{"as of 2026-01-01", "since 2026-01-01"},
		{"from 1 June 2026 on", "since 2026-06-01"},
		{"from last weekend", "2026-10-10/2026-10-11"},
		{"until 3 May 2026", "until 2026-05-03"},
		{"by the end of 2026", "by 2026-12-31"},
		{"before Christmas 2026", none},
		{"after 3 May 2026", none},
		{"around 3 May 2026", "~2026-05-03"},
		{"around Christmas 2020", "~2020-12-25"},
	} {
		if got := show(r.Resolve(c.phrase, said, clock.Past, clock.Options{})); got != c.want {
			t.Errorf("Resolve(%q) = %q, want %q", c.phrase, got, c.want)
		}
	}
}

func TestResolveHindi(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, c := range []struct{ phrase, want string }{
		{"aaj", "2026-10-15"},
		{"aaj subah", "2026-10-15"},
		{"do din pehle", "2026-10-13"},
		{"teen hafte pehle", "2026-09-24"},
		{"ek mahina pehle", "2026-09-15"},
		{"paanch saal pehle", "2021-10-15"},
		{"2 weeks pehle", "2026-10-01"},
		{"pichle hafte", "2026-10-05/2026-10-11"},
		{"pichhle mahine", "2026-09"},
		{"pichle saal", "2025"},
		{"agle hafte", "2026-10-19/2026-10-25"},
		{"agle mahine", "2026-11"},
		{"is hafte", "2026-10-12/2026-10-18"},
		{"is saal", "2026"},
		{"pichle somvaar", "2026-10-12"},
		{"pichle Monday ko", "2026-10-12"},
		{"agle shukravaar ko", "2026-10-16"},
		{"3 May ko", "2026-05-03"},
		{"March mein", "2026-03"},
		{"2019 mein", "2019"},
		{"March se", "since 2026-03"},
		{"pichle saal se", "since 2025"},
		{"somvaar se budhvaar tak", "2026-10-12/2026-10-14"},
		{"pichle Diwali par", "2025-10-20"},
		{"mahine ke ant mein", "2026-09-30"},
		{"teen din se", "2026-10-12/2026-10-15"},
		{"5 tareekh ko", "2026-10-05"},
		{"kuch din pehle", none},
		{"har somvaar", none},
		{"aaj kal", none},
	} {
		if got := show(r.Resolve(c.phrase, said, clock.Past, clock.Options{})); got != c.want {
			t.Errorf("Resolve(%q) = %q, want %q", c.phrase, got, c.want)
		}
	}
}

// TestResolveNever has what looks like a time and gives no day.
func TestResolveNever(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, phrase := range []string{
		"", " ", "?", "the 90s", "the nineties", "in the 1990s", "8", "42", "soon", "some day", "one day", "the other day", "recently",
		"lately", "a few days ago", "several weeks ago", "a few years back", "in a few days", "many years ago", "some time ago", "long ago",
		"years ago", "two or three weeks ago", "two to three weeks ago", "more than a year ago", "over two years ago", "two decades ago",
		"1.5 years ago", "two and a half weeks ago", "every Monday", "on Mondays", "each week", "every other Friday", "twice a week",
		"Monday nights", "these days", "a Monday", "the second", "the 8th floor", "last", "next", "this", "week", "for two weeks", "two weeks",
		"two days later", "before that", "after the war", "when I was young", "at noon", "at 5pm", "17:30", "5 May be", "in 300", "in 2500",
		"Monday meeting", "March of the penguins", "spring onions", "00/00", "13/13", "32/1", "0 May", "99 May", "v2.3.2026", "the 40th",
		"last days", "last weeks", "next months", "within two weeks", "at the weekend house", "in the new year", "2026-00-10", "2026-10-00",
	} {
		for tense := clock.Unknown; tense <= clock.Future; tense++ {
			if s, ok := r.Resolve(phrase, said, tense, clock.Options{}); ok {
				t.Errorf("Resolve(%q, tense %d) = %q, want nothing", phrase, tense, s)
			}
		}
	}
}

func TestResolveOrder(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, c := range []struct{ phrase, any, dmy, mdy, ymd string }{
		{"08/10", none, "2026-10-08", "2026-08-10", "2026-08-10"},
		{"on 08/10", none, "2026-10-08", "2026-08-10", "2026-08-10"},
		{"25/12", "2025-12-25", "2025-12-25", none, none},
		{"12/25", "2025-12-25", none, "2025-12-25", "2025-12-25"},
		{"08/10/2026", none, "2026-10-08", "2026-08-10", "2026-08-10"},
		{"8.10.2026", none, "2026-10-08", "2026-08-10", "2026-08-10"},
		{"08-10-2026", none, "2026-10-08", "2026-08-10", "2026-08-10"},
		{"08/10/26", none, "2026-10-08", "2026-08-10", "2008-10-26"},
		{"08/10/46", none, "1946-10-08", "1946-08-10", none},
		{"08/10/45", none, "2045-10-08", "2045-08-10", none},
		{"2026-10-08", "2026-10-08", "2026-10-08", "2026-10-08", "2026-10-08"},
		{"2026/10/08", "2026-10-08", "2026-10-08", "2026-10-08", "2026-10-08"},
	} {
		for order, want := range []string{c.any, c.dmy, c.mdy, c.ymd} {
			o := clock.Options{Order: clock.DateOrder(order)}
			if got := show(r.Resolve(c.phrase, said, clock.Past, o)); got != want {
				t.Errorf("Resolve(%q, order %d) = %q, want %q", c.phrase, order, got, want)
			}
		}
	}
}
