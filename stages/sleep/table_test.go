package sleep_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestTables reads testdata/*.txt: sentences, each said on a day of its own, and
// under them, indented, the facts and events they leave behind.
//
//	= holds    ! rule    - ended    * event
//
// "\n" in a sentence is a line break. A sentence may begin with "role:" (user, note,
// document, assistant, tool).
func TestTables(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if len(files) == 0 {
		t.Fatal("no tables")
	}
	w := newWorld(t, nil)
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) { table(t, w, f) })
	}
}

func table(t *testing.T, w *world, file string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	rows := 0
	for n, block := range strings.Split(strings.TrimRight(string(src), "\n"), "\n\n") {
		var said, want []string
		for _, l := range strings.Split(block, "\n") {
			switch {
			case strings.HasPrefix(l, "#"):
				fmt.Fprintln(&out, l)
			case strings.HasPrefix(l, "    "):
				want = append(want, strings.TrimSpace(l))
			default:
				said = append(said, l)
			}
		}
		if len(said) == 0 {
			fmt.Fprintln(&out)
			continue
		}
		rows++
		got := w.outcome(t, fmt.Sprintf("%s-%d", filepath.Base(file), n), said)
		for _, s := range said {
			fmt.Fprintln(&out, s)
		}
		for _, g := range got {
			fmt.Fprintln(&out, "    "+g)
		}
		fmt.Fprintln(&out)
		if strings.Join(got, "\n") != strings.Join(want, "\n") && !*update {
			t.Errorf("%s\n  got:\n    %s\n  want:\n    %s", strings.Join(said, "\n"), strings.Join(got, "\n    "), strings.Join(want, "\n    "))
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d rows", rows)
}

// monday is when the first sentence of a row is said.
var monday = time.Date(2026, 6, 15, 9, 0, 0, 0, time.UTC)

// outcome says the sentences, sleeps, and describes what the space holds then.
func (w *world) outcome(t *testing.T, space string, said []string) []string {
	t.Helper()
	for i, s := range said {
		s = strings.ReplaceAll(s, `\n`, "\n")
		e := core.Episode{Text: s, Session: "main", At: monday.AddDate(0, 0, i)}
		if role, rest, ok := strings.Cut(s, ": "); ok {
			switch role {
			case "user", "assistant":
				e.Role, e.Text = core.Role(role), rest
			case "note", "document", "tool":
				e.Kind, e.Text = core.Kind(role), rest
				if role == "tool" {
					e.Role = core.RoleTool
				}
			}
		}
		w.say(space, e)
	}
	if _, err := w.consolidate(space, "rules", monday.AddDate(0, 1, 0)); err != nil {
		t.Fatalf("%v: %v", said, err)
	}
	return w.describe(t, space)
}

func (w *world) describe(t *testing.T, space string) []string {
	t.Helper()
	var out []string
	for _, s := range w.states(space) {
		mark := "="
		switch {
		case !s.Closed.IsZero():
			mark = "-"
		case s.Forbidden:
			mark = "!"
		}
		l := fmt.Sprintf("%s %s | %s | %s", mark, s.Subject, strings.ReplaceAll(s.Attribute, "_", " "), s.Value)
		if s.Condition != "" {
			l += " | if " + s.Condition
		}
		switch {
		case s.ValidTo != "":
			l += " | " + s.ValidFrom + " to " + s.ValidTo
		case s.Stated:
			l += " | since " + s.ValidFrom
		}
		out = append(out, l)
	}
	events, err := w.store.Events(t.Context(), space, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		l := strings.TrimSuffix(fmt.Sprintf("* %s | %s | %s", e.Subject, e.Text, e.Start), " | ")
		if e.End != e.Start {
			l += " to " + e.End
		}
		out = append(out, l)
	}
	return out
}
