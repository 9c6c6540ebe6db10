package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
)

// shown returns the lines of the effective configuration that begin with one of the
// keys, each with its table.
func shown(c *config.Config, keys ...string) string {
	var out []string
	table := ""
	for line := range strings.Lines(c.TOML()) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]")
			continue
		}
		for _, k := range keys {
			if table+"."+strings.SplitN(line, " ", 2)[0] == k {
				out = append(out, table+"."+line)
			}
		}
	}
	return strings.Join(out, "\n")
}

func TestLayers(t *testing.T) {
	const src = `
[stage.bm25]
k = 30
[serve]
port = 9000
[store]
path = "mine.db"
`
	tests := []struct {
		name string
		src  string
		o    config.Options
		keys []string
		want string
	}{
		{"profile alone", "", config.Options{}, []string{"stage.bm25.k", "stage.boost.weight", "stage.vector.k"}, "stage.bm25.k = 60\nstage.vector.k = 30\nstage.boost.weight = 0.5"},
		{"a file changes one value", src, config.Options{}, []string{"stage.bm25.k", "stage.boost.weight", "serve.port", "serve.host"}, "serve.host = \"127.0.0.1\"\nserve.port = 9000\nstage.bm25.k = 30\nstage.boost.weight = 0.5"},
		{"the environment goes over files", src, config.Options{Env: []string{"ORMA_SERVE_PORT=9001", "ORMA_STORE_PATH=/x y", "ORMA_HOME=/h", "OTHER=1", "ORMA_SHARED=/s"}}, []string{"serve.port", "store.path"}, "store.path = \"/x y\"\nserve.port = 9001"},
		{"flags go over the environment", src, config.Options{Env: []string{"ORMA_SERVE_PORT=9001"}, Set: []string{"serve.port=9002", "stage.bm25.k = 16", "stage.pack.format=sutra", "stage.boost.names=[\"a\"]"}}, []string{"serve.port", "stage.bm25.k", "stage.pack.format", "stage.boost.names"}, "serve.port = 9002\nstage.bm25.k = 16\nstage.boost.names = [\"a\"]\nstage.pack.format = \"sutra\""},
		{"off", "", config.Options{Off: []string{"boost, novelty"}}, []string{"stage.boost.enabled", "stage.novelty.enabled", "stage.bm25.enabled"}, "stage.bm25.enabled = true\nstage.boost.enabled = false\nstage.novelty.enabled = false"},
		{"set after off", "", config.Options{Off: []string{"boost"}, Set: []string{"stage.boost.enabled=true"}}, []string{"stage.boost.enabled"}, "stage.boost.enabled = true"},
		{"another type drops the old parameters", "[stage.boost]\nuse = \"novelty\"\n", config.Options{}, []string{"stage.boost.use", "stage.boost.weight"}, "stage.boost.use = \"novelty\"\nstage.boost.weight = 0.0"},
		{"a new list", "[pipeline.recall]\nstages = [\"bm25\", \"pack\"]\n", config.Options{}, []string{"pipeline.recall.stages"}, "pipeline.recall.stages = [\"bm25\", \"pack\"]"},
		{"a profile by name", "[stage.bm25]\nk = 5\n", config.Options{Files: []string{"text-only"}}, []string{"pipeline.recall.stages", "stage.bm25.k"}, "pipeline.recall.stages = [\"bm25\", \"pack\"]\nstage.bm25.k = 5"},
		{"switches", "[orma]\nenable_novelty_gate = false\nenable_sutra_packing = true\nsearch_k = 7\nbudget_tokens = 99\nenable_defeasible_logic = false\n", config.Options{}, []string{"stage.novelty.enabled", "stage.pack.format", "stage.pack.budget_tokens", "stage.bm25.k", "stage.vector.k", "stage.gate.conditions"}, "stage.bm25.k = 7\nstage.vector.k = 7\nstage.novelty.enabled = false\nstage.pack.format = \"sutra\"\nstage.pack.budget_tokens = 99\nstage.gate.conditions = false"},
		{"a stage's own table goes over a switch", "[orma]\nsearch_k = 7\n[stage.bm25]\nk = 8\n", config.Options{}, []string{"stage.bm25.k", "stage.vector.k"}, "stage.bm25.k = 8\nstage.vector.k = 7"},
		{"a later switch goes over an earlier table", "[stage.bm25]\nk = 8\n", config.Options{Set: []string{"orma.search_k=9"}}, []string{"stage.bm25.k"}, "stage.bm25.k = 9"},
		{"semantic off", "[orma]\nenable_semantic = false\n", config.Options{}, []string{"orma.enable_semantic"}, "orma.enable_semantic = false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := load(t, tt.src, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(c, tt.keys...); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			// What is shown can be loaded, and is the same.
			again, err := load(t, c.TOML(), config.Options{})
			if err != nil {
				t.Fatalf("the effective configuration does not load: %v\n%s", err, c.TOML())
			}
			if again.TOML() != c.TOML() || again.Digest() != c.Digest() {
				t.Errorf("loaded again:\n%s\nwant:\n%s", again.TOML(), c.TOML())
			}
		})
	}
}

func TestProblemsOfFlags(t *testing.T) {
	tests := []struct {
		o    config.Options
		want string
	}{
		{config.Options{Off: []string{"bost"}}, `--off bost: no pipeline lists stage "bost" (did you mean "boost"?)`},
		{config.Options{Off: []string{"pack"}}, "--off pack: pack cannot be switched off: it writes the block"},
		{config.Options{Set: []string{"stage.bm25.kk=1"}}, `--set stage.bm25.kk=1: unknown key "kk" in [stage.bm25] (did you mean "k"?)`},
		{config.Options{Set: []string{"stage.bm25.k=-1"}}, "--set stage.bm25.k=-1: [stage.bm25] k must be at least 1"},
		{config.Options{Set: []string{"stage.bm25.k=many"}}, "--set stage.bm25.k=many: [stage.bm25] k must be a whole number"},
		{config.Options{Set: []string{"stage.bm25.k"}}, "--set stage.bm25.k: want KEY=VALUE, such as stage.bm25.k=16"},
		{config.Options{Set: []string{"stge.bm25.k=1"}}, `--set stge.bm25.k=1: unknown table [stge] (did you mean "stage"?)`},
		{config.Options{Set: []string{"serve.port=99999"}}, "--set serve.port=99999: [serve] port must be 0 to 65535, not 99999"},
		{config.Options{Env: []string{"ORMA_SERVE_PROT=1"}}, `ORMA_SERVE_PROT: unknown key "prot" in [serve] (did you mean "port"?)`},
		{config.Options{Set: []string{"a]\n[store=1"}}, "--set a]\n[store=1: \"a]\\n[store\" is no key"},
	}
	for _, tt := range tests {
		_, err := load(t, "", tt.o)
		if got := fmt.Sprint(err); got != tt.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", tt.o, got, tt.want)
		}
	}
}

func TestFiles(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	load := func(o config.Options) (*config.Config, error) {
		o.Profiles = profiles
		return config.Read(o).Load(registries(t), component.Deps{})
	}
	if _, err := load(config.Options{Home: home}); err != nil {
		t.Errorf("a home without config.toml: %v", err)
	}
	_, err := load(config.Options{Files: []string{"missing.toml", "text-onyl"}})
	want := "missing.toml: no such file\ntext-onyl: no such file (did you mean \"text-only\"?)"
	if fmt.Sprint(err) != want || core.CodeOf(err) != core.CodeConfig {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	if _, err := load(config.Options{Files: []string{home}}); err == nil || !strings.Contains(err.Error(), "a folder, not a file") {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(home, "config.toml")
	if err := os.WriteFile(path, []byte("[serve]\nport = 1234\n[plugin.mine]\npath = \"p/mine.wasm\"\n[plugins]\npath = \"plugins\"\n[plugin.gone]\nenabled = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := load(config.Options{Home: home, Files: nil})
	if err != nil || c.Serve.Port != 1234 {
		t.Fatalf("config.toml of the home is not read: %v", err)
	}
	src := config.Read(config.Options{Home: home, Profiles: profiles})
	plugins, search, err := src.Plugins()
	if err != nil || len(plugins) != 1 || plugins[0].Name != "mine" || plugins[0].Dir != home || plugins[0].Path != "p/mine.wasm" || len(search) != 1 || search[0] != "plugins" {
		t.Errorf("plugins %+v, search path %v, %v", plugins, search, err)
	}
}

func TestConfig(t *testing.T) {
	c, err := load(t, "[stage.boost]\nrequired = true\ntimeout_ms = 20\n[embedder.small]\nuse = \"ollama\"\n[embedder.default]\nenabled = false\n[stage.vector]\nembedder = \"small\"\n", config.Options{Off: []string{"novelty", "extract"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range c.Recall.Steps() {
		names = append(names, s.Name)
		if (s.Name == "boost") != (s.Required && s.Timeout == 20e6) {
			t.Errorf("%s: required %v, timeout %v", s.Name, s.Required, s.Timeout)
		}
	}
	if got := strings.Join(names, " "); got != "bm25 vector boost pack" {
		t.Errorf("stages %s", got)
	}
	if len(c.Sleep) != 1 || c.Sleep[0].Name != "gate" {
		t.Errorf("sleep stages %v", c.Sleep)
	}
	if got := c.StageNames("recall"); strings.Join(got, " ") != "bm25 vector boost" {
		t.Errorf("StageNames = %v", got)
	}
	if _, ok := c.Embedder(""); ok {
		t.Error("the default embedder is off and found")
	}
	e, ok := c.Embedder("small")
	if !ok || e.Use != "ollama" {
		t.Fatalf("embedder small: %+v", e)
	}
	if _, err := e.Build(); err != nil {
		t.Error(err)
	}
}

func TestWithLeavesTheSourceAlone(t *testing.T) {
	s := read(t, "", config.Options{})
	reg := registries(t)
	a, err := s.Load(reg, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.With([]string{"nothing"}, nil).Load(reg, component.Deps{}); err == nil {
		t.Error("an unknown stage is no error")
	}
	b, err := s.With([]string{"boost"}, []string{"stage.bm25.k=3"}).Load(reg, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Load(reg, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Digest() != c.Digest() || a.Digest() == b.Digest() {
		t.Error("the digests do not tell the variants apart")
	}
}

func TestSweep(t *testing.T) {
	s, err := config.LoadSweep("s.toml", `
base = "fast"
leave_one_out = "recall"
seeds = [1, 2]
[variant.b]
off = ["x"]
set = { "stage.a.k" = 3, "stage.a.f" = "sutra" }
[variant.a]
set = { "stage.a.w" = [1.5] }
`)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s %v %v", s.Base, s.Seeds, s.All([]string{"p", "q"}))
	want := `fast [1 2] [{without p [p] []} {without q [q] []} {b [x] [stage.a.f="sutra" stage.a.k=3]} {a [] [stage.a.w=[1.5]]}]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	_, err = config.LoadSweep("s.toml", "bas = 1\nleave_one_out = \"recal\"\nseeds = [\"x\"]\n[variant.a]\n[variant.b]\nset = { stage = { k = 3 } }\nof = [\"x\"]\n")
	want = `s.toml:1: unknown key "bas" in [top level] (did you mean "base"?)
s.toml:2: no pipeline "recal" (did you mean "recall"?)
s.toml:3: [top level] seeds must be a list, each a whole number
s.toml:4: [variant.a] changes nothing; give off or set
s.toml:6: [variant.b] "stage" must be a text, a number, true or false, or a list of them; quote a dotted key
s.toml:7: unknown key "of" in [variant.b] (did you mean "off"?)`
	if fmt.Sprint(err) != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	if _, err := config.LoadSweep("s.toml", "base = \"fast\"\n"); err == nil || !strings.Contains(err.Error(), "needs leave_one_out") {
		t.Errorf("an empty sweep: %v", err)
	}
}

// FuzzLoad checks that no file makes the loader panic, that a problem always has a
// text, and that what loads can be shown and loaded again.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		src, _, _ := strings.Cut(string(data), "----\n")
		f.Add(src)
	}
	f.Add("[stage.\"a b\\\"c,d\"]\nuse = 'bm25'\n\"\" = 1\n[[z]]\na=1\n")
	reg := registries(f)
	dir := f.TempDir()
	path := filepath.Join(dir, "in.toml")
	f.Fuzz(func(t *testing.T, src string) {
		if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Read(config.Options{Files: []string{path}, Profiles: profiles}).Load(reg, component.Deps{})
		if err != nil {
			ps := config.Problems(nil)
			if !errors.As(err, &ps) || len(ps) == 0 {
				t.Fatalf("%T holds no problems: %v", err, err)
			}
			for _, p := range ps {
				if p.Text == "" || p.File == "" {
					t.Fatalf("an empty problem in %v", err)
				}
			}
			return
		}
		if err := os.WriteFile(path, []byte(c.TOML()), 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := config.Read(config.Options{Files: []string{path}, Profiles: profiles}).Load(reg, component.Deps{})
		if err != nil || again.TOML() != c.TOML() {
			t.Fatalf("%v; shown:\n%s", err, c.TOML())
		}
	})
}
