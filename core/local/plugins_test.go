package local_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// guest returns the path of a module that the tests of host/wasmhost have.
func guest(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "host", "wasmhost", "testdata", "hostile", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// home makes Orma's folder with a configuration.
func home(t testing.TB, toml string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, dir string) *local.Memory {
	t.Helper()
	m, err := local.Open(context.Background(), local.Options{Home: dir, OneShot: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// hostilePlugin puts a guest behind the stages that rank. All guests of the tests call
// themselves hostile.
func hostilePlugin(path string, more string) string {
	return fmt.Sprintf("[plugin.hostile]\npath = %q\nafter = \"rrf\"\n%s[pipeline.recall]\nstages = [\"bm25\", \"rrf\", \"pack\"]\n", path, more)
}

func remember(t testing.TB, m *local.Memory) {
	t.Helper()
	for _, text := range []string{"The spare keys are in the blue drawer.", "The spare tyre is in the shed.", "Tea is at four."} {
		if _, err := m.Add(context.Background(), "", engine.Input{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRecallGoesOn: whatever a plugin does, recall answers as it would without, and says
// so.
func TestRecallGoesOn(t *testing.T) {
	for _, name := range []string{"loop", "fibonacci", "bomb", "trap", "nan", "billion", "order_twice", "smash", "code", "exits", "random_flood"} {
		t.Run(name, func(t *testing.T) {
			m := open(t, home(t, hostilePlugin(guest(t, name), "")))
			remember(t, m)
			want, err := m.Recall(context.Background(), engine.Request{Query: "where are the spare keys", Off: []string{"hostile"}})
			if err != nil || len(want.Notes) > 0 || !strings.Contains(want.Block, "blue drawer") {
				t.Fatalf("switched off: %v, notes %v", err, want.Notes)
			}
			for range 2 {
				got, err := m.Recall(context.Background(), engine.Request{Query: "where are the spare keys", Explain: true})
				if err != nil {
					t.Fatal(err)
				}
				if got.Block != want.Block {
					t.Errorf("the block is\n%s\nwant\n%s", got.Block, want.Block)
				}
				if len(got.Notes) != 1 || got.Notes[0].Stage != "hostile" {
					t.Errorf("notes %v, want one of the stage", got.Notes)
				}
				i := slices.IndexFunc(got.Trace.Steps, func(s engine.TraceStep) bool { return s.Stage == "hostile" })
				if i < 0 || got.Trace.Steps[i].Error == "" {
					t.Error("the trace does not say it")
				}
			}
		})
	}
}

// TestRequired: a stage that must run fails the recall.
func TestRequired(t *testing.T) {
	m := open(t, home(t, hostilePlugin(guest(t, "trap"), "")+"[stage.hostile]\nrequired = true\ntimeout_ms = 20000\n"))
	remember(t, m)
	if _, err := m.Recall(context.Background(), engine.Request{Query: "spare keys"}); err == nil || !strings.Contains(err.Error(), "recall/hostile: trap") {
		t.Errorf("Recall: %v", err)
	}
}

// TestCrowd recalls from 64 goroutines over a plugin that traps at some frames.
func TestCrowd(t *testing.T) {
	m := open(t, home(t, hostilePlugin(guest(t, "trap"), "")))
	remember(t, m)
	want, err := m.Recall(context.Background(), engine.Request{Query: "spare keys", Off: []string{"hostile"}})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 5 {
				got, err := m.Recall(context.Background(), engine.Request{Query: "spare keys"})
				if err != nil || got.Block != want.Block || len(got.Notes) != 1 {
					t.Errorf("Recall: %v, notes %v", err, got)
				}
			}
		})
	}
	wg.Wait()
}

// TestPluginProblems are errors of the configuration, all at once, before anything runs.
func TestPluginProblems(t *testing.T) {
	for name, c := range map[string]struct{ toml, want string }{
		"not there":     {"[plugin.x]\npath = \"none.wasm\"\n", "config.toml:2: [plugin.x] "},
		"found nowhere": {"[plugin.x]\n", "no x.wasm and no program x in "},
		"another file":  {hostilePlugin(guest(t, "obedient"), "sha256 = \""+strings.Repeat("0", 64)+"\"\n"), "has changed: its sha256 is "},
		"no module":     {"[plugin.x]\npath = \"config.toml\"\n", "is no .wasm file, and no program either"},
		"wrong ABI":     {hostilePlugin(guest(t, "wrong_abi"), ""), "speaks ABI 2"},
		"both":          {"[plugin.x]\n[plugin.y]\npath = \"none.wasm\"\n", "config.toml:3: [plugin.y] "},
		"twice":         {hostilePlugin(guest(t, "obedient"), "[plugin.other]\npath = \""+guest(t, "obedient")+"\"\n"), `is the plugin "hostile": write [plugin.hostile]`},
		"not built":     {"[plugin.x]\npath = \".\"\n", "run orma plugin build "},
		"unknown key":   {hostilePlugin(guest(t, "obedient"), "") + "[stage.hostile]\nweight = 1\n", `unknown key "weight" in [stage.hostile]`},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := local.Open(context.Background(), local.Options{Home: home(t, c.toml), OneShot: true})
			if err == nil {
				_ = m.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || core.CodeOf(err) != core.CodeConfig {
				t.Errorf("Open: %v (%v), want %q", err, core.CodeOf(err), c.want)
			}
		})
	}
}

// TestSearchPath looks a plugin up by its name.
func TestSearchPath(t *testing.T) {
	code, err := os.ReadFile(guest(t, "obedient"))
	if err != nil {
		t.Fatal(err)
	}
	for name, where := range map[string]string{
		"Orma's folder":     "plugins/hostile.wasm",
		"a folder in it":    "plugins/hostile/hostile.wasm",
		"the file's folder": "hostile.wasm",
		"the search path":   "mine/hostile.wasm",
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t, "[plugins]\npath = \"mine\"\n"+strings.Replace(hostilePlugin("x", ""), "path = \"x\"\n", "", 1))
			file := filepath.Join(dir, where)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, code, 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := local.OpenPlugins(context.Background(), local.Options{Home: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if len(p.All) != 1 || p.All[0].Info.Path != file {
				t.Errorf("found %+v, want %s", p.All, file)
			}
		})
	}
}
