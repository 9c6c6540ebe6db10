package configs_test

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/orma-memory/orma/configs"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/stages"
	sleepstages "github.com/orma-memory/orma/stages/sleep"
)

// registries holds every built-in stage. Of embedders only the names count here.
func registries(t *testing.T) config.Registries {
	t.Helper()
	recall, err := pipeline.NewRegistry(stages.All()...)
	if err != nil {
		t.Fatal(err)
	}
	asleep, err := sleep.NewRegistry(sleepstages.All()...)
	if err != nil {
		t.Fatal(err)
	}
	static := component.Define(component.About{Name: "static"}, struct{}{}, func(struct{}, component.Deps) (embed.Embedder, error) { return none{}, nil })
	embedders, err := component.NewRegistry(static)
	if err != nil {
		t.Fatal(err)
	}
	return config.Registries{Recall: recall, Sleep: asleep, Embedders: embedders}
}

// none is an embedder that is never asked.
type none struct{}

func (none) Info() embed.Info                                             { return embed.Info{} }
func (none) Embed(context.Context, []float32, []string, embed.Kind) error { return nil }

func TestEveryProfileLoads(t *testing.T) {
	reg := registries(t)
	for _, name := range config.Profiles() {
		t.Run(name, func(t *testing.T) {
			c, err := config.Read(config.Options{Files: []string{name}}).Load(reg, component.Deps{})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Warnings) > 0 {
				t.Errorf("warnings: %q", c.Warnings)
			}
			if _, ok := c.Pack().(pack.Packer); !ok {
				t.Errorf("%T is no Packer", c.Pack())
			}
			if len(c.Sleep) != 7 {
				t.Errorf("%d sleep stages", len(c.Sleep))
			}
			for _, s := range c.StageNames("recall") {
				off, err := config.Read(config.Options{Files: []string{name}, Off: []string{s}}).Load(reg, component.Deps{})
				if err != nil {
					t.Errorf("--off %s: %v", s, err)
				} else if off.Digest() == c.Digest() {
					t.Errorf("--off %s: the digest is the same", s)
				}
			}
		})
	}
}

// TestEverySweepLoads loads every variant of every sweep.
func TestEverySweepLoads(t *testing.T) {
	reg := registries(t)
	err := fs.WalkDir(configs.FS, "ablations", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := fs.ReadFile(configs.FS, name)
		if err != nil {
			return err
		}
		sweep, err := config.LoadSweep(name, string(src))
		if err != nil {
			t.Error(err)
			return nil
		}
		base := config.Read(config.Options{Files: []string{sweep.Base}})
		c, err := base.Load(reg, component.Deps{})
		if err != nil {
			t.Error(err)
			return nil
		}
		seen := map[string]string{c.Digest(): "the base"}
		for _, v := range sweep.All(c.StageNames(sweep.LeaveOneOut)) {
			c, err := base.With(v.Off, v.Set).Load(reg, component.Deps{})
			if err != nil {
				t.Errorf("%s, %s: %v", strings.TrimSuffix(path.Base(name), ".toml"), v.Name, err)
				continue
			}
			if same, ok := seen[c.Digest()]; ok {
				t.Errorf("%s: %s is the same as %s", name, v.Name, same)
			}
			seen[c.Digest()] = v.Name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
