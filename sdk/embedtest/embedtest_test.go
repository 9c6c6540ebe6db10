package embedtest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/static"
	"github.com/orma-memory/orma/sdk/embedtest"
)

// broken panics where it is called.
type broken struct{}

func (broken) Info() embed.Info { return embed.Info{ID: "broken", Dim: 4} }
func (broken) Embed(context.Context, []float32, []string, embed.Kind) error {
	panic("not like this")
}

func spec(e embed.Embedder) component.Spec[embed.Embedder] {
	return component.Define(component.About{Name: "it", Summary: "It", Doc: "It."}, struct{}{},
		func(struct{}, component.Deps) (embed.Embedder, error) { return e, nil })
}

func TestBuiltInPasses(t *testing.T) {
	for _, r := range embedtest.Check(t.Context(), embedtest.Suite{Spec: spec(static.New())}) {
		for _, e := range r.Errors {
			t.Errorf("%s: %s", r.Name, e)
		}
	}
}

// TestPanic: code that panics fails its checks and not the program that runs them.
func TestPanic(t *testing.T) {
	failed := 0
	rs := embedtest.Check(t.Context(), embedtest.Suite{Spec: spec(broken{})})
	for _, r := range rs {
		if len(r.Errors) > 0 && strings.Contains(r.Errors[0], "panic: not like this") {
			failed++
		}
	}
	if len(rs) != len(embedtest.Checks()) || failed < 4 {
		t.Errorf("%d of %d checks report the panic", failed, len(rs))
	}
}
