package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// sleepRules consolidates the default space by rules.
func sleepRules(t *testing.T, m *local.Memory) {
	t.Helper()
	s, err := m.Sleeper(local.SleepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sleep(context.Background(), sleep.Run{Space: "default", Backend: "rules", Now: noon}); err != nil {
		t.Fatal(err)
	}
}

// linesWith returns the lines of a block that hold a text.
func linesWith(block, text string) []string {
	var out []string
	for line := range strings.Lines(block) {
		if strings.Contains(line, text) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// What was taken from a line that is found comes along: the day that "yesterday" was.
func TestEventOfAFoundLineComesAlong(t *testing.T) {
	m := open(t)
	add(t, m, "", engine.Input{Text: "I sold the loom yesterday.", At: noon.AddDate(0, 0, -3)})
	sleepRules(t, m)
	for _, q := range []string{"loom", "what did I sell?", "any news at all"} {
		if r := recall(t, m, "", q); strings.Contains(r.Block, "yesterday") && !strings.Contains(r.Block, "2026-05-02") {
			t.Errorf("%q: the line without its day:\n%s", q, r.Block)
		}
	}
}

// A sentence that gave two facts is marked when one of them does not hold any more,
// but not when it tells of the change itself.
func TestSentencesOfEndedFactsAreMarked(t *testing.T) {
	for _, tc := range []struct {
		name, gone string // what the marked line holds
		said       []string
		forget     string
	}{
		{name: "superseded", gone: "Deva and", said: []string{"I live in Deva and I work at Corvid.", "I moved to Arad."}},
		{name: "ended", gone: "Deva and", said: []string{"I live in Deva and I work at Corvid.", "I no longer live in Deva."}},
		{name: "forgotten", gone: "Deva and", said: []string{"I live in Deva and I work at Corvid."}, forget: "Deva"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := open(t)
			for i, text := range tc.said {
				add(t, m, "", engine.Input{Text: text, At: noon.AddDate(0, 0, i-9)})
			}
			sleepRules(t, m)
			facts, err := m.Facts(context.Background(), engine.FactsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				if tc.forget != "" && f.Value == tc.forget {
					if _, err := m.Forget(context.Background(), "", f.ID, "", time.Time{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			block := recall(t, m, "", "Where do I live and work?").Block
			lines := linesWith(block, tc.gone)
			if len(lines) != 1 || !strings.Contains(lines[0], "[outdated") {
				t.Errorf("%q is not marked:\n%s", tc.gone, block)
			}
			if len(linesWith(block, "employer: Corvid")) != 1 {
				t.Errorf("what still holds is gone:\n%s", block)
			}
			for _, text := range tc.said[1:] {
				if l := linesWith(block, text); len(l) == 1 && strings.Contains(l[0], "[outdated") {
					t.Errorf("what tells of the change is marked: %s", l[0])
				}
			}
		})
	}
}
