package sleep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
)

// fixed is an extractor that proposes what it is told, citing the lines that hold
// its quote, or the last line.
type fixed struct{ items []sl.Proposal }

func (f *fixed) Name() string { return "fixed" }

func (f *fixed) Extract(_ context.Context, r *sl.Request) ([]sl.Proposal, error) {
	var out []sl.Proposal
	for _, p := range f.items {
		for _, l := range r.Lines {
			if l.Citable {
				p.Cites = []string{l.Tag()} // the last one stays
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// TestProposals reads testdata/proposals.table: sentences of one session, then, with
// "?" before it, a proposal that cites the last of them, then what became of it.
//
//	I live in Ghent.
//	? user | home city | Ghent
//	    ok user | home city | Ghent
//
// A proposal is "subject | attribute | value", with "| if condition", "! " before a
// prohibited one and "* subject | event | when" for an event.
func TestProposals(t *testing.T) {
	file := filepath.Join("testdata", "proposals.table")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixed{}
	w := newWorld(t, map[string]sl.Extractor{"fixed": f})
	var out strings.Builder
	for n, block := range strings.Split(strings.TrimRight(string(src), "\n"), "\n\n") {
		var said, asked []string
		want := map[string]string{}
		for _, l := range strings.Split(block, "\n") {
			switch {
			case strings.HasPrefix(l, "#"):
				fmt.Fprintln(&out, l)
			case strings.HasPrefix(l, "? "):
				asked = append(asked, l[2:])
			case strings.HasPrefix(l, "    "):
				want[asked[len(asked)-1]] = strings.TrimSpace(l)
			default:
				said = append(said, l)
			}
		}
		for _, s := range said {
			fmt.Fprintln(&out, s)
		}
		for i, q := range asked {
			f.items = []sl.Proposal{parseProposal(q)}
			got := w.judgeOne(t, fmt.Sprintf("p%d-%d", n, i), said)
			fmt.Fprintf(&out, "? %s\n    %s\n", q, got)
			if got != want[q] && !*update {
				t.Errorf("%s\n  ? %s\n  got  %s\n  want %s", strings.Join(said, "\n"), q, got, want[q])
			}
		}
		fmt.Fprintln(&out)
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func parseProposal(s string) sl.Proposal {
	var p sl.Proposal
	if r, ok := strings.CutPrefix(s, "! "); ok {
		p.Prohibited, s = true, r
	}
	if r, ok := strings.CutPrefix(s, "* "); ok {
		p.Event, s = true, r
	}
	parts := strings.Split(s, " | ")
	p.Subject = parts[0]
	if p.Event {
		p.Value = parts[1]
		if len(parts) > 2 {
			p.When = parts[2]
		}
		return p
	}
	p.Attribute, p.Value = parts[1], parts[2]
	if len(parts) > 3 {
		p.Condition = strings.TrimPrefix(parts[3], "if ")
	}
	return p
}

// judgeOne says the sentences and returns the verdict on the one proposal.
func (w *world) judgeOne(t *testing.T, space string, said []string) string {
	t.Helper()
	session := "main"
	for i, s := range said {
		e := core.Episode{Text: s, At: monday.AddDate(0, 0, i)}
		if s == "--" {
			session = "other"
			continue
		}
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
		e.Session = session
		w.say(space, e)
	}
	rep, err := w.consolidate(space, "fixed", monday.AddDate(0, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Rejected) > 0 {
		return "no: " + string(rep.Rejected[0].Reason)
	}
	if len(rep.Accepted) == 0 {
		return "nothing"
	}
	return "ok " + strings.Join(w.describe(t, space), "; ")
}
