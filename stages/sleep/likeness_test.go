package sleep_test

import (
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed/static"
	sl "github.com/orma-memory/orma/core/sleep"
)

// A word may be said in another way; a name, a number or a day may not.
func TestParaphrase(t *testing.T) {
	f := &fixed{}
	for i, c := range []struct {
		line, attribute, value string
		ok                     bool
	}{
		{"The course begins in the morning.", "course", "starts in the morning", true},
		{"I have a dog.", "pet", "cat", false},
		{"My favourite drink is tea.", "favourite drink", "coffee", false},
		{"The market is on monday.", "market day", "tuesday", false},
		{"The market is on thursday.", "market day", "friday", false},
		{"I live in Lisbon.", "home city", "Porto", false},
		{"My shift starts at seven.", "shift start", "eight", false},
		{"I always lock the door.", "door", "never lock", false},
		{"I speak german.", "language", "dutch", false},
	} {
		w := newWorld(t, map[string]sl.Extractor{"fixed": f})
		s, err := sl.New(w.store, sl.Options{
			Steps: steps(t), Backends: map[string]sl.Extractor{"fixed": f}, Holder: "test", Now: w.sleepNow, Embedder: static.New(),
		})
		if err != nil {
			t.Fatal(err)
		}
		f.items = []sl.Proposal{{Subject: core.SubjectUser, Attribute: c.attribute, Value: c.value}}
		w.say("p", core.Episode{Text: c.line, At: monday})
		rep, err := s.Sleep(t.Context(), sl.Run{Space: "p", Backend: "fixed", Now: w.now})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(rep.Accepted) == 1; got != c.ok {
			t.Errorf("%d: %q for %q: accepted %v, want %v (%+v)", i, c.value, c.line, got, c.ok, rep.Rejected)
		}
	}
}
