package history_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/history"
)

const (
	fromClaudeCode = `2026-03-04T09:00:00 claude-code s-tide/u1 turn user user: Fix the tide table, it is an hour off in summer.
2026-03-04T09:00:05 claude-code s-tide/a1 turn assistant assistant: I will look at the zone handling.
2026-03-04T09:00:06 claude-code s-tide/u2/tool1 tool tool tool: Bash {"command":"grep -n UTC tide.go"}/→ 12: t := t.UTC()
2026-03-04T09:00:10 claude-code s-tide/a2 turn assistant assistant: Table() has two callers.
2026-03-04T09:01:00 claude-code s-tide/u6 turn user user: Never touch the port's own tables again.
`
	fromCodex = `2026-03-05T08:00:01 codex c-mast/4 turn user user: Rename the mast package to rig.
2026-03-05T08:00:05 codex c-mast/9 tool tool tool: shell {"command":["ls"]}/→ mast.go
2026-03-05T08:00:07 codex c-mast/11 tool tool tool: apply_patch *** Begin Patch/→ Done.
2026-03-05T08:00:08 codex c-mast/12 turn assistant assistant: The package is called rig now.
`
	fromOldCodex = `2025-07-01T10:00:00 codex c-old/3 turn user user: Which port does the buoy service use?
2025-07-01T10:00:00 codex c-old/5 tool tool tool: shell {"command":["cat","buoy.toml"]}/→ port = 7070
2025-07-01T10:00:00 codex c-old/6 turn assistant assistant: It uses 7070.
`
)

// Sessions of coding agents are known by their content, hold what was said and done and
// not what the program wrote, and are taken in once.
func TestTranscripts(t *testing.T) {
	for _, tt := range []struct {
		file, want string
		bad        []string
	}{
		{"claude-code.jsonl", fromClaudeCode, []string{"line 10"}},
		{"codex.jsonl", fromCodex, []string{"line 13"}},
		{"codex-old.jsonl", fromOldCodex, nil},
	} {
		t.Run(tt.file, func(t *testing.T) {
			m := open(t)
			data := fixture(t, tt.file)
			for again := range 2 {
				var r reports
				sum, err := history.Import(t.Context(), m.Engine, bytes.NewReader(data), r.options("session.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				n := strings.Count(tt.want, "\n")
				if again == 0 && sum.Added != n || again == 1 && (sum.Added != 0 || sum.Known != n) {
					t.Errorf("import %d: %+v, want %d", again+1, sum, n)
				}
				if len(r.bad) != len(tt.bad) || len(tt.bad) > 0 && !strings.Contains(r.bad[0], tt.bad[0]) {
					t.Errorf("bad lines %q, want %q", r.bad, tt.bad)
				}
			}
			if got := stored(t, m); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestSaid(t *testing.T) {
	for in, want := range map[string]string{
		"Fix it": "Fix it", " <b>bold</b> and more ": "<b>bold</b> and more", "<b>bold</b>": "",
		"<environment_context>\n<cwd>/x</cwd>\n</environment_context>": "",
		"a <system-reminder>x</system-reminder> b":                     "a  b",
		"<system-reminder>x</system-reminder>":                         "",
		"a <system-reminder>x":                                         "a <system-reminder>x",
		"1 < 2 and 3 > 2":                                              "1 < 2 and 3 > 2",
		"<-- here":                                                     "<-- here",
		"# AGENTS.md instructions for /x\n\nBe kind.":                  "",
		"[Request interrupted by user for tool use]":                   "",
		"": "",
	} {
		if got := history.Said(in); got != want {
			t.Errorf("Said(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHeadTail(t *testing.T) {
	long := strings.Repeat("ä", 3000) + strings.Repeat("b", 3000)
	got := history.HeadTail(long, 4000)
	if want := strings.Repeat("ä", 2000) + "\n[…]\n" + strings.Repeat("b", 2000); got != want {
		t.Errorf("HeadTail kept %d characters", len([]rune(got)))
	}
	if got := history.HeadTail("äöü", 3); got != "äöü" {
		t.Errorf("HeadTail = %q", got)
	}
}
