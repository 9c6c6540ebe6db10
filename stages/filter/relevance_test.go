package filter

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/stages/rank"
)

func TestRelevance(t *testing.T) { conform(t, Relevance) }

func TestRelevanceKeepsWhatAnythingJoins(t *testing.T) {
	f := rows(7, Relevance)
	copy(f.F32(frame.BM25), []float32{1, 0, 0, 0, 0, 0, 0})
	copy(f.F32(frame.Context), []float32{0, 1, 0, 0, 0, 0, 0})
	copy(f.F32(rank.SoftContextFeature), []float32{0, 0, 0.35, 0.34, 0, 0, 0})
	copy(f.F32(rank.CentredCosineFeature), []float32{0, 0, 0, 0.19, 0.2, 0, -0.5})
	copy(f.F32(rank.DateMatchFeature), []float32{0, 0, 0, 0, 0, 0.1, 0})
	copy(f.F32(frame.Link), []float32{0, 0, 0, 0.4, 0, 0, 0.2})
	run(t, stage(t, Relevance, RelevanceParams{MinWords: 0.35, MinCosine: 0.2, MinLink: 0.3}), f)
	wantOrder(t, f, 0, 1, 2, 3, 4, 5)
	refused(t, Relevance, RelevanceParams{MinWords: 1.5, MinLink: 1}, RelevanceParams{MinWords: -1, MinLink: 1}, RelevanceParams{MinCosine: 2, MinLink: 1}, RelevanceParams{MinWords: 1})
}

func TestRelevanceDropsWhatOnlyLinksJoin(t *testing.T) {
	f := rows(3, Relevance)
	copy(f.F32(frame.Link), []float32{1, 1, 1})
	run(t, stage(t, Relevance, Relevance.NewParams()), f)
	wantOrder(t, f)
}

func BenchmarkRelevance(b *testing.B) { bench(b, Relevance) }
