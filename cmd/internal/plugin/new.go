// Package plugin makes, builds and checks plugins for their authors.
package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/orma-memory/orma/sdk"
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

// kits say which files of the kits a runtime and language need, and where they go; what
// stands later wins.
var kits = map[string][][2]string{
	"wasm go":             {{"template/go", "."}, {"abi", "orma/abi"}, {"guest", "orma/guest"}, {"wasm", "orma/wasm"}},
	"wasm rust":           {{"template/rust", "."}, {"rust", "orma"}},
	"wasm assemblyscript": {{"template/assemblyscript", "."}, {"assemblyscript", "."}},
	"wasm c":              {{"template/c", "."}, {"c", "."}},
	"process go":          {{"template/go", "."}, {"template/process-go", "."}, {"abi", "orma/abi"}, {"guest", "orma/guest"}, {"proc", "orma/proc"}},
	"process python":      {{"template/process-python", "."}, {"proc/python/orma_plugin", "orma_plugin"}},
}

// placeholder is the name of the plugin in the templates.
const placeholder = "my_ranker"

// module is where the kit's Go packages import each other from.
const module = "github.com/orma-memory/orma/sdk/"

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// New writes a folder of the plugin's name into dir: a ranker that builds and passes its
// check as it is, with the kit beside it. It returns the folder, which must not exist.
func New(dir, name, runtime, language string) (string, error) {
	if !nameRE.MatchString(name) || len(name) > 64 {
		return "", fmt.Errorf("name %q is not lower_snake_case, such as young_first", name)
	}
	parts, ok := kits[runtime+" "+language]
	if !ok {
		return "", fmt.Errorf("language %q is none of those for runtime %s: %s", language, runtime, strings.Join(Languages(runtime), ", "))
	}
	folder := filepath.Join(dir, name)
	if _, err := os.Lstat(folder); err == nil {
		return "", fmt.Errorf("%s is there already", folder)
	}
	var err error
	for _, p := range parts {
		err = errors.Join(err, copyTree(p[0], filepath.Join(folder, p[1]), name))
	}
	return folder, err
}

// copyTree writes the files below a folder of the kits, with the plugin's name in place
// of the placeholder.
func copyTree(from, to, name string) error {
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
		text := strings.ReplaceAll(string(b), module, name+"/orma/")
		text = strings.ReplaceAll(text, placeholder, name)
		text = strings.ReplaceAll(text, "MyRanker", camel(name))
		rel := strings.TrimSuffix(strings.TrimPrefix(file, from+"/"), ".txt")
		out := filepath.Join(to, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return err
		}
		return os.WriteFile(out, []byte(text), 0o644)
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
