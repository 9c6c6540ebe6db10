package clock

import (
	"testing"
	"time"
)

// FuzzLanguage reads language files from outside, alone for speed, and uses
// what they say.
func FuzzLanguage(f *testing.F) {
	f.Add("[unit]\nweek = settimana\n[pattern]\n<n> <unit> fa => shift -1\n! [la] (a | b) <which> => unit")
	f.Add("[holiday]\neaster-2 = x, y z\n[pattern]\n<date> x => range\n?o! <holiday> => date near\n<date> <date> => from 1")
	f.Add("[weekday]\n1 = x\n[month]\n2=y\n[number]\n3=a b\n[pattern]\n<x> => none\n<weekday> => weekday near 1000\n<n> <dom> <month> => domrange")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		r, err := newReader([]File{{Name: "x.txt", Text: text}})
		if err != nil {
			return
		}
		said := time.Date(2026, 10, 15, 10, 0, 0, 0, time.UTC)
		for _, x := range r.Find(text+" x y a b x 3 x fa", said, Options{}) {
			if x.Resolved && !x.Span.ok() {
				t.Errorf("%q: %v", text, x.Span)
			}
		}
	})
}
