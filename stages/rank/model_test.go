package rank

import (
	"math"
	"testing"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// TestStagesAreOneModel checks what lets weights be fitted outside the pipeline: the
// logarithm of the final score is one weighted sum of columns, whatever the order of
// the stages.
func TestStagesAreOneModel(t *testing.T) {
	fusion := ScoreFusionParams{Form: "exp", Weights: "fixed", Text: 0.5, SessionText: 2}
	features := []struct {
		spec   pipeline.Spec
		column frame.Column
		params any
		weight float64
	}{
		{SoftContext, SoftContextFeature, WeightParams{Weight: 7.9}, 7.9},
		{Question, QuestionFeature, WeightParams{Weight: -0.65}, -0.65},
		{Reply, ReplyFeature, VectorParams{Weight: 2.5}, 2.5},
		{Informativeness, InformativenessFeature, InformativenessParams{Weight: 2.3, FullWords: 40}, 2.3},
		{Speaker, Named, WeightParams{Weight: 1.15}, 1.15},
	}
	all := []pipeline.Spec{ScoreFusion}
	for _, x := range features {
		all = append(all, x.spec)
	}
	both := ScoreFusion
	for _, s := range all[1:] {
		both.Reads = append(both.Reads, s.Reads...)
		both.Writes = append(both.Writes, s.Writes...)
	}
	for _, backwards := range []bool{false, true} {
		f := stagetest.Frame(&both, 300, 2)
		run(t, stage(t, ScoreFusion, fusion), f)
		for i := range features {
			if backwards {
				i = len(features) - 1 - i
			}
			run(t, stage(t, features[i].spec, features[i].params), f)
		}
		text, session := make([]float32, f.Len()), make([]float32, f.Len())
		Normalise(text, f.F32(frame.BM25), f.Order())
		Normalise(session, f.F32(frame.SessionText), f.Order())
		for row, score := range f.F32(frame.Score) {
			want := 0.5*float64(text[row]) + 2*float64(session[row]) - 2.5
			for _, x := range features {
				want += x.weight * float64(f.F32(x.column)[row])
			}
			if got := math.Log(float64(score)); math.Abs(got-want) > 1e-4 {
				t.Fatalf("row %d: the logarithm of the score is %v, want %v", row, got, want)
			}
		}
	}
}
