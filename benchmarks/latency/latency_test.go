package latency_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core/local"
)

func TestNotesAreTheSameForASeed(t *testing.T) {
	a, b := latency.NewNotes(1), latency.NewNotes(1)
	c := latency.NewNotes(2)
	same := 0
	for range 50 {
		x, y := a.Next(), b.Next()
		if x != y {
			t.Fatalf("%+v and %+v", x, y)
		}
		if z := c.Next(); x.Text == z.Text {
			same++
		}
	}
	if a.Query() != b.Query() || same > 0 {
		t.Error("queries differ, or seeds do not matter")
	}
}

// The commonest of the words should be in most notes and most words in few: what makes
// text search fast or slow.
func TestNotesFollowZipf(t *testing.T) {
	g := latency.NewNotes(1)
	in := map[string]int{}
	const notes = 2000
	total := 0
	for range notes {
		seen := map[string]bool{}
		for _, w := range strings.Fields(g.Next().Text) {
			total++
			seen[w] = true
		}
		for w := range seen {
			in[w]++
		}
	}
	top, once := 0, 0
	for _, n := range in {
		top = max(top, n)
		if n == 1 {
			once++
		}
	}
	if top < notes/2 || once < len(in)/3 {
		t.Errorf("the commonest word is in %d of %d notes, %d of %d words are in one", top, notes, once, len(in))
	}
	if mean := float64(total) / notes; mean < 22 || mean > 28 {
		t.Errorf("%.1f words a note, want about 25", mean)
	}
}

func TestRun(t *testing.T) {
	for _, spaces := range []int{0, 3} {
		run(t, spaces)
	}
}

func run(t *testing.T, spaces int) {
	t.Helper()
	cold := 0
	rs, err := latency.Run(t.Context(), latency.Options{
		Memory: local.Options{Home: t.TempDir()}, Notes: 300, Spaces: spaces, Queries: 20,
		Cold: func(context.Context, string, string) error { cold++; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []int{0}
	if spaces > 1 {
		want = append(want, spaces)
	}
	if len(rs) != len(want) {
		t.Fatalf("%d results, want %d", len(rs), len(want))
	}
	for i, r := range rs {
		if r.Notes != 300 || r.Spaces != want[i] || r.Bytes == 0 || r.Warm.P50 <= 0 || r.Append == nil || r.ImportRate <= 0 || cold == 0 || r.ColdProcess == nil {
			t.Errorf("%+v", r)
		}
		if r.Warm.P50 > r.Warm.P95 || r.Warm.P95 > r.Warm.P99 {
			t.Errorf("percentiles out of order: %+v", r.Warm)
		}
	}
}
