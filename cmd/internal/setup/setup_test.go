package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

func testPlace(t *testing.T, system string) (Place, Ledger) {
	dir := t.TempDir()
	p := Place{OS: system, Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"), Env: func(string) string { return "" }}
	for _, d := range []string{p.Home, p.Project} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p, Ledger{Folder: filepath.Join(dir, "orma", "setup"), Now: func() time.Time { return time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC) }}
}

func write(t *testing.T, path, data string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), mode); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fixtures are configurations as they are found: of the clients that keep their
// servers under KEY.
var fixtures = []struct{ name, text string }{
	{"nothing", ""},
	{"white space", "\n\n"},
	{"empty object", "{}"},
	{"empty object on two lines", "{\n}\n"},
	{"no line break at the end", "{\n  \"KEY\": {\n    \"a\": {\"command\": \"x\"}\n  }\n}"},
	{"other servers", "{\n\t\"KEY\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"x\",\n\t\t\t\"args\": []\n\t\t}\n\t},\n\t\"theme\": \"dark\"\n}\n"},
	{"comments", "// top\n{\n  // servers\n  \"KEY\": { // here\n    \"a\": {}, /* one */ // two\n    // end\n  }, // after\n  /* last */\n}\n// bottom\n"},
	{"trailing commas", "{\n  \"KEY\": {\n    \"a\": {\"args\": [1, 2,],},\n  },\n}\n"},
	{"one line", `{"KEY":{"a":{}},"b":[1]}`},
	{"odd layout", "{ \"b\" :1\n,\"KEY\":\n{\"a\":{}}}\n\n"},
	{"windows", "\ufeff{\r\n  \"KEY\": {\r\n    \"a\": {}\r\n  }\r\n}\r\n"},
	{"without servers", "{\n    \"telemetry\": false\n}\n"},
	{"unusual names", "{\n  \"KEY\": {\n    \"or\\u006da2\": {},\n    \"a \\\"b\\\" //\": {}\n  }\n}\n"},
}

// TestSetupAndRemove checks, for every client and kind of file: only our entry changes,
// a second time changes nothing, and removal brings back the bytes.
func TestSetupAndRemove(t *testing.T) {
	s := Server{Command: "/opt/orma bin/orma", Args: []string{"mcp", "--space", "a b"}, Home: "/srv/orma"}
	for _, c := range Clients() {
		if c.user == nil {
			continue
		}
		for _, scope := range []Scope{User, Project} {
			if scope == Project && c.project == "" {
				continue
			}
			for _, fx := range fixtures {
				text := strings.ReplaceAll(fx.text, "KEY", c.path[0])
				if c.toml {
					text = tomlFixture(fx.name)
				}
				t.Run(c.Name+"/"+string(scope)+"/"+fx.name, func(t *testing.T) {
					p, l := testPlace(t, "linux")
					path, err := c.File(p, scope)
					if err != nil {
						t.Fatal(err)
					}
					write(t, path, text, 0o640)
					ch, err := Add(c, p, scope, s)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := l.Apply(ch); err != nil {
						t.Fatal(err)
					}
					got := contents(t, path)
					if !strings.Contains(got, "/opt/orma bin/orma") || !keepsLines(text, got) {
						t.Errorf("the file became\n%s", got)
					}
					if i, _ := os.Stat(path); i.Mode().Perm() != 0o640 {
						t.Errorf("its mode became %v", i.Mode())
					}
					if again, err := Add(c, p, scope, s); err != nil || !again.Same() {
						t.Errorf("a second time changes it: %v, %v", again, err)
					}
					ch, err = l.Undo(c, p, scope)
					if err != nil {
						t.Fatal(err)
					}
					if err := l.Finish(ch); err != nil {
						t.Fatal(err)
					}
					if got := contents(t, path); got != text {
						t.Errorf("removal left\n%q, want\n%q", got, text)
					}
					if ch, err = l.Undo(c, p, scope); err != nil || !ch.Same() {
						t.Errorf("there is still something to remove: %v, %v", ch, err)
					}
				})
			}
		}
	}
}

// keepsLines reports whether all that was in a text is in another, in its order.
func keepsLines(before, after string) bool {
	at := 0
	for i := 0; i < len(before); i++ {
		n := strings.IndexByte(after[at:], before[i])
		if n < 0 {
			return false
		}
		at += n + 1
	}
	return true
}

func tomlFixture(name string) string {
	switch name {
	case "nothing", "white space":
		return strings.Repeat("\n", strings.Count(name, "white"))
	case "comments":
		return "# top\n[mcp_servers.a] # one\ncommand = \"x\" # two\n# bottom\n"
	case "windows":
		return "model = \"m\"\r\n[mcp_servers.a]\r\ncommand = 'x'\r\n"
	case "no line break at the end":
		return "model = \"m\""
	}
	return "model = \"m\"\n\n[mcp_servers.a]\ncommand = \"x\"\nargs = [\n  \"y\",\n]\n\n[profiles.p]\nmodel = \"n\"\n"
}

// TestRemoveAfterOthersChangedTheFile checks that what others wrote since is kept.
func TestRemoveAfterOthersChangedTheFile(t *testing.T) {
	p, l := testPlace(t, "linux")
	c, err := Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	path, _ := c.File(p, User)
	write(t, path, "{\n  \"theme\": 1\n}\n", 0o600)
	ch, err := Add(c, p, User, Server{Command: "orma", Args: []string{"mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Apply(ch); err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(contents(t, path), `"theme": 1`, `"theme": 2, // changed`, 1), 0o600)
	write(t, path, strings.Replace(contents(t, path), ", // changed,", ", // changed", 1), 0o600)
	if ch, err = l.Undo(c, p, User); err != nil {
		t.Fatal(err)
	}
	if err := l.Finish(ch); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, path), "{\n  \"theme\": 2 // changed\n}\n"; got != want {
		t.Errorf("removal left\n%s, want\n%s", got, want)
	}
}

// TestFilesAsTheyAreFound: links, read-only files, missing folders, folders in the way.
func TestFilesAsTheyAreFound(t *testing.T) {
	c, err := Find("vscode")
	if err != nil {
		t.Fatal(err)
	}
	s := Server{Command: "orma", Args: []string{"mcp"}}
	apply := func(t *testing.T, p Place, l Ledger) error {
		ch, err := Add(c, p, User, s)
		if err != nil {
			return err
		}
		_, err = l.Apply(ch)
		return err
	}
	t.Run("link", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		path, _ := c.File(p, User)
		target := filepath.Join(p.Home, "dotfiles", "mcp.json")
		write(t, target, "{}\n", 0o600)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("..", "..", "..", "dotfiles", "mcp.json"), path); err != nil {
			t.Skip("links: " + err.Error())
		}
		if err := apply(t, p, l); err != nil {
			t.Fatal(err)
		}
		if i, err := os.Lstat(path); err != nil || i.Mode()&os.ModeSymlink == 0 {
			t.Error("the link was replaced")
		}
		if !strings.Contains(contents(t, target), "orma") {
			t.Error("what it points to was not changed")
		}
		ch, err := l.Undo(c, p, User)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(ch); err != nil || contents(t, target) != "{}\n" {
			t.Errorf("removal left %q, %v", contents(t, target), err)
		}
	})
	t.Run("read-only", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		path, _ := c.File(p, User)
		write(t, path, "{}", 0o400)
		if err := apply(t, p, l); !errors.Is(err, core.ErrReadOnly) {
			t.Errorf("error %v, want read-only", err)
		}
		if got := contents(t, path); got != "{}" {
			t.Errorf("it became %s", got)
		}
	})
	t.Run("missing folder", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		if err := apply(t, p, l); err != nil {
			t.Fatal(err)
		}
		ch, err := l.Undo(c, p, User)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Finish(ch); err != nil {
			t.Fatal(err)
		}
		if entries, _ := os.ReadDir(p.Home); len(entries) != 0 {
			t.Errorf("removal left %v", entries)
		}
	})
	t.Run("a folder in the way", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		path, _ := c.File(p, User)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := apply(t, p, l); core.CodeOf(err) != core.CodeInvalid {
			t.Errorf("error %v", err)
		}
	})
	t.Run("not JSON", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		path, _ := c.File(p, User)
		write(t, path, "{\n  \"servers\": {\n", 0o600)
		err := apply(t, p, l)
		if core.CodeOf(err) != core.CodeInvalid || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("not UTF-8", func(t *testing.T) {
		p, l := testPlace(t, "linux")
		path, _ := c.File(p, User)
		write(t, path, "{\"a\": \"\xff\xfe\"}", 0o600)
		if err := apply(t, p, l); core.CodeOf(err) != core.CodeInvalid {
			t.Errorf("error %v", err)
		}
	})
}

func TestHooks(t *testing.T) {
	p, l := testPlace(t, "linux")
	c, err := Find("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	text := "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]} // mine\n    ],\n    \"Other\": []\n  },\n  \"model\": \"x\"\n}\n"
	ch, err := hooksFile(c, p, User)
	if err != nil {
		t.Fatal(err)
	}
	write(t, ch.Path, text, 0o600)
	for _, program := range []string{"/usr/bin/orma", "/usr/bin/orma", "/new place/orma"} {
		ch, err := AddHooks(c, p, User, Server{Command: program, Args: []string{"--space", "a b"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Apply(ch); err != nil {
			t.Fatal(err)
		}
	}
	got := contents(t, ch.Path)
	if n := strings.Count(got, " hook Stop "); n != 1 || !strings.Contains(got, `\"/new place/orma\" hook Stop --space \"a b\"`) || !strings.Contains(got, "say done") || !strings.Contains(got, "// mine") {
		t.Errorf("%d hooks of ours:\n%s", n, got)
	}
	undone, err := l.UndoHooks(c, p, User)
	if err != nil {
		t.Fatal(err)
	}
	if undone.After != text {
		t.Errorf("removal leaves\n%s", undone.After)
	}
	write(t, ch.Path, strings.Replace(got, `"x"`, `"y"`, 1), 0o600)
	if undone, err = l.UndoHooks(c, p, User); err != nil || undone.After != strings.Replace(text, `"x"`, `"y"`, 1) {
		t.Errorf("removal from a changed file leaves\n%s%v", undone.After, err)
	}
}

func TestURL(t *testing.T) {
	for _, c := range Clients() {
		text, err := Snippet(c, Server{URL: "http://127.0.0.1:8080/mcp"})
		if (c.remote != nil) != (err == nil) || err == nil && !strings.Contains(text, "http://127.0.0.1:8080/mcp") {
			t.Errorf("%s: %s, %v", c.Name, text, err)
		}
	}
	p, l := testPlace(t, "linux")
	c, _ := Find("codex")
	for _, s := range []Server{{Command: "orma", Args: []string{"mcp"}}, {URL: "http://x/mcp"}, {Command: "orma", Args: []string{"mcp"}}} {
		ch, err := Add(c, p, User, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Apply(ch); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(ch.After, "url") != (s.URL != "") || strings.Contains(ch.After, "command") != (s.URL == "") {
			t.Errorf("the table became\n%s", ch.After)
		}
	}
}

func TestOpenCodeForms(t *testing.T) {
	p, _ := testPlace(t, "linux")
	c, _ := Find("opencode")
	path, _ := c.File(p, User)
	write(t, path, `{"mcp": {"servers": {}}}`, 0o600)
	ch, err := Add(c, p, User, Server{Command: "orma"})
	if err != nil || !strings.Contains(ch.After, `"servers": {`) || strings.Count(ch.After, "orma") != 2 {
		t.Errorf("version 2: %s, %v", ch.After, err)
	}
}

// TestPlaces pins down where files lie on each system.
func TestPlaces(t *testing.T) {
	env := map[string]string{"APPDATA": "/roaming", "XDG_CONFIG_HOME": "/xdg", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude"}
	bare := func(string) string { return "" }
	full := func(n string) string { return env[n] }
	for _, tt := range []struct {
		client, system string
		env            func(string) string
		want           string
	}{
		{"vscode", "linux", bare, "/h/.config/Code/User/mcp.json"},
		{"vscode", "linux", full, "/xdg/Code/User/mcp.json"},
		{"vscode", "darwin", full, "/h/Library/Application Support/Code/User/mcp.json"},
		{"vscode", "windows", full, "/roaming/Code/User/mcp.json"},
		{"claude-desktop", "darwin", bare, "/h/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", bare, "/h/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-code", "linux", bare, "/h/.claude.json"},
		{"claude-code", "linux", full, "/claude/.claude.json"},
		{"codex", "darwin", bare, "/h/.codex/config.toml"},
		{"codex", "linux", full, "/codex/config.toml"},
		{"zed", "darwin", bare, "/h/.config/zed/settings.json"},
		{"zed", "windows", full, "/roaming/Zed/settings.json"},
		{"opencode", "linux", full, "/xdg/opencode/opencode.json"},
		{"windsurf", "windows", full, "/h/.codeium/windsurf/mcp_config.json"},
		{"antigravity", "linux", bare, "/h/.gemini/config/mcp_config.json"},
		{"roo", "linux", bare, "/h/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
	} {
		c, err := Find(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.File(Place{OS: tt.system, Home: "/h", Env: tt.env}, User)
		if err != nil || filepath.ToSlash(got) != tt.want {
			t.Errorf("%s on %s: %s, %v; want %s", tt.client, tt.system, got, err, tt.want)
		}
	}
	if _, err := Find("notepad"); core.CodeOf(err) != core.CodeUsage {
		t.Errorf("an unknown client: %v", err)
	}
}
