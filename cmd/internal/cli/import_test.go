package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

// TestAnImportIsTakenBack does what import says, for histories of one source and of some:
// what was there before is there again, and nothing else.
func TestAnImportIsTakenBack(t *testing.T) {
	rows := func(sources ...string) string {
		var b strings.Builder
		for i, s := range sources {
			fmt.Fprintf(&b, `{"text": "My friend Friend%c lives in Bergen.", "source": %q, "at": "2026-01-02"}`+"\n", 'a'+i, s)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, rows string
		commands   int
	}{
		{"one", rows("chatgpt", "chatgpt"), 1},
		{"none named", `{"text": "I live in Pune."}`, 1},
		{"some", rows("a b", "it's", "$c"), 3},
		{"some that begin alike", rows("notes/1", "notes/2", "notes/3", "notes/4", "notes"), 5},
		{"two spaces", `{"text": "I live in Pune.", "source": "x"}` + "\n" + `{"text": "I live in Pune.", "source": "x", "space": "other one"}`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			h.ok("add", "I drink tea.")
			h.ok("sleep")
			before := h.exported("default")
			r := h.run("import", h.file("history.jsonl", c.rows))
			if r.code != 0 {
				t.Fatal(r.err)
			}
			h.ok("sleep")
			commands := regexp.MustCompile(`(?m): orma (erase .*)$`).FindAllStringSubmatch(r.err, -1)
			if len(commands) != c.commands {
				t.Fatalf("%d commands: %s", len(commands), r.err)
			}
			for _, m := range commands {
				words := shellWords(m[1])
				if dry := h.ok(append(slices.Clone(words), "--dry-run")...); !strings.HasPrefix(dry, "would erase ") || strings.HasPrefix(dry, "would erase 0 ") {
					t.Errorf("%q would: %s", words, dry)
				}
				if r := h.run(words...); r.code != 2 || !strings.Contains(r.err, "--yes") {
					t.Errorf("%q unasked: %d %s", words, r.code, r.err)
				}
				var rc core.Receipt
				h.json(&rc, append(words, "--yes")...)
				if len(rc.Episodes) == 0 || !rc.Clean {
					t.Errorf("%q: %+v", words, rc)
				}
			}
			if after := h.exported("default"); !slices.Equal(after, before) {
				t.Errorf("left %q, want %q", after, before)
			}
			if got := h.ok("facts"); strings.Contains(got, "Bergen") || strings.Contains(got, "Pune") {
				t.Errorf("facts that are left: %s", got)
			}
		})
	}
}

// Where a command would remove more than what was imported, none is printed, but why.
func TestNoUndoThatTakesMore(t *testing.T) {
	row := func(text, source string) string {
		return fmt.Sprintf(`{"text": %q, "source": %q, "at": "2026-01-02"}`+"\n", text, source)
	}
	var many string
	for i := range 6 {
		many += row(fmt.Sprintf("Line %d.", i), fmt.Sprintf("file:%d", i))
	}
	for _, c := range []struct{ name, rows, want string }{
		{"many", many, "6 sources"},
		{"was there before", row("I like rain.", "old"), "old had episodes in space default before"},
		{"was there before, and comes again", row("I drink tea.", "old") + row("I like rain.", "old"), "old had episodes in space default before"},
		{"a name that is a pattern", row("I like rain.", "ol*"), `"ol*" cannot be erased by name`},
		{"a name with a line break", row("I like rain.", "a\nb"), `"a\nb" cannot be erased by name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			h.ok("import", h.file("old.jsonl", row("I drink tea.", "old")))
			r := h.run("import", h.file("new.jsonl", c.rows))
			if r.code != 0 || !strings.Contains(r.err, c.want) || strings.Contains(r.err, ": orma erase") || strings.Contains(r.err, "*'") {
				t.Errorf("%d %s", r.code, r.err)
			}
		})
	}
	h := newHome(t)
	h.ok("import", h.file("old.jsonl", row("I drink tea.", "old")))
	if r := h.run("import", h.file("new.jsonl", row("I like rain.", "old")+row("I like snow.", "new"))); strings.Count(r.err, ": orma erase --source new --space default\n") != 1 || strings.Count(r.err, "orma erase") != 1 {
		t.Errorf("of an old and a new one: %s", r.err)
	}
}

// shellWords takes a line apart as a shell does.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`(?:'[^']*'|\\.|[^\s'])+`).FindAllString(line, -1) {
		m = strings.ReplaceAll(m, `'\''`, "\x00")
		words = append(words, strings.ReplaceAll(strings.ReplaceAll(m, "'", ""), "\x00", "'"))
	}
	return words
}
