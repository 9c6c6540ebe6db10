package rank

import (
	"cmp"
	"slices"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// RRF scores rows by their ranks in the channels.
var RRF = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "rrf",
		Summary: "Score rows by their rank in each channel",
		Doc: `
Σ weight / (k + rank) over the channels that found the row, divided by what a row
gets that is first in all of them: reciprocal rank fusion (Cormack, Clarke and
Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning
methods", 2009). Ranks count from 1 over live rows with a value above zero; equal
values go to the lower id.

With graded, a vector hit counts by its similarity, so that what noise_floor lowered
counts less. Ranks forget by how much one row beats the next; score_fusion does not,
and measured better.`,
	}, RRFParams{K: 60, Text: 1, Vector: 1}, newRRF),
	Any:    FusionColumns(),
	Writes: []frame.Column{frame.Score},
}

// RRFParams are the keys of an rrf table.
type RRFParams struct {
	K             float32 `toml:"k"              doc:"how little the first ranks stand out"`
	Text          float32 `toml:"text"           doc:"weight of the row's own words"`
	Context       float32 `toml:"context"        doc:"weight of the words of the turns around the row"`
	Vector        float32 `toml:"vector"         doc:"weight of the row's cosine"`
	SessionText   float32 `toml:"session_text"   doc:"weight of the words of the row's session"`
	SessionVector float32 `toml:"session_vector" doc:"weight of the best cosine in the row's session"`
	Link          float32 `toml:"link"           doc:"weight of nearness over entities"`
	Graded        bool    `toml:"graded"         doc:"count a vector hit by its similarity instead of fully"`
}

func (p *RRFParams) weights() [fusionChannels]float32 {
	return [...]float32{p.Text, p.Context, p.Vector, p.SessionText, p.SessionVector, p.Link}
}

// Validate reports parameters outside their range.
func (p *RRFParams) Validate() error {
	if err := checkRange("k", p.K, 0, 1e6); err != nil {
		return err
	}
	return checkFusionWeights(p.weights(), 0, 1000)
}

type rrf struct {
	p       RRFParams
	weights [fusionChannels]float32
	best    float64   // the score of a row that is first everywhere, before division
	scratch sync.Pool // *[]int32
}

func newRRF(p RRFParams, _ component.Deps) (pipeline.Stage, error) {
	s := &rrf{p: p, weights: p.weights()}
	s.scratch.New = func() any { return new([]int32) }
	for _, w := range s.weights {
		s.best += float64(w) / (float64(p.K) + 1)
	}
	return pipeline.Pure(s.run), nil
}

func (s *rrf) run(f *frame.Frame) {
	score := f.F32(frame.Score)
	clear(score)
	buf := s.scratch.Get().(*[]int32)
	defer s.scratch.Put(buf)
	for c, values := range fusionValues(f) {
		if s.weights[c] == 0 {
			continue
		}
		*buf = ranked((*buf)[:0], f.Order(), values, f.I64(frame.ID))
		for rank, row := range *buf {
			w := float64(s.weights[c])
			if s.p.Graded && (c == fuseVector || c == fuseSessionVector) {
				w *= float64(min(1, values[row]))
			}
			score[row] += float32(w / (float64(s.p.K) + float64(rank+1)) / s.best)
		}
	}
}

// ranked appends the rows with a value above zero, highest first, ties to the
// lower id.
func ranked(dst, rows []int32, values []float32, ids []int64) []int32 {
	for _, r := range rows {
		if values[r] > 0 {
			dst = append(dst, r)
		}
	}
	slices.SortFunc(dst, func(a, b int32) int {
		if d := cmp.Compare(values[b], values[a]); d != 0 {
			return d
		}
		return cmp.Compare(ids[a], ids[b])
	})
	return dst
}
