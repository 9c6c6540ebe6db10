package setup

import (
	"strings"

	"github.com/orma-memory/orma/core"
)

// Change is what a file would become.
type Change struct {
	Path    string // as the client has it; it may be a link
	Before  string
	After   string
	Existed bool
	Remove  bool // the file goes: it was made by setup and holds nothing else

	shared bool     // it lies in a project: others may read it
	made   []string // keys of the objects that were made for our entry
}

// Same reports whether nothing is to be done.
func (c *Change) Same() bool { return c.Before == c.After && !c.Remove }

// Add returns the change that puts a server into a client's file.
func Add(c Client, p Place, scope Scope, s Server) (*Change, error) {
	path, err := c.File(p, scope)
	if err != nil {
		return nil, err
	}
	entry, err := c.entry(s)
	if err != nil {
		return nil, err
	}
	ch, err := read(path)
	if err != nil {
		return nil, err
	}
	ch.shared = scope == Project
	if c.toml {
		unset := "url"
		if s.URL != "" {
			unset = "command"
		}
		drop := []string{unset}
		if unset == "command" {
			drop = append(drop, "args")
		}
		ch.After, err = putTOML(ch.Before, append(c.path[:len(c.path):len(c.path)], serverName), entry, drop...)
	} else {
		keys := c.keys(ch.Before)
		var made int
		ch.After, made, err = put(ch.Before, keys, entry)
		ch.made = keys[min(made, len(keys)):]
	}
	if err != nil {
		return nil, inFile(path, err)
	}
	return ch, nil
}

// AddHooks returns the change that puts hooks into a client's settings.
func AddHooks(c Client, p Place, scope Scope, s Server) (*Change, error) {
	ch, err := hooksFile(c, p, scope)
	if err != nil {
		return nil, err
	}
	if ch.After, err = putHooks(ch.Before, s); err != nil {
		return nil, inFile(ch.Path, err)
	}
	return ch, nil
}

func hooksFile(c Client, p Place, scope Scope) (*Change, error) {
	if c.hooks == nil {
		return nil, core.Errorf(core.CodeUnsupported, "%s has no hooks that setup could write", c.Title)
	}
	path := p.choose(c.hooks.user(p))
	if scope == Project {
		both := Client{project: c.hooks.project, Title: c.Title}
		var err error
		if path, err = both.File(p, scope); err != nil {
			return nil, err
		}
	}
	ch, err := read(path)
	if err == nil {
		ch.shared = scope == Project
	}
	return ch, err
}

// keys returns the path to our entry in a file. OpenCode has two forms.
func (c *Client) keys(data string) []string {
	keys := c.path
	if root, err := parseJSONC(data); err == nil && c.Name == "opencode" {
		if n, rest := walk(&root, []string{"mcp", "servers"}); len(rest) == 0 && n.kind == '{' {
			keys = []string{"mcp", "servers"}
		}
	}
	return append(keys[:len(keys):len(keys)], serverName)
}

// takeEntry removes our entry from a file's text. made are the objects that were made
// for it, which go with it if they are empty.
func (c *Client) takeEntry(data string, made []string) (string, error) {
	if c.toml {
		return takeTOML(data, append(c.path[:len(c.path):len(c.path)], serverName))
	}
	keys := c.keys(data)
	out, err := take(data, keys, nil)
	if err != nil {
		return "", err
	}
	for n := len(keys) - 1; n > 0 && len(made) > len(keys)-n; n-- {
		if out, err = takeEmpty(out, keys[:n]); err != nil {
			return "", err
		}
	}
	return out, nil
}

// Snippet returns what setup would write, for people who write it themselves.
func Snippet(c Client, s Server) (string, error) {
	entry, err := c.entry(s)
	if err != nil {
		return "", err
	}
	if c.toml {
		return putTOML("", append(c.path[:len(c.path):len(c.path)], serverName), entry)
	}
	out, _, err := put("", append(c.path[:len(c.path):len(c.path)], serverName), entry)
	return out, err
}

// HookSnippet returns the hooks that setup would write.
func HookSnippet(s Server) (string, error) { return putHooks("", s) }

func inFile(path string, err error) error {
	e := core.Errorf(core.CodeOf(err), "%s: %w", path, err)
	return e.Hinted("mend it, or add the entry by hand: see --print")
}

// Diff shows a change, line by line.
func (c *Change) Diff() string {
	if c.Remove {
		return "- the file\n"
	}
	a, b := strings.SplitAfter(c.Before, "\n"), strings.SplitAfter(c.After, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	write := func(mark string, lines []string) {
		for _, l := range lines {
			if l != "" {
				out.WriteString(mark + strings.TrimRight(l, "\r\n") + "\n")
			}
		}
	}
	write("  ", a[max(0, head-2):head])
	write("- ", a[head:len(a)-tail])
	write("+ ", b[head:len(b)-tail])
	write("  ", a[len(a)-tail:min(len(a), len(a)-tail+2)])
	return out.String()
}
