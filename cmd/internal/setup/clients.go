package setup

import (
	"path/filepath"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
)

// Client is an agent or editor that speaks MCP.
type Client struct {
	Name  string // on the command line
	Title string
	// user returns where the user's configuration may lie, the likeliest first.
	user func(Place) []string
	// project is the path inside a project, with slashes; empty: it has no such file.
	project string
	// path leads to the servers in the file.
	path []string
	toml bool
	// local and remote make an entry: a command to start, or an address. A nil remote
	// means that the client refuses addresses.
	local  func(Server) object
	remote func(url string) object
	hooks  *hooks // files and form of its hooks; nil: it has none that we write
	Note   string // what its user should know
}

// Server is what a client is told to use.
type Server struct {
	Command string
	Args    []string
	URL     string // instead of a command: a server that runs already
	Home    string // value of ORMA_HOME for the command; empty: it is not set
}

// serverName is our entry's name.
const serverName = "orma"

// Clients are all clients, in the order that documentation shows them.
func Clients() []Client {
	url := func(key string) func(string) object {
		return func(u string) object { return object{{key, u}} }
	}
	typed := func(kind string) func(string) object {
		return func(u string) object { return object{{"type", kind}, {"url", u}} }
	}
	return []Client{
		{
			Name: "claude-code", Title: "Claude Code", user: Place.claudeCode, project: ".mcp.json", path: []string{"mcpServers"},
			local: stdio, remote: typed("http"), hooks: &hooks{user: Place.claudeSettings, project: ".claude/settings.json"},
			Note: "--hooks adds the hooks that record and recall by themselves",
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", user: Place.claudeDesktop, path: []string{"mcpServers"}, local: command,
			Note: "it starts servers itself and refuses addresses; restart it afterwards",
		},
		{Name: "cursor", Title: "Cursor", user: home(".cursor/mcp.json"), project: ".cursor/mcp.json", path: []string{"mcpServers"}, local: command, remote: url("url")},
		{
			Name: "vscode", Title: "VS Code", user: func(p Place) []string { return []string{p.code("mcp.json")} }, project: ".vscode/mcp.json",
			path: []string{"servers"}, local: stdio, remote: typed("http"), Note: "its key is servers",
		},
		{
			Name: "codex", Title: "Codex", user: Place.codex, project: ".codex/config.toml", path: []string{"mcp_servers"}, toml: true, local: command, remote: url("url"),
			Note: "a project's file counts once the project is trusted",
		},
		{Name: "gemini", Title: "Gemini CLI", user: home(".gemini/settings.json"), project: ".gemini/settings.json", path: []string{"mcpServers"}, local: command, remote: url("httpUrl")},
		{Name: "windsurf", Title: "Windsurf", user: home(".codeium/windsurf/mcp_config.json"), path: []string{"mcpServers"}, local: command, remote: url("serverUrl")},
		{
			Name: "opencode", Title: "OpenCode", user: Place.openCode, project: "opencode.json", path: []string{"mcp"}, local: openCode,
			remote: func(u string) object { return object{{"type", "remote"}, {"url", u}, {"enabled", true}} },
			Note:   "where the file has mcp.servers, the form of version 2, the entry goes there",
		},
		{Name: "zed", Title: "Zed", user: Place.zed, project: ".zed/settings.json", path: []string{"context_servers"}, local: command, remote: url("url")},
		{
			Name: "roo", Title: "Roo Code", user: func(p Place) []string {
				return []string{p.code("globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json")}
			},
			project: ".roo/mcp.json", path: []string{"mcpServers"}, local: command, remote: typed("streamable-http"),
		},
		{Name: "cline", Title: "Cline", user: Place.cline, path: []string{"mcpServers"}, local: command, remote: typed("streamableHttp")},
		{
			Name: "antigravity", Title: "Antigravity", user: home(".gemini/config/mcp_config.json", ".gemini/antigravity/mcp_config.json"),
			project: ".agents/mcp_config.json", path: []string{"mcpServers"}, local: command, remote: url("serverUrl"),
		},
		{
			Name: "generic", Title: "any other client", path: []string{"mcpServers"}, local: command, remote: typed("http"),
			Note: "prints the form that most clients take",
		},
	}
}

// Find returns a client by its name.
func Find(name string) (Client, error) {
	var names []string
	for _, c := range Clients() {
		if c.Name == strings.ToLower(name) {
			return c, nil
		}
		names = append(names, c.Name)
	}
	all := "one of: " + strings.Join(names, ", ")
	if best := config.Nearest(name, names); best != "" {
		all = best + ", or another of: " + strings.Join(names, ", ")
	}
	return Client{}, core.Errorf(core.CodeUsage, "client %q is not known", name).Hinted("use %s", all)
}

// command is an entry as most clients take it.
func command(s Server) object { return s.env(object{{"command", s.Command}, {"args", s.Args}}, "env") }

// env adds the environment to an entry, if there is one.
func (s Server) env(o object, key string) object {
	if s.Home == "" {
		return o
	}
	return append(o, member{key, object{{"ORMA_HOME", s.Home}}})
}

func stdio(s Server) object {
	return append(object{{"type", "stdio"}}, command(s)...)
}

// openCode wants the command and its arguments in one list. Both of its versions take
// this form.
func openCode(s Server) object {
	return s.env(object{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}, "environment")
}

// entry returns the entry for a server.
func (c *Client) entry(s Server) (object, error) {
	if s.URL == "" {
		return c.local(s), nil
	}
	if c.remote == nil {
		return nil, core.Errorf(core.CodeUnsupported, "%s refuses servers by address", c.Title).Hinted("leave out --url: it starts orma mcp itself")
	}
	return c.remote(s.URL), nil
}

// Scope says whose configuration is changed.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// File returns the path of a client's file: the first candidate that is there, else
// the first whose folder is, else the first.
func (c *Client) File(p Place, scope Scope) (string, error) {
	switch {
	case scope == Project && c.project == "":
		return "", core.Errorf(core.CodeUnsupported, "%s has no configuration of projects", c.Title).Hinted("use --scope user")
	case scope == Project:
		return filepath.Join(p.Project, filepath.FromSlash(c.project)), nil
	}
	return p.choose(c.user(p)), nil
}

// HasHooks reports whether setup can write hooks for it.
func (c *Client) HasHooks() bool { return c.hooks != nil }
