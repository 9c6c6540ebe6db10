package filter

import (
	"errors"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// TopK keeps the best rows.
var TopK = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "top_k",
		Summary: "Keep the k best rows, best first",
		Doc: `
Orders the rows by score, ties to the lower id, and drops all but the first k. Before
costly stages it saves their time; 0 keeps all and orders nothing.`,
	}, TopKParams{K: 100}, newTopK),
	Reads:   []frame.Column{frame.Score, frame.ID},
	Effect:  pipeline.Drops | pipeline.Orders,
	Neutral: TopKParams{K: 0},
}

// TopKParams are the keys of a top_k table.
type TopKParams struct {
	K int `toml:"k" doc:"rows that stay; 0 for all"`
}

// Validate reports parameters outside their range.
func (p *TopKParams) Validate() error {
	if p.K < 0 {
		return errors.New("k must not be negative")
	}
	return nil
}

func newTopK(p TopKParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		if p.K == 0 {
			return
		}
		f.Rank(frame.Score)
		f.Truncate(p.K)
	}), nil
}
