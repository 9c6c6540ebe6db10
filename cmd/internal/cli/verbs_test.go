package cli

import (
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core/engine"
)

// verb is one thing that can be done to a memory, by its name at every front; client is
// that of Python, which is TypeScript's in camelCase. A name that begins with an
// exclamation mark says why a front is without it.
type verb struct{ engine, command, http, mcp, client string }

// Why a front is without a verb.
const (
	destroys = "! an agent that a text has misled must not destroy what it cannot bring back"
	keeper   = "! it looks after the machine's files, which only who sits at it may"
	perhaps  = "! clients that speak HTTP hold a conversation; this front answers one question at a time"
	mistaken = "! it takes an import back, and who imports sits at the machine"
	draws    = "! it is what a view draws; facts and search list the same"
	byReads  = "! it has facts and records as resources"
)

// verbs is the contract: what one front can do, all can, but for what is said here.
var verbs = []verb{
	{"Add", "add", "add", "orma_remember", "add"},
	{"Add", "add", "add_document", "! agents send texts, not files", "add_file"},
	{"Add", "import", "add", "! agents send texts, not files", "add_many"},
	{"Recall", "recall", "recall", "orma_recall", "recall"},
	{"Recall", "recall", "recall_block", "orma_recall", "recall"}, // for clients that keep a block by its ETag
	{"Search", "search", "search", "orma_search", "search"},
	{"Facts", "facts", "facts", "orma_facts", "facts"},
	{"Forbid", "forbid", "forbid", "orma_forbid", "forbid"},
	{"Forget", "forget", "forget", "orma_forget", "forget"},
	{"Correct", "correct", "correct", "orma_correct", "correct"},
	{"Stats", "stats", "stats", "orma_stats", "stats"},
	{"! sleep reads the store by itself", "sleep", "sleep", "orma_sleep", "sleep"},
	{"! sleep reads the store by itself", "rebuild", "sleep", destroys, "sleep"}, // rebuild in the body
	{"! sleep reads the store by itself", "sleep", "sleep_reports", "orma_sleep", "sleep_reports"},
	{"Erase", "erase", "erase", destroys, "erase"},
	{"EraseSource", "erase", mistaken, destroys, mistaken},
	{"EraseSpace", "erase-space", "erase_space", destroys, "erase_space"},
	{"Quarantine", "quarantine", "quarantine", destroys, "quarantine"},
	{"Episode", "export", "episode", byReads, "episode"},
	{"Store", "export", "episodes", byReads, "episodes"},
	{"Store", "export", "export", byReads, "export"},
	{"Store", "token log", "audit", "! it is for operators", "audit"},
	{"Graph", draws, "graph", draws, "graph"},
	{"Node", draws, "node", draws, "node"},
	{"Store", "stats", "pending", "orma_stats", "pending"}, // there as a count
	{"Stages", "stages", "stages", "! it is for who tunes recall", "stages"},
	{"BuildContext", perhaps, "context", perhaps, "build_context"},
	{"Delivered", "! what is printed here is not known to be read", "recall", "orma_recall", "recall"}, // deliver in the body
	{"Store", perhaps, "stream", perhaps, "! a program lists episodes; what follows a memory is a view"},
	{"Reindex", "reindex", keeper, keeper, keeper},
	{"! the store does it", "backup", keeper, keeper, keeper},
	{"! the store does it", "restore", keeper, keeper, keeper},
	{"! the store does it", "doctor", keeper, keeper, keeper},
	{"! the store does it", "encrypt", keeper, keeper, keeper},
	{"! the store does it", "token new", keeper, keeper, keeper},
	{"! the store does it", "token list", keeper, keeper, keeper},
	{"! the store does it", "token revoke", keeper, keeper, keeper},
	{"! it is said of a server", "version", "version", "! the server says its version when it is greeted", "version"},
	{"! it is said of a server", "! orma help", "openapi", "! a client lists the tools", "! their types are made of it"},
}

// notVerbs are what fronts have that is done to no memory: engine's methods that serve
// others, and commands that start a front, or look at the program itself.
var notVerbs = struct{ engine, commands, clients []string }{
	[]string{"Close", "CountTokens", "Derive", "EmbedsInline", "Known", "Warm", "Zone"},
	[]string{
		"serve", "proxy", "up", "mcp", "setup", "hook", "config", "model", "plugin", "completion", "eval", "bench", "help", "viz",
	},
	[]string{"observe"}, // it is add
}

// methodsOf returns the names that a pattern finds in a file.
func methodsOf(t *testing.T, file, pattern string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(data, -1) {
		out[string(m[1])] = true
	}
	return out
}

// camelOf makes a_name aName. Why a front is without a verb stays as it is.
func camelOf(name string) string {
	if strings.HasPrefix(name, "! ") {
		return name
	}
	first, rest, _ := strings.Cut(name, "_")
	for part := range strings.SplitSeq(rest, "_") {
		if part != "" {
			first += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return first
}

// TestFrontsCanDoTheSame compares the verbs of the engine, the command line, the HTTP
// API, MCP and the clients with the contract: nothing is left out at a front by mistake, and a new
// verb has to be placed.
func TestFrontsCanDoTheSame(t *testing.T) {
	h := newHome(t)
	s := h.startMCP(io.Discard)
	tools := map[string]bool{}
	for _, tool := range s.ask("tools/list", map[string]any{})["result"].(map[string]any)["tools"].([]any) {
		tools[tool.(map[string]any)["name"].(string)] = true
	}
	routes := map[string]bool{}
	for _, item := range api.OpenAPI()["paths"].(map[string]any) {
		for _, op := range item.(map[string]any) {
			routes[op.(map[string]any)["operationId"].(string)] = true
		}
	}
	methods := map[string]bool{}
	for m := range reflect.TypeFor[*engine.Engine]().Methods() {
		methods[m.Name] = true
	}
	commands := map[string]bool{}
	for _, c := range newApp(Process{}).root().Commands() {
		switch name := c.Name(); {
		case c.HasSubCommands() && !slices.Contains(notVerbs.commands, name):
			for _, sub := range c.Commands() {
				commands[name+" "+sub.Name()] = true
			}
		default:
			commands[name] = true
		}
	}
	python := methodsOf(t, "../../../sdk/python/src/orma/_memory.py", `(?m)^    def ([a-z]\w*)\(`)
	typescript := methodsOf(t, "../../../sdk/typescript/src/memory.ts", `(?m)^  async \*?([a-z]\w*)[<(]`)
	for _, name := range notVerbs.clients {
		delete(python, name)
		delete(typescript, name)
	}
	for _, name := range notVerbs.engine {
		delete(methods, name)
	}
	for _, name := range notVerbs.commands {
		delete(commands, name)
	}
	for _, front := range []struct {
		name string
		has  map[string]bool
		of   func(verb) string
	}{
		{"the engine", methods, func(v verb) string { return v.engine }},
		{"the command line", commands, func(v verb) string { return v.command }},
		{"HTTP", routes, func(v verb) string { return v.http }},
		{"MCP", tools, func(v verb) string { return v.mcp }},
		{"Python", python, func(v verb) string { return v.client }},
		{"TypeScript", typescript, func(v verb) string { return camelOf(v.client) }},
	} {
		placed := map[string]bool{}
		for _, v := range verbs {
			switch name := front.of(v); {
			case strings.HasPrefix(name, "! "):
			case !front.has[name]:
				t.Errorf("%s cannot do %q of %+v", front.name, name, v)
			default:
				placed[name] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(front.has)) {
			if !placed[name] {
				t.Errorf("%s can do %q, which no verb of the contract is: add it, and to the other fronts or why not", front.name, name)
			}
		}
	}
}
