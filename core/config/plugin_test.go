package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/config"
)

func names(c *config.Config) []string {
	var out []string
	for _, s := range c.Recall.Steps() {
		out = append(out, s.Name)
	}
	return out
}

// TestPluginAfter: in the tests' registry hawkes and novelty stand for what plugins
// bring.
func TestPluginAfter(t *testing.T) {
	const list = "[pipeline.recall]\nstages = [\"bm25\", \"vector\", \"pack\"]\n"
	for name, c := range map[string]struct{ src, want string }{
		"placed":        {list + "[plugin.hawkes]\nafter = \"bm25\"\n[plugin.novelty]\nafter = \"vector\"\n", ""},
		"listed":        {"[pipeline.recall]\nstages = [\"bm25\", \"vector\", \"hawkes\", \"pack\"]\n[plugin.hawkes]\nafter = \"bm25\"\n", "bm25 vector hawkes pack"},
		"not enabled":   {list + "[plugin.hawkes]\nenabled = false\nafter = \"bm25\"\n", "bm25 vector pack"},
		"nowhere":       {list + "[plugin.hawkes]\npath = \"x.wasm\"\n", "bm25 vector pack"},
		"with a table":  {list + "[plugin.hawkes]\nafter = \"vector\"\n[stage.hawkes]\nweight = 2.0\n", "bm25 vector hawkes pack"},
		"behind others": {list + "[plugin.hawkes]\nafter = \"vector\"\n[plugin.novelty]\nafter = \"hawkes\"\n", "bm25 vector hawkes novelty pack"},
		"before others": {list + "[plugin.hawkes]\nafter = \"novelty\"\n[plugin.novelty]\nafter = \"vector\"\n", "bm25 vector novelty hawkes pack"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				// Retrievers stand together, so a plugin between two of them is refused.
				if _, err := load(t, c.src, config.Options{}); err == nil || !strings.Contains(err.Error(), "vector adds rows") {
					t.Errorf("Load: %v", err)
				}
				return
			}
			got, err := load(t, c.src, config.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s := strings.Join(names(got), " "); s != c.want {
				t.Errorf("stages %q, want %q", s, c.want)
			}
			again, err := load(t, got.TOML(), config.Options{})
			if err != nil || !slices.Equal(names(again), names(got)) {
				t.Errorf("shown and read again: %v, %v", names(again), err)
			}
			if slices.Contains(names(got), "hawkes") {
				off, err := load(t, c.src, config.Options{Off: []string{"hawkes"}})
				if err != nil || slices.Contains(names(off), "hawkes") {
					t.Errorf("switched off: %v, %v", names(off), err)
				}
			}
		})
	}
}

func TestReadPluginFile(t *testing.T) {
	const good = "name = \"a_b\"\nversion = \"1\"\ncontract = \"rank\"\nabi = 1\nruntime = \"wasm\"\nlanguage = \"go\"\n"
	for name, c := range map[string]struct{ src, want string }{
		"good":        {good, ""},
		"unknown key": {good + "verison = \"1\"\n", `unknown key "verison" (did you mean "version"?)`},
		"missing":     {strings.Replace(good, "abi = 1\n", "", 1), "abi is missing"},
		"wrong type":  {strings.Replace(good, "abi = 1", "abi = \"one\"", 1), "p.toml:4: "},
		"no TOML":     {"name = ", "p.toml:1: "},
		"a path":      {strings.Replace(good, "a_b", "../x", 1), "not lower_snake_case"},
		"empty":       {"", "name is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.toml")
			if err := os.WriteFile(file, []byte(c.src), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := config.ReadPluginFile(file)
			if c.want == "" && (err != nil || p.Name != "a_b" || p.ABI != 1) {
				t.Errorf("got %+v, %v", p, err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := config.ReadPluginFile(filepath.Join(t.TempDir(), "none.toml")); err == nil {
		t.Error("a missing file is no error")
	}
}
