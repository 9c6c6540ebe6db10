package cli

import (
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core/engine"
)

// verb is one thing that can be done to a memory, by its name at every front. A name
// that begins with an exclamation mark says why a front is without it.
type verb struct{ engine, command, http, mcp string }

// Why a front is without a verb.
const (
	destroys = "! an agent that a text has misled must not destroy what it cannot bring back"
	keeper   = "! it looks after the machine's files, which only who sits at it may"
	perhaps  = "! clients that speak HTTP hold a conversation; this front answers one question at a time"
	draws    = "! it is what a view draws; facts and search list the same"
	byReads  = "! it has facts and records as resources"
)

// verbs is the contract: what one front can do, all can, but for what is said here.
var verbs = []verb{
	{"Add", "add", "add", "orma_remember"},
	{"Add", "add", "add_document", "! agents send texts, not files"},
	{"Add", "import", "add", "! agents send texts, not files"},
	{"Recall", "recall", "recall", "orma_recall"},
	{"Recall", "recall", "recall_block", "orma_recall"}, // for clients that keep a block by its ETag
	{"Search", "search", "search", "orma_search"},
	{"Facts", "facts", "facts", "orma_facts"},
	{"Forbid", "forbid", "forbid", "orma_forbid"},
	{"Forget", "forget", "forget", "orma_forget"},
	{"Correct", "correct", "correct", "orma_correct"},
	{"Stats", "stats", "stats", "orma_stats"},
	{"! sleep reads the store by itself", "sleep", "sleep", "orma_sleep"},
	{"! sleep reads the store by itself", "rebuild", "sleep", destroys}, // rebuild in the body
	{"! sleep reads the store by itself", "sleep", "sleep_reports", "orma_sleep"},
	{"Erase", "erase", "erase", destroys},
	{"EraseSpace", "erase-space", "erase_space", destroys},
	{"Quarantine", "quarantine", "quarantine", destroys},
	{"Episode", "export", "episode", byReads},
	{"Store", "export", "episodes", byReads},
	{"Store", "export", "export", byReads},
	{"Store", "token log", "audit", "! it is for operators"},
	{"Graph", draws, "graph", draws},
	{"Node", draws, "node", draws},
	{"Store", "stats", "pending", "orma_stats"}, // there as a count
	{"Stages", "stages", "stages", "! it is for who tunes recall"},
	{"BuildContext", perhaps, "context", perhaps},
	{"Delivered", "! what is printed here is not known to be read", "recall", "orma_recall"}, // deliver in the body
	{"Store", perhaps, "stream", perhaps},
	{"Reindex", "reindex", keeper, keeper},
	{"! the store does it", "backup", keeper, keeper},
	{"! the store does it", "restore", keeper, keeper},
	{"! the store does it", "doctor", keeper, keeper},
	{"! the store does it", "encrypt", keeper, keeper},
	{"! the store does it", "token new", keeper, keeper},
	{"! the store does it", "token list", keeper, keeper},
	{"! the store does it", "token revoke", keeper, keeper},
	{"! it is said of a server", "version", "version", "! the server says its version when it is greeted"},
	{"! it is said of a server", "! orma help", "openapi", "! a client lists the tools"},
}

// notVerbs are what fronts have that is done to no memory: engine's methods that serve
// others, and commands that start a front, or look at the program itself.
var notVerbs = struct{ engine, commands []string }{
	[]string{"Close", "CountTokens", "Derive", "EmbedsInline", "Known", "Warm", "Zone"},
	[]string{
		"serve", "proxy", "up", "mcp", "setup", "hook", "config", "model", "plugin", "completion", "eval", "bench", "help", "viz",
	},
}

// TestFrontsCanDoTheSame compares the verbs of the engine, the command line, the HTTP
// API and MCP with the contract: nothing is left out at a front by mistake, and a new
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
