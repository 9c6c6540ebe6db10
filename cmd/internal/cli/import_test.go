package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

// TestAnImportIsTakenBack does what import says, for histories of one source, of some
// and of many: what was there before is there again, and nothing else.
func TestAnImportIsTakenBack(t *testing.T) {
	rows := func(sources ...string) string {
		var b strings.Builder
		for i, s := range sources {
			fmt.Fprintf(&b, `{"text": "My friend Friend%c lives in Bergen.", "source": %q, "at": "2026-01-02"}`+"\n", 'a'+i, s)
		}
		return b.String()
	}
	many := make([]string, 9)
	for i := range many {
		many[i] = fmt.Sprintf("notes of %d/it's", i)
	}
	for _, c := range []struct {
		name, rows string
		commands   int
	}{
		{"one", rows("chatgpt", "chatgpt"), 1},
		{"none named", `{"text": "I live in Pune."}`, 1},
		{"some", rows("a b", "it's", "$c"), 3},
		{"many that begin alike", rows(many...), 1},
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

// shellWords takes a line apart as a shell does.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`(?:'[^']*'|\\.|[^\s'])+`).FindAllString(line, -1) {
		m = strings.ReplaceAll(m, `'\''`, "\x00")
		words = append(words, strings.ReplaceAll(strings.ReplaceAll(m, "'", ""), "\x00", "'"))
	}
	return words
}
