// Package arch holds the one test that keeps the import rules.
package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/orma-memory/orma/"

// rules say which packages of this module each package may import. "x/..." means
// x and everything below it; the longest key that matches a package decides.
var rules = map[string][]string{
	"core":              {}, // types and interfaces
	"core/clock":        {},
	"core/component":    {},
	"core/config":       {"core", "core/component", "core/embed", "core/frame", "core/pipeline", "core/sleep", "configs"},
	"core/embed/...":    {"core/embed/..."},
	"core/engine/...":   {"core/...", "configs"},
	"core/frame":        {},
	"core/eval":         {"core", "core/engine", "core/frame", "core/pipeline"},
	"core/index":        {"core", "core/frame", "core/text/...", "core/vector"},
	"core/local":        {"core/...", "stages/...", "host/...", "configs"},
	"core/history":      {"core", "core/clock", "core/engine", "core/text/sentence"},
	"core/internal/...": {},
	"core/pack/...":     {"core", "core/clock", "core/component", "core/frame", "core/pipeline", "core/text/...", "core/pack"},
	"core/pack/o200k":   {},
	"core/pipeline":     {"core/component", "core/frame"},
	"core/secret":       {},
	"core/sleep/...":    {"core", "core/clock", "core/component", "core/embed", "core/sleep/...", "core/text/..."},
	"core/sqlite":       {"core"},
	"core/text/...":     {"core/text"},
	"core/vector":       {},
	"configs":           {},
	"stages/...":        {"core", "core/clock", "core/component", "core/embed", "core/frame", "core/pack", "core/pipeline", "core/sleep/...", "core/text/...", "stages/..."},
	"sdk/abi":           {},
	"sdk/guest":         {"sdk/abi"},
	"sdk/proc":          {"sdk/abi", "sdk/guest", "sdk/proc/pb"},
	"sdk/proc/pb":       {},
	"sdk/storetest":     {"core"},
	"sdk/wasm":          {"sdk/abi", "sdk/guest"},
	"sdk/...":           {"core/...", "sdk/..."},
	"host/...":          {"core", "core/component", "core/embed", "core/frame", "core/pipeline", "core/sleep", "sdk/abi", "sdk/proc/pb", "host/..."},
	"cmd/...":           {"core/...", "stages/...", "host/...", "sdk/...", "configs", "benchmarks/...", "cmd/..."},
	"benchmarks/...":    {"core/...", "stages/...", "host/...", "sdk/...", "configs", "benchmarks/..."},
	"e2e/...":           {}, // modules of their own
	"plugins/...":       {"sdk/..."},
	"docs/...":          {"core/..."}, // sample programs
}

// owners give each third-party module the one folder that may import it, or the two
// ends of a protocol.
var owners = map[string]string{
	"github.com/BurntSushi/toml":             "core/config",
	"github.com/tetratelabs/wazero":          "host/wasmhost",
	"github.com/hashicorp/go-plugin":         "host/prochost sdk/proc",
	"github.com/hashicorp/go-hclog":          "host/prochost sdk/proc",
	"google.golang.org/grpc":                 "host/prochost sdk/proc sdk/proc/pb",
	"google.golang.org/protobuf":             "sdk/proc/pb",
	"github.com/ncruces/go-sqlite3":          "core/sqlite",
	"github.com/knights-analytics/hugot":     "core/embed/hugot",
	"github.com/spf13/cobra":                 "cmd/internal/cli",
	"github.com/spf13/pflag":                 "cmd/internal/cli",
	"golang.org/x/term":                      "cmd/internal/cli",
	"github.com/modelcontextprotocol/go-sdk": "cmd/internal/mcp",
	"github.com/google/jsonschema-go":        "cmd/internal/mcp",
	"github.com/gofrs/flock":                 "cmd/internal/serve",
	"github.com/prometheus/client_golang":    "cmd/internal/metrics",
}

// TestImports reads the sources itself rather than asking "go list": the test
// cache notices files that a test opens, but not what a child process reads.
func TestImports(t *testing.T) {
	root := os.DirFS("../../..")
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && file != "." {
			if _, own := fs.Stat(root, file+"/go.mod"); own == nil {
				return fs.SkipDir // a module of its own
			}
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		if strings.Contains("/"+file, "/testdata/") || strings.Contains("/"+file, "/node_modules/") {
			return nil
		}
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		ast, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(file)
		key, ok := rule(pkg)
		if !ok {
			t.Errorf("%s: no import rule for %s; add one to this test", file, pkg)
		}
		for _, spec := range ast.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if in, ok := strings.CutPrefix(imp, module); ok && !slices.ContainsFunc(rules[key], func(pat string) bool { return match(pat, in) }) {
				t.Errorf("%s: %s must not import %s", file, key, in)
			}
			for dep, owner := range owners {
				if match(dep+"/...", imp) && !slices.Contains(strings.Fields(owner), pkg) {
					t.Errorf("%s: only %s may import %s", file, owner, dep)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func rule(pkg string) (key string, ok bool) {
	for pat := range rules {
		if match(pat, pkg) && (!ok || len(pat) > len(key)) {
			key, ok = pat, true
		}
	}
	return key, ok
}

// match reports whether pkg is pat, or lies in the tree that pat names.
func match(pat, pkg string) bool {
	tree, isTree := strings.CutSuffix(pat, "/...")
	return pkg == tree || isTree && strings.HasPrefix(pkg, tree+"/")
}
