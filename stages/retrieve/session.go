package retrieve

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// SessionText scores each row's session as one document.
var SessionText = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "session_text",
		Summary: "Score each row's session as one document by its words",
		Doc: `
BM25 of all that was said in the row's session, which knows what the whole conversation
was about when the row itself does not say.`,
	}, struct{}{}, func(struct{}, component.Deps) (pipeline.Stage, error) {
		return &column{frame.Channel{Name: "session_text"}, frame.SessionText}, nil
	}),
	Writes: []frame.Column{frame.SessionText},
}

// SessionVector scores each row's session by its best row.
var SessionVector = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "session_vector",
		Summary: "Score each row's session by the best cosine among its candidates",
		Doc: `
The highest cosine of a candidate of the row's session, for every row of it.`,
	}, EmbedderParams{}, func(p EmbedderParams, _ component.Deps) (pipeline.Stage, error) {
		return &vectorColumn{column{frame.Channel{Name: "session_cosine", Embedder: p.Embedder}, frame.SessionCosine}}, nil
	}),
	Writes: []frame.Column{frame.SessionCosine},
}

// EmbedderParams are the keys of a stage that reads vectors.
type EmbedderParams struct {
	Embedder string `toml:"embedder" doc:"embedder of the vectors; empty for the default one"`
}

// column is a stage that fills one column from a channel.
type column struct {
	ch  frame.Channel
	col frame.Column
}

// Run scores every row.
func (c *column) Run(ctx context.Context, f *frame.Frame) error {
	return score(ctx, f, c.ch, f.F32(c.col))
}

// vectorColumn is a column that needs the query's vector.
type vectorColumn struct{ column }

// Embedder is the embedder whose query vector the stage needs.
func (c *vectorColumn) Embedder() string { return c.ch.Embedder }
