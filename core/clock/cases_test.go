package clock_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/clock"
)

// TestSharedCases resolves the time expressions of the shared behaviour cases
// that a model cites, and wants each day among those the case expects.
func TestSharedCases(t *testing.T) {
	shared := os.Getenv("ORMA_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(shared, "eval", "cases.json"))
	if err != nil {
		t.Skip("no shared cases: ../shared/eval/cases.json and ORMA_SHARED are missing")
	}
	var cases []struct {
		ID, Kind, TZ string
		Episodes     []struct {
			At   time.Time
			Text string
		}
		Extraction struct {
			Events []struct {
				When   string
				Quotes []string
			}
		}
		Expect struct{ Contains []any }
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	r := newReader(t)
	resolved := 0
	for _, c := range cases {
		if c.Kind != "temporal" {
			continue
		}
		loc := time.UTC
		if c.TZ != "" {
			loc = zone(t, c.TZ)
		}
		for _, e := range c.Extraction.Events {
			for _, ep := range c.Episodes {
				if len(e.Quotes) == 0 || !strings.Contains(ep.Text, e.Quotes[0]) {
					continue
				}
				f, ok := r.Locate(ep.Text, e.When, ep.At, clock.Options{Zone: loc})
				want := false
				for _, s := range c.Expect.Contains {
					want = want || s == f.Span.Day()
				}
				if !ok || !want {
					t.Errorf("%s: %q is %s, %t; want one of %v", c.ID, e.When, f.Span, ok, c.Expect.Contains)
				}
				resolved++
			}
		}
	}
	if resolved == 0 {
		t.Error("no case has a time expression")
	}
}
