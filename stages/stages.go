// Package stages lists every recall stage that is compiled in, and writes their
// reference pages.
package stages

import (
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/stages/filter"
	"github.com/orma-memory/orma/stages/rank"
	"github.com/orma-memory/orma/stages/retrieve"
)

// All returns the built-in stages in the order that documentation shows them. There
// is no other list: a stage that is not on it does not exist.
func All() []pipeline.Spec {
	return []pipeline.Spec{
		retrieve.BM25,
		retrieve.Vector,
		retrieve.Neighbours,
		retrieve.Dated,
		retrieve.Recent,
		retrieve.Link,
		retrieve.SessionText,
		retrieve.SessionVector,

		filter.NoiseFloor,
		filter.Expired,
		filter.Trust,
		filter.Relevance,
		filter.SourceCap,
		filter.Novelty,
		filter.TopK,

		rank.RRF,
		rank.ScoreFusion,
		rank.Informativeness,
		rank.SoftContext,
		rank.CentredCosine,
		rank.ContextCosine,
		rank.Speaker,
		rank.DateMatch,
		rank.AnswerKind,
		rank.Reply,
		rank.Question,
		rank.Assistant,
		rank.BeforeLength,
		rank.Spreading,
		rank.BaseLevel,
		rank.Hawkes,
		rank.Ebbinghaus,
		rank.Blend,

		pack.Stage,
	}
}
