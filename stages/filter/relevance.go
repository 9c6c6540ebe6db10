package filter

import (
	"errors"
	"slices"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/stages/rank"
)

// Relevance drops rows that nothing joins to the query.
var Relevance = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "relevance",
		Summary: "Drop rows that nothing joins to the query, so that a strange query finds nothing",
		Doc: `
The nearest rows to a query that has nothing to do with a space are still its nearest
rows. A row stays if it, or a row beside it, has a word of the query, if it was said
near a day that the query names, if its words are like the query's (soft_context of at
least min_words), or if its meaning is (centred_cosine of at least min_cosine). Where such
rows are, those stay too to which they lead over people and things (link of at least
min_link, where the stage link runs). A space of fewer than min_rows rows is shown as it
is: what little is known fits into any block.

On the conversations of benchmarks/quality the defaults cut a third of the candidates
and 2 of 1,217 that were evidence and among the first 15.`,
	}, RelevanceParams{MinWords: 0.35, MinCosine: 0.2, MinLink: 0.001, MinRows: 50}, newRelevance),
	Reads:   []frame.Column{frame.BM25, frame.Context, rank.SoftContextFeature, rank.CentredCosineFeature, rank.DateMatchFeature},
	Any:     []frame.Column{frame.Link, frame.BM25},
	Effect:  pipeline.Drops,
	Neutral: RelevanceParams{MinWords: 0, MinCosine: -1, MinLink: 1},
}

// RelevanceParams are the keys of a relevance table.
type RelevanceParams struct {
	MinWords  float32 `toml:"min_words"  doc:"soft_context from which a row stays, 0 to 1; 0 keeps all"`
	MinCosine float32 `toml:"min_cosine" doc:"centred_cosine from which a row stays, -1 to 1"`
	MinLink   float32 `toml:"min_link"   doc:"link from which a row stays beside rows that stay by themselves, above 0 to 1"`
	MinRows   int     `toml:"min_rows"   doc:"rows of a space from which any are dropped"`
}

// Validate reports parameters outside their range.
func (p *RelevanceParams) Validate() error {
	if !(p.MinWords >= 0 && p.MinWords <= 1) {
		return errors.New("min_words must be between 0 and 1")
	}
	if !(p.MinCosine >= -1 && p.MinCosine <= 1) {
		return errors.New("min_cosine must be between -1 and 1")
	}
	if p.MinRows < 0 {
		return errors.New("min_rows must not be below 0")
	}
	if !(p.MinLink > 0 && p.MinLink <= 1) {
		return errors.New("min_link must be above 0 and at most 1")
	}
	return nil
}

func newRelevance(p RelevanceParams, _ component.Deps) (pipeline.Stage, error) {
	if p.MinWords == 0 {
		return pipeline.Pure(func(*frame.Frame) {}), nil // every row's words are like enough
	}
	return pipeline.Pure(func(f *frame.Frame) {
		if f.Source != nil && f.Source.Rows() < p.MinRows {
			return
		}
		words, around, date := f.F32(frame.BM25), f.F32(frame.Context), f.F32(rank.DateMatchFeature)
		soft, cosine := f.F32(rank.SoftContextFeature), f.F32(rank.CentredCosineFeature)
		link := f.F32(frame.Link)
		joined := func(row int32) bool {
			return words[row] > 0 || around[row] > 0 || date[row] > 0 || soft[row] >= p.MinWords || cosine[row] >= p.MinCosine
		}
		if !slices.ContainsFunc(f.Order(), joined) {
			f.Truncate(0)
			return
		}
		f.Keep(func(row int32) bool { return joined(row) || link[row] >= p.MinLink })
	}), nil
}
