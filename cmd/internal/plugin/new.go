// Package plugin makes, builds and checks plugins for their authors.
package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/orma-memory/orma/sdk"
	"github.com/orma-memory/orma/sdk/abi"
)

// Runtimes are those that a plugin can run in.
func Runtimes() []string { return []string{"wasm", "process"} }

// Languages are those that a plugin of a runtime can be written in with a kit.
func Languages(runtime string) []string {
	if runtime == "process" {
		return []string{"go", "python"}
	}
	return []string{"go", "rust", "assemblyscript", "c"}
}

// Contracts are those that there is a template for in a language.
func Contracts(language string) []string {
	if language == "go" || language == "python" {
		return []string{abi.Rank, abi.Extract, abi.Sleep, abi.Embed}
	}
	return []string{abi.Rank}
}

// Kind is what a new plugin is to be.
type Kind struct {
	Runtime  string // see [Runtimes]
	Language string // see [Languages]
	Contract string // see [Contracts]
}

// kits say which files of the kits a runtime and language need, and where they go.
var kits = map[string][][2]string{
	"wasm go":             {{"template/go", "."}, {"abi", "orma/abi"}, {"guest", "orma/guest"}, {"wasm", "orma/wasm"}},
	"wasm rust":           {{"template/rust", "."}, {"rust", "orma"}},
	"wasm assemblyscript": {{"template/assemblyscript", "."}, {"assemblyscript", "."}},
	"wasm c":              {{"template/c", "."}, {"c", "."}},
	"process go":          {{"template/process-go", "."}, {"abi", "orma/abi"}, {"guest", "orma/guest"}, {"proc", "orma/proc"}},
	"process python":      {{"template/process-python", "."}, {"proc/python/orma_plugin", "orma_plugin"}},
}

// types are what the templates in Go call the plugin's type.
var types = map[string]string{abi.Rank: "ranker", abi.Extract: "extractor", abi.Sleep: "sleeper", abi.Embed: "embedder"}

// placeholder is the name of the plugin in the templates.
const placeholder = "my_ranker"

// module is where the kit's Go packages import each other from.
const module = "github.com/orma-memory/orma/sdk/"

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// New writes a folder of the plugin's name into dir: a plugin that builds and passes its
// check as it is, with the kit beside it. It returns the folder, which must not exist.
func New(dir, name string, k Kind) (string, error) {
	if !nameRE.MatchString(name) || len(name) > 64 {
		return "", fmt.Errorf("name %q is not lower_snake_case, such as young_first", name)
	}
	parts, ok := kits[k.Runtime+" "+k.Language]
	if !ok {
		return "", fmt.Errorf("language %q is none of those for runtime %s: %s", k.Language, k.Runtime, strings.Join(Languages(k.Runtime), ", "))
	}
	if !slices.Contains(Contracts(k.Language), k.Contract) {
		return "", fmt.Errorf("in %s there is a template for %s alone", k.Language, strings.Join(Contracts(k.Language), ", "))
	}
	folder := filepath.Join(dir, name)
	if _, err := os.Lstat(folder); err == nil {
		return "", fmt.Errorf("%s is there already", folder)
	}
	parts = append(slices.Clone(parts), [2]string{"template/readme-" + k.Contract, "."})
	if len(Contracts(k.Language)) > 1 {
		parts = append(parts, [2]string{"template/" + k.Language + "-" + k.Contract, "."})
	}
	names := replacer(name, k)
	var err error
	for _, p := range parts {
		err = errors.Join(err, copyTree(p[0], filepath.Join(folder, p[1]), names))
	}
	return folder, err
}

// replacer makes a plugin's own texts of the templates.
func replacer(name string, k Kind) *strings.Replacer {
	trusted := ""
	if k.Runtime == "process" {
		trusted = "trusted = true   # a program runs with your rights\n"
	}
	return strings.NewReplacer(
		module, name+"/orma/", placeholder, name, "MyRanker", camel(name), "&ranker{}", "&"+types[k.Contract]+"{}",
		`contract = "rank"`, `contract = "`+k.Contract+`"`, "RUNTIME:", k.Runtime+":", "TRUSTED\n", trusted,
	)
}

// copyTree writes the files below a folder of the kits, with the plugin's names in place
// of the templates'.
func copyTree(from, to string, names *strings.Replacer) error {
	return fs.WalkDir(sdk.Kits, from, func(file string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == "python" {
			return fs.SkipDir // another kit
		}
		if err != nil || d.IsDir() || strings.HasSuffix(file, "_test.go") {
			return err
		}
		b, err := fs.ReadFile(sdk.Kits, file)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(file, from+"/")
		if filepath.Base(rel) != "sample.txt" {
			rel = strings.TrimSuffix(rel, ".txt")
		}
		out := filepath.Join(to, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return err
		}
		return os.WriteFile(out, []byte(names.Replace(string(b))), 0o644)
	})
}

// camel is a name in the style of types.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
