package retrieve

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Vector finds rows by what they mean.
var Vector = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "vector",
		Summary: "Find rows whose vectors point where the query's does",
		Doc: `
The cosine of the query's vector and each row's, over one embedder. Every row is looked
at through 200,000 of them; above, a sketch of sign bits picks the rows that are, and
the answer says that it is approximate.`,
	}, VectorParams{K: 80}, newVector),
	Writes: []frame.Column{frame.Cosine},
	Effect: pipeline.Adds,
}

// VectorParams are the keys of a vector table.
type VectorParams struct {
	K        int    `toml:"k"        doc:"rows to add"`
	Embedder string `toml:"embedder" doc:"embedder of the vectors; empty for the default one"`
}

// Validate reports parameters outside their range.
func (p *VectorParams) Validate() error { return checkK(p.K) }

func newVector(p VectorParams, _ component.Deps) (pipeline.Stage, error) {
	return &vectors{channel{frame.Channel{Name: "cosine", Embedder: p.Embedder}, frame.Cosine, p.K}}, nil
}

type vectors struct{ channel }

// Embedder is the embedder whose query vector the stage needs.
func (v *vectors) Embedder() string { return v.ch.Embedder }
