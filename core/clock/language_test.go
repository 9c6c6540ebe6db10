package clock_test

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/clock"
)

// TestAnotherLanguageIsAFile reads a small language that the package does not
// have and resolves its words.
func TestAnotherLanguageIsAFile(t *testing.T) {
	italian := clock.File{Name: "it.txt", Text: `
[number]
2 = due
[unit]
week = settimana, *settimane
[weekday]
1 = lunedì
[month]
5 = maggio
[which]
-1 = scorsa, scorso
[past]
sono andato, ho
[suffix future]
erò
[pattern]
oggi => day 0
<n> <unit> fa => shift -1
[la] <unit> <which> => unit
? <weekday> => weekday near
[di] <Weekday> => weekday near
[il] <dom> <month> [<year>] => date
`}
	r, err := clock.NewReader(italian)
	if err != nil {
		t.Fatal(err)
	}
	said := at(t, "2026-10-15")
	for line, want := range map[string]string{
		"Due settimane fa ho comprato il pane.": "Due settimane fa=2026-10-01",
		"La settimana scorsa.":                  "La settimana scorsa=2026-10-05/2026-10-11",
		"Il 3 maggio ho vinto.":                 "Il 3 maggio=2026-05-03",
		"Il 3 maggio partirerò.":                "Il 3 maggio=2027-05-03",
		"LUNEDÌ ho vinto.":                      "LUNEDÌ=2026-10-12",
		"Yesterday ho vinto.":                   "Yesterday=2026-10-14",
	} {
		if got := found(line, r.Find(line, said, clock.Options{})); got != want {
			t.Errorf("Find(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestLanguageErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"word", "x.txt:1: \"word\" stands before any section"},
		{"\n[nosuch]", "x.txt:2: unknown section [nosuch]"},
		{"[month]\n13 = tredici", "x.txt:2: \"13\" is not a number from 1 to 12"},
		{"[month]\nmaggio", "x.txt:2: \"maggio\" is not of the form value = words"},
		{"[month]\n5 = maggio,,", "an empty word"},
		{"[unit]\ndecade = decennio", "\"decade\" is none of second, minute"},
		{"[unit]\n0 day = x", "does not begin with a number from 1 to 100"},
		{"[season]\nfall = x", "\"fall\" is none of spring"},
		{"[holiday]\n13-01 = x", "is none of MM-DD"},
		{"[holiday]\n2026-02-01 2025-02-01 = x", "is none of MM-DD"},
		{"[holiday]\n6 monday 1 = x", "is none of MM-DD"},
		{"[holiday]\neaster+x = x", "is none of MM-DD"},
		{"[group month]\nx", "\"month\" cannot be the name of a group"},
		{"[suffix month]\nx", "\"month\" is not a tense"},
		{"[suffix past]\na", "too short"},
		{"[include]\nfr: month", "no language \"fr\" was read before"},
		{"[include]\nen: nosuch", "unknown class \"nosuch\""},
		{"[pattern]\noggi", "is not of the form pattern => meaning"},
		{"[pattern]\noggi =>", "is not a meaning"},
		{"[pattern]\noggi => dance", "unknown meaning \"dance\""},
		{"[pattern]\noggi => day 5000", "neither a number"},
		{"[pattern]\n<nosuch> => day 0", "unknown class \"nosuch\""},
		{"[pattern]\n<date-z> => same", "unknown class <date-z>"},
		{"[pattern]\n[oggi => day 0", "is not closed"},
		{"[pattern]\noggi ] => day 0", "unexpected \"]\""},
		{"[pattern]\n[oggi] => day 0", "a pattern of 0 words"},
		{"[pattern]\n=> day 0", "a pattern of 0 words"},
		{"[pattern]\n! => day 0", "a pattern of 0 words"},
		{"[pattern]\n<date> => same", "a pattern of a date alone"},
		{"[pattern]\n" + strings.Repeat("(", 20) + "x => day 0", "nested more than 8 deep"},
		{"[pattern]\n" + strings.Repeat("(a | b) ", 13) + " => day 0", "stands for more than"},
		{"[pattern]\n" + strings.Repeat("a ", 40) + " => day 0", "a pattern of 40 words"},
	} {
		_, err := clock.NewReader(clock.File{Name: "x.txt", Text: c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a file of %q: error %v, want %q", c.text, err, c.want)
		}
	}
}
