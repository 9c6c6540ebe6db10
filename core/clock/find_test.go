package clock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

// found writes what Find returns as "words=days", "?" where unresolved.
func found(line string, fs []clock.Found) string {
	var out []string
	for _, f := range fs {
		days := show(f.Span, f.Resolved)
		if !f.Resolved {
			days = "?"
		}
		out = append(out, line[f.Start:f.End]+"="+days)
	}
	return strings.Join(out, "; ")
}

// TestFind has lines said on Thursday, 15 October 2026.
func TestFind(t *testing.T) {
	r := newReader(t)
	said := at(t, "2026-10-15")
	for _, c := range []struct{ line, want string }{
		{"I live in Aveiro.", ""},
		{"I moved to Utrecht yesterday.", "yesterday=2026-10-14"},
		{"I moved from Leuven to Malmö on 3 May 2026.", "on 3 May 2026=2026-05-03"},
		{"My welding exam is in two weeks.", "in two weeks=2026-10-29"},
		{"I finished the book in two weeks.", "in two weeks=?"},
		{"I booked a flight that leaves in two weeks.", "in two weeks=2026-10-29"},
		{"The lease runs out at the end of this month.", "at the end of this month=2026-10-31"},
		{"Where did I live in March 2025?", "in March 2025=2025-03"},
		{"I moved to Kochi today.", "today=2026-10-15"},
		{"I started ten years ago and left last year.", "ten years ago=2016-10-15; last year=2025"},
		{"I have lived here since March.", "since March=since 2026-03"},
		{"I lived there until March.", "until March=until 2026-03"},
		{"I'll have it by the end of the week.", "by the end of the week=by 2026-10-18"},
		{"Monday's meeting was long.", "Monday's=2026-10-12"},
		{"Last week's storm broke the mast.", "Last week's=2026-10-05/2026-10-11"},
		{"Last\nweek it rained.", "Last\nweek=2026-10-05/2026-10-11"},
		{"It rained last\n\nweek is over.", ""},
		{"We will meet on Friday, 23 October, at 5pm.", "on Friday, 23 October, at 5pm=2026-10-23"},
		{"The party is at 5 p.m. on Friday.", "at 5 p.m. on Friday=2026-10-16"},
		{"I sent it (on 3 May) to Ilka.", "on 3 May=2026-05-03"},
		{"“I left yesterday,” she said.", "yesterday=2026-10-14"},
		{"He’s leaving in a week’s time.", "in a week’s time=2026-10-22"},
		{"YESTERDAY I FELL.", "YESTERDAY=2026-10-14"},
		{"Logged 2026-05-03T23:30:00Z by cron.", "2026-05-03T23:30:00Z=2026-05-03"},
		// The tense of the clause decides.
		{"I was born on 12 November.", "on 12 November=2025-11-12"},
		{"The deadline is 12 November.", "12 November=2026-11-12"},
		{"I've got an exam on Friday.", "on Friday=2026-10-16"},
		{"I got an exam back on Friday.", "on Friday=2026-10-09"},
		{"It is scheduled for the last Friday of November.", "for the last Friday of November=2026-11-27"},
		{"The meeting was moved to Friday.", "to Friday=2026-10-16"},
		{"I booked a table for Saturday.", "for Saturday=2026-10-17"},
		{"I went home for Christmas.", "for Christmas=2025-12-25"},
		{"On Monday, I signed the lease.", "On Monday=2026-10-12"},
		{"I saw Ilka on Monday and will see her again on Friday.", "on Monday=2026-10-12; on Friday=2026-10-16"},
		{"I will call Jens, who moved out on Monday.", "on Monday=2026-10-12"},
		{"I left because the fair starts on Monday.", "on Monday=2026-10-19"},
		{"We are going to sail on Sunday.", "on Sunday=2026-10-18"},
		{"I used to sail. On Sunday it was windy.", "On Sunday=2026-10-11"},
		{"We used to row until June.", "until June=until 2026-06"},
		{"I have to renew it in November.", "in November=2026-11"},
		{"I put the boxes there on Monday.", "on Monday=2026-10-19"},
		{"The new shelf arrived Monday.", "Monday=2026-10-12"},
		// Habits and vague times are found and have no day.
		{"I swim every Monday.", "every Monday=?"},
		{"I swim on Mondays and Fridays.", "on Mondays=?; Fridays=?"},
		{"I work Monday to Friday.", "Monday to Friday=?"},
		{"A few days ago I bought a kettle.", "A few days ago=?"},
		{"I will go before Christmas.", "before Christmas=?"},
		{"I ski in the winter.", "in the winter=?"},
		{"I met him the other day.", "the other day=?"},
		{"Dentist on 08/10.", "on 08/10=?"},
		// What only looks like a time.
		{"I have 8 cats and 12 hens.", ""},
		{"I loved the 90s.", ""},
		{"It's on the 5th floor.", ""},
		{"This is my 2nd try, on the second attempt.", ""},
		{"Our Christmas tree is big.", ""},
		{"I may go, and you may stay.", ""},
		{"At least 5 may come.", ""},
		{"I march 3 miles.", ""},
		{"I sat on a sun chair and we wed.", ""},
		{"He sat me down.", ""},
		{"My friends April and June love spring rolls.", ""},
		{"I bought it for June.", ""},
		{"Give the Monday team a call.", ""},
		{"In 2000 words or less.", ""},
		{"24/7 support, 10/10, 1/2 cup, 3/4 done", ""},
		{"Call 555-0199 or 2026-1999.", ""},
		{"Version 2.3.2026.1 and v1.5.2020, host 10.0.0.1", ""},
		{"See https://example.org/2019/05/03/post and /var/log/2026-05-03.log", ""},
		{"Badge 4471 is not 4417.", ""},
		{"It took two weeks. It lasted three days.", ""},
		{"1.5 years ago", "years ago=?"},
		{"This is week two.", ""},
		{"That is it, do it.", ""},
		{"I had a week bad enough.", ""},
		{"Take a second, then a minute.", ""},
		{"It costs $2019 and 12% of 5k.", ""},
		{"in 2019-style letters", ""},
		// Hindi, and both in one line.
		{"Kal maine scooter ki service karwayi thi.", "Kal=2026-10-14"},
		{"Kal main Pune jaunga.", "Kal=2026-10-16"},
		{"Kal meri shaadi hai.", "Kal=2026-10-16"},
		{"Kal I went to the dentist.", "Kal=2026-10-14"},
		{"Kal the office will be closed.", "Kal=2026-10-16"},
		{"Kal.", "Kal=?"},
		{"Parso hum milenge.", "Parso=2026-10-17"},
		{"do din pehle maine phone kharida.", "do din pehle=2026-10-13"},
		{"Pichle hafte main Delhi gaya tha.", "Pichle hafte=2026-10-05/2026-10-11"},
		{"Agle mahine exam hoga.", "Agle mahine=2026-11"},
		{"March mein shaadi thi.", "March mein=2026-03"},
		{"Monday ko mera interview hai.", "Monday ko=2026-10-19"},
		{"Monday ko interview hua tha.", "Monday ko=2026-10-12"},
		{"Main 2019 se Pune mein rehta hoon.", "2019 se=since 2019"},
		{"कल मैंने किताब पढ़ी थी।", "कल=2026-10-14"},
		{"कल मैं शिमला जाऊँगा।", "कल=2026-10-16"},
		{"कल मैं शिमला जाऊंगा।", "कल=2026-10-16"},
		{"कल हम घूमने जाएँगे।", "कल=2026-10-16"},
		{"कल छुट्टी है।", "कल=2026-10-16"},
		{"कल रात मैं सो नहीं पाया।", "कल रात=2026-10-14"},
		{"परसों हमने नाव बेची।", "परसों=2026-10-13"},
		{"पिछले हफ्ते बारिश हुई।", "पिछले हफ्ते=2026-10-05/2026-10-11"},
		{"तीन दिन पहले मैं गिरा।", "तीन दिन पहले=2026-10-12"},
		{"दो हफ़्ते बाद परीक्षा है।", "दो हफ़्ते बाद=2026-10-29"},
		{"5 मई 2025 को हमने घर बेचा।", "5 मई 2025 को=2025-05-05"},
		{"आजकल मैं व्यस्त हूँ।", "आजकल=?"},
	} {
		if got := found(c.line, r.Find(c.line, said, clock.Options{})); got != c.want {
			t.Errorf("Find(%q) = %q, want %q", c.line, got, c.want)
		}
	}
}

func TestFindGivesTheClause(t *testing.T) {
	r := newReader(t)
	line := "I saw Ilka on Monday, and she will sail on Friday."
	fs := r.Find(line, at(t, "2026-10-15"), clock.Options{})
	want := []struct {
		clause string
		tense  clock.Tense
	}{{"I saw Ilka on Monday", clock.Past}, {"and she will sail on Friday", clock.Future}}
	if len(fs) != len(want) {
		t.Fatalf("Find(%q) found %d, want %d", line, len(fs), len(want))
	}
	for i, f := range fs {
		if clause := line[f.ClauseStart:f.ClauseEnd]; clause != want[i].clause || f.Tense != want[i].tense {
			t.Errorf("expression %d is in %q, tense %d; want %q, %d", i, clause, f.Tense, want[i].clause, want[i].tense)
		}
	}
}

func TestLocate(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ line, phrase, said, want string }{
		{"Kal maine scooter ki service karwayi thi.", "kal", "2026-10-15", "2026-10-14"},
		{"My exam is  in two\tweeks.", "in two weeks", "2026-10-15", "2026-10-29"},
		{"I went there in May last year.", "last year", "2026-10-15", "2025-05"},
		{"We met last Tuesday at the gym.", "last Tuesday at the gym", "2026-10-15", "2026-10-13"},
		{"We met there.", "last Tuesday", "2026-10-15", none},
		{"It was in may.", "in may", "2026-10-15", "2026-05"},
		{"Party 3 may, at home.", "3 may", "2026-10-15", "2026-05-03"},
		{"We met last Tuesday or last Friday.", "last Tuesday or last Friday", "2026-10-15", none},
		{"We met a few days ago.", "a few days ago", "2026-10-15", none},
		{"We met.", "", "2026-10-15", none},
		{"We met again, soon after.", "again", "2026-10-15", none},
	} {
		f, ok := r.Locate(c.line, c.phrase, at(t, c.said), clock.Options{})
		if got := show(f.Span, ok); got != c.want {
			t.Errorf("Locate(%q, %q) = %q, want %q", c.line, c.phrase, got, c.want)
		}
	}
}

func TestTense(t *testing.T) {
	r := newReader(t)
	for line, want := range map[string]clock.Tense{
		"I moved to Cork.":            clock.Past,
		"I will move to Cork.":        clock.Future,
		"I'll move to Cork.":          clock.Future,
		"I live in Cork.":             clock.Present,
		"The office is closed.":       clock.Present,
		"Office hours.":               clock.Unknown,
		"I need a red bed.":           clock.Present,
		"She's gone.":                 clock.Past,
		"Kal baarish hogi.":           clock.Future,
		"Main kal Pune gaya tha.":     clock.Past,
		"We used to live in Cork.":    clock.Past,
		"I am going to live in Cork.": clock.Future,
	} {
		if got := r.Tense(line); got != want {
			t.Errorf("Tense(%q) = %d, want %d", line, got, want)
		}
	}
}

// TestZones checks days where the clock, the zone or the hemisphere matter.
func TestZones(t *testing.T) {
	r := newReader(t)
	for _, c := range []struct{ zone, said, phrase, want string }{
		{"Asia/Kolkata", "2026-05-09T19:45:00Z", "today", "2026-05-10"},
		{"America/New_York", "2026-03-09T00:30:00-04:00", "yesterday", "2026-03-08"},
		{"America/New_York", "2026-11-02T00:30:00-05:00", "yesterday", "2026-11-01"},
		{"America/Havana", "2026-03-09T10:00:00-04:00", "yesterday", "2026-03-08"},
		{"America/Havana", "2026-03-08T10:00:00-04:00", "tomorrow", "2026-03-09"},
		{"America/New_York", "2026-03-08T03:30:00-04:00", "two hours ago", "2026-03-08"},
		{"America/New_York", "2026-03-08T03:30:00-04:00", "three hours ago", "2026-03-07"},
		{"America/New_York", "2026-11-01T01:30:00-05:00", "two hours ago", "2026-11-01"},
		{"Europe/Vienna", "2026-03-29T12:00:00+02:00", "a week ago", "2026-03-22"},
		{"Europe/Vienna", "2026-03-17T18:00:00+01:00", "last Tuesday", "2026-03-10"},
		{"Asia/Kolkata", "2026-05-20T10:00:00Z", "2026-05-03T23:30:00Z", "2026-05-04"},
		{"Asia/Kolkata", "2026-05-20T10:00:00Z", "2026-05-03T23:30:00", "2026-05-03"},
		{"Pacific/Apia", "2011-12-31T10:00:00+14:00", "yesterday", "2011-12-30"},
		{"Pacific/Kiritimati", "2026-05-03T11:00:00Z", "today", "2026-05-04"},
		{"Etc/GMT+12", "2026-05-03T11:00:00Z", "today", "2026-05-02"},
		{"Australia/Sydney", "2026-10-15T10:00:00Z", "in the summer of 2019", "2019-12-01/2020-02-29"},
		{"America/Argentina/Ushuaia", "2026-10-15T10:00:00Z", "last winter", "2026-06-01/2026-08-31"},
		{"Europe/Rome", "2026-10-15T10:00:00Z", "last winter", "2025-12-01/2026-02-28"},
	} {
		said, err := time.Parse(time.RFC3339, c.said)
		if err != nil {
			t.Fatal(err)
		}
		o := clock.Options{Zone: zone(t, c.zone)}
		if got := show(r.Resolve(c.phrase, said, clock.Past, o)); got != c.want {
			t.Errorf("Resolve(%q) said %s in %s = %q, want %q", c.phrase, c.said, c.zone, got, c.want)
		}
	}
}
