package config_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
)

var update = flag.Bool("update", false, "rewrite golden files")

// base is the profile under the tests' files.
const base = `
[embedder.default]
use = "static"

[pipeline.recall]
stages = ["bm25", "vector", "boost", "novelty", "pack"]

[stage.bm25]
k = 60

[stage.boost]
use    = "cosine_boost"
weight = 0.5

[pipeline.sleep]
stages = ["extract", "gate"]
`

var profiles = fstest.MapFS{
	"default.toml":   {Data: []byte(base)},
	"text-only.toml": {Data: []byte("[pipeline.recall]\nstages = [\"bm25\", \"pack\"]\n[pipeline.sleep]\nstages = []\n")},
}

type kParams struct {
	K        int    `toml:"k"        doc:"rows"`
	Embedder string `toml:"embedder" doc:"embedder"`
}

func (p *kParams) Validate() error {
	if p.K < 1 {
		return errors.New("k must be at least 1")
	}
	return nil
}

type weightParams struct {
	Weight  float32   `toml:"weight"  doc:"weight"`
	Exact   bool      `toml:"exact"   doc:"flag"`
	Names   []string  `toml:"names"   doc:"list"`
	Numbers []float64 `toml:"numbers" doc:"list"`
	Small   int8      `toml:"small"   doc:"small number"`
}

func (p *weightParams) Validate() error {
	var errs []error
	if p.Weight < 0 {
		errs = append(errs, errors.New("weight must not be negative"))
	}
	if p.Small < 0 {
		errs = append(errs, errors.New("small must not be negative"))
	}
	return errors.Join(errs...)
}

type packParams struct {
	Format       string `toml:"format"        doc:"format"`
	BudgetTokens int    `toml:"budget_tokens" doc:"budget"`
}

type none struct{}

type gateParams struct {
	Conditions bool `toml:"conditions" doc:"conditions"`
}

// stage is a recall stage that does nothing. embedder is what a vector stage names.
type stage struct {
	params   any
	embedder string
}

func (stage) Run(context.Context, *frame.Frame) error { return nil }

type retriever struct{ stage }

func (retriever) Retrieve(_ context.Context, _ *frame.Query, _ frame.Source, dst []frame.Hit) ([]frame.Hit, error) {
	return dst, nil
}

func (r retriever) Embedder() string { return r.embedder }

func define[P any](name string, defaults P, build func(P) (pipeline.Stage, error)) component.Spec[pipeline.Stage] {
	return component.Define(component.About{Name: name}, defaults, func(p P, _ component.Deps) (pipeline.Stage, error) { return build(p) })
}

func plain[P any](p P) (pipeline.Stage, error) { return stage{params: p}, nil }

type embedder struct{ embed.Embedder }

type staticParams struct {
	Rows int `toml:"rows" doc:"rows"`
}

func registries(t testing.TB) config.Registries {
	t.Helper()
	retrieve := func(p kParams) (pipeline.Stage, error) { return retriever{stage{p, p.Embedder}}, nil }
	broken := func(none) (pipeline.Stage, error) { return nil, errors.New("no such model") }
	recall, err := pipeline.NewRegistry(
		pipeline.Spec{Spec: define("bm25", kParams{K: 30}, retrieve), Writes: []frame.Column{frame.BM25}, Effect: pipeline.Adds},
		pipeline.Spec{Spec: define("vector", kParams{K: 30}, retrieve), Writes: []frame.Column{frame.Cosine}, Effect: pipeline.Adds},
		pipeline.Spec{Spec: define("cosine_boost", weightParams{Weight: 1}, plain[weightParams]), Reads: []frame.Column{frame.Cosine, frame.Score}, Writes: []frame.Column{frame.Score}},
		pipeline.Spec{Spec: define("novelty", weightParams{}, plain[weightParams]), Effect: pipeline.Drops},
		pipeline.Spec{Spec: define("hawkes", weightParams{}, plain[weightParams])},
		pipeline.Spec{Spec: define("broken", none{}, broken)},
		pipeline.Spec{Spec: define("pack", packParams{"classic", 4096}, plain[packParams]), Folder: "pack"},
	)
	if err != nil {
		t.Fatal(err)
	}
	step := sleep.StageFunc(func(context.Context, *sleep.Batch) error { return nil })
	asleep, err := sleep.NewRegistry(
		sleep.Spec{Spec: component.Define(component.About{Name: "extract"}, none{}, func(none, component.Deps) (sleep.Stage, error) { return step, nil })},
		sleep.Spec{Spec: component.Define(component.About{Name: "gate"}, gateParams{true}, func(gateParams, component.Deps) (sleep.Stage, error) { return step, nil })},
	)
	if err != nil {
		t.Fatal(err)
	}
	embedders, err := component.NewRegistry(
		component.Define(component.About{Name: "static"}, staticParams{}, func(staticParams, component.Deps) (embed.Embedder, error) { return embedder{}, nil }),
		component.Define(component.About{Name: "ollama"}, kParams{K: 1}, func(kParams, component.Deps) (embed.Embedder, error) { return embedder{}, nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	return config.Registries{Recall: recall, Sleep: asleep, Embedders: embedders}
}

// read reads one file called in.toml over the base profile.
func read(t testing.TB, src string, o config.Options) *config.Source {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.toml", []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Files, o.Profiles = append([]string{"in.toml"}, o.Files...), profiles
	return config.Read(o)
}

func load(t testing.TB, src string, o config.Options) (*config.Config, error) {
	t.Helper()
	return read(t, src, o).Load(registries(t), component.Deps{})
}

// TestProblems runs every testdata file: TOML, a line of dashes, and the exact errors
// that loading it gives (none, for a good file). In the TOML, <BOM>, <CR> and <XX>
// stand for those bytes.
func TestProblems(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			src, want, ok := strings.Cut(string(data), "----\n")
			if !ok {
				t.Fatal("no ---- line")
			}
			raw := strings.NewReplacer("<BOM>", "\ufeff", "<CR>", "\r", "<XX>", "\xff", "<NUL>", "\x00", "<FE>", "\xfe").Replace(src)
			c, err := load(t, raw, config.Options{})
			got := ""
			if err != nil {
				got = err.Error() + "\n"
				if code := core.CodeOf(err); code != core.CodeConfig {
					t.Errorf("code %q", code)
				}
				if ps := (config.Problems)(nil); !errors.As(err, &ps) || len(ps) == 0 {
					t.Errorf("%T holds no problems", err)
				}
			} else {
				for _, w := range c.Warnings {
					got += "warning: " + w + "\n"
				}
			}
			if *update {
				if err := os.WriteFile(path, []byte(src+"----\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

func TestHugeFileIsRefused(t *testing.T) {
	_, err := load(t, strings.Repeat("# a comment that goes on and on\n", 1<<16), config.Options{})
	if err == nil || err.Error() != "in.toml: more than 1048576 bytes" {
		t.Errorf("error %v", err)
	}
}

func TestManyProblemsAreCut(t *testing.T) {
	var src strings.Builder
	for i := range 200 {
		fmt.Fprintf(&src, "key%d = 1\n", i)
	}
	_, err := load(t, src.String(), config.Options{})
	if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != 51 || lines[50] != "in.toml: and 150 more problems" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
}
