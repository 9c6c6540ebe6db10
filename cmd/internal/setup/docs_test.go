package setup

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite generated pages")

// TestDocsTable keeps the table of clients in docs/setup.md.
func TestDocsTable(t *testing.T) {
	const page, begin, end = "../../../docs/setup.md", "<!-- clients -->\n", "<!-- end -->\n"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", page)
	}
	var b bytes.Buffer
	b.WriteString(head + begin + "| client | `orma setup` | the user's file (on Linux) | a project's file | entry | address |\n|---|---|---|---|---|---|\n")
	place := Place{OS: "linux", Home: "~", Env: func(string) string { return "" }}
	for _, c := range Clients() {
		user := ""
		if c.user != nil {
			user = c.user(place)[0]
		}
		code := func(s string) string {
			if s == "" {
				return "–"
			}
			return "`" + s + "`"
		}
		address := "yes"
		if c.remote == nil {
			address = "no"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | `%s` | %s |\n", c.Title, c.Name, code(user), code(c.project), strings.Join(append(c.path, serverName), "."), address)
	}
	b.WriteString(end + tail)
	if *update {
		if err := os.WriteFile(page, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != string(old) {
		t.Error("docs/setup.md is not current; run go test ./cmd/internal/setup -run Docs -update")
	}
}
