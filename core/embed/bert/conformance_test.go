package bert

import (
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/sdk/embedtest"
)

// TestConformance: the engine is held to what embedders of plugins are.
func TestConformance(t *testing.T) {
	e := openToy(t, newToy(2, 32, 2, 64, 2).pack(t, "mean"), Config{})
	spec := component.Define(component.About{Name: "it", Summary: "It", Doc: "It."}, struct{}{},
		func(struct{}, component.Deps) (embed.Embedder, error) { return e, nil })
	for _, r := range embedtest.Check(t.Context(), embedtest.Suite{Spec: spec}) {
		for _, e := range r.Errors {
			t.Errorf("%s: %s", r.Name, e)
		}
	}
}
