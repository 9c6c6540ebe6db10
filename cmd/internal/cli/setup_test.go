package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/setup"
)

// TestSetupOfEveryClient runs the command for each client, over a configuration that
// holds others' servers and comments: the entry starts this program, doing it twice
// changes nothing, and --remove brings back the bytes.
func TestSetupOfEveryClient(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: setup (the folders of a user cannot be moved there)")
	}
	for _, c := range setup.Clients() {
		for _, scope := range []string{"user", "project"} {
			t.Run(c.Name+"/"+scope, func(t *testing.T) {
				h := newHome(t)
				args := []string{"setup", c.Name, "--scope", scope, "--space", "work"}
				if r := h.run(append(args, "--print")...); r.code != 0 || !strings.Contains(r.out, "mcp") || !strings.Contains(r.out, "work") {
					t.Fatalf("--print: %+v", r)
				}
				if c.Name == "generic" {
					return
				}
				type done struct {
					Path, Backup, Diff string
					Changed, Removed   bool
				}
				run := func(more ...string) (list []done) {
					t.Helper()
					if err := json.Unmarshal([]byte(h.ok(append(append(args[:len(args):len(args)], "--json"), more...)...)), &list); err != nil || len(list) == 0 {
						t.Fatalf("%v, %+v", err, list)
					}
					return list
				}
				r := h.run(append(args, "--dry-run", "--json")...)
				if scope == "project" && r.code != 0 && strings.Contains(r.err, `"unsupported"`) {
					return // it has no configuration of projects
				}
				path := run("--dry-run")[0].Path
				before := "{\n  // mine\n  \"other\": {\"a\": [1, 2]},\n  \"z\": null // last\n}\n"
				if strings.HasSuffix(path, ".toml") {
					before = "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\" # last\n"
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
				read := func(path string) string {
					b, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					return string(b)
				}
				if d := run("--dry-run")[0]; !d.Changed || d.Diff == "" || read(path) != before {
					t.Errorf("--dry-run: %+v, %s", d, read(path))
				}
				d := run()[0]
				after := read(path)
				if !d.Changed || d.Backup == "" || read(d.Backup) != before {
					t.Errorf("%+v", d)
				}
				program, _ := json.Marshal(binary)
				for _, want := range []string{string(program), "mine", "last", `"mcp"`, `"work"`, "ORMA_HOME"} {
					if !strings.Contains(after, want) {
						t.Errorf("no %s in\n%s", want, after)
					}
				}
				if d := run()[0]; d.Changed || read(path) != after {
					t.Errorf("a second time: %+v", d)
				}
				if d := run("--remove")[0]; !d.Changed || read(path) != before {
					t.Errorf("--remove: %+v\n%s", d, read(path))
				}
				if d := run("--remove")[0]; d.Changed || read(path) != before {
					t.Errorf("a second --remove: %+v\n%s", d, read(path))
				}
			})
		}
	}
}
