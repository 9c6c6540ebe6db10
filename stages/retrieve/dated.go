package retrieve

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// DatedColumn is the column that [Dated] writes.
var DatedColumn = frame.Column{Name: "dated", Kind: frame.KindF32, Doc: "always 0: dated rows are added, and weighed by the stage date_match"}

// Dated adds rows said near the days that the query names.
var Dated = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "dated",
		Summary: "Add rows said near the days that the query names",
		Doc: `
For a query that names a day, a week, a month or a year ("in May", "last Tuesday"), the
k best rows by words among those said near it become candidates. Without a date in the
query it adds nothing. The stage date_match weighs them.`,
	}, KParams{K: 60}, func(p KParams, _ component.Deps) (pipeline.Stage, error) {
		return &dated{channel{frame.Channel{Name: "date"}, DatedColumn, p.K}}, nil
	}),
	Writes: []frame.Column{DatedColumn},
	Effect: pipeline.Adds,
}

type dated struct{ channel }

// Run gives the rows no score.
func (d *dated) Run(context.Context, *frame.Frame) error { return nil }
