package retrieve

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// RecentColumn is the column that [Recent] writes.
var RecentColumn = frame.Column{Name: "recent", Kind: frame.KindF32, Doc: "always 0: recent rows are added, and ranked by what they say"}

// Recent adds the rows that came last.
var Recent = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "recent",
		Summary: "Add the rows that came last, whatever they say",
		Doc: `
The k newest rows become candidates, for questions such as "what did I just say?".
Other stages score them; this one gives them none.`,
	}, KParams{K: 10}, func(p KParams, _ component.Deps) (pipeline.Stage, error) {
		return &recent{channel{frame.Channel{Name: "recent"}, RecentColumn, p.K}}, nil
	}),
	Writes: []frame.Column{RecentColumn},
	Effect: pipeline.Adds,
}

type recent struct{ channel }

// Run gives the rows no score.
func (r *recent) Run(context.Context, *frame.Frame) error { return nil }
