package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

func TestPrintFound(t *testing.T) {
	at := time.Date(2026, 5, 1, 23, 30, 0, 0, time.UTC)
	found := &engine.Found{
		States: []engine.Item{{ID: 3, Kind: engine.ItemState, Score: 1.5, Text: "user · home city: Lisbon"}},
		Events: []engine.Item{{ID: 4, Kind: engine.ItemEvent, Score: 0.25, Text: "moved\nhouse", Event: &engine.Event{Start: "2026-05-01"}}},
		Passages: []engine.Item{
			{ID: 2, Episode: 1, Kind: engine.ItemPassage, Score: 12.3456, Text: "I live in Pune.", Role: core.RoleUser, At: at, Outdated: []engine.Outdated{{Now: "user · home city: Lisbon"}}},
			{ID: 6, Episode: 5, Kind: engine.ItemPassage, Text: "red \x1b[31malert", Speaker: "Ann", At: at},
		},
		Notes: []engine.Note{{Stage: "vector", Text: "left out"}},
	}
	for _, c := range []struct {
		name, out, err string
		found          *engine.Found
	}{
		{"nothing", "", "nothing found\n", &engine.Found{}},
		{
			"something", `     3  state   0.122  user · home city: Lisbon
     4  event   0.020  2026-05-01 moved house
     1  line    1.000  2026-05-02 user: I live in Pune. [outdated: now user · home city: Lisbon]
     5  line    0.000  2026-05-02 Ann: red �[31malert
`, "note: vector: left out\n", found,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			a := newApp(Process{Stdout: &out, Stderr: &errs})
			if err := a.printFound(c.found, time.FixedZone("", 3600)); err != nil {
				t.Fatal(err)
			}
			if err := a.out.Flush(); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.out || errs.String() != c.err {
				t.Errorf("printed\n%s\nand said %q, want\n%s\nand %q", &out, &errs, c.out, c.err)
			}
		})
	}
}
