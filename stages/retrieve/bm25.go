package retrieve

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// BM25 finds rows by their words.
var BM25 = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "bm25",
		Summary: "Find rows by their words",
		Doc: `
BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) with k1 1.2
and b 0.75 over the words of passages, states and events. The words of the query are
words, never syntax; function words are dropped unless nothing else is there, and so
are the names of the space's speakers, which the stage speaker weighs. Scripts
without spaces are matched by pairs of characters, inflected ones also by prefixes.`,
	}, KParams{K: 80}, func(p KParams, _ component.Deps) (pipeline.Stage, error) {
		return &channel{frame.Channel{Name: "bm25"}, frame.BM25, p.K}, nil
	}),
	Writes: []frame.Column{frame.BM25},
	Effect: pipeline.Adds,
}

// KParams are the keys of a stage that adds rows.
type KParams struct {
	K int `toml:"k" doc:"rows to add"`
}

// Validate reports parameters outside their range.
func (p *KParams) Validate() error { return checkK(p.K) }
