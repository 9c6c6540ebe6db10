package filter

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Expired drops rows whose time to live is over.
var Expired = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "expired",
		Summary: "Drop rows whose time to live is over",
		Doc: `
Drops rows that the engine marks as expired at the query's clock. The engine leaves
them out of a block in any case; this takes them out before they are ranked, so that
they take no place from others.`,
	}, struct{}{}, newExpired),
	Reads:  []frame.Column{frame.Expired},
	Effect: pipeline.Drops,
}

func newExpired(struct{}, component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		expired := f.F32(frame.Expired)
		f.Keep(func(row int32) bool { return expired[row] < 0.5 })
	}), nil
}
