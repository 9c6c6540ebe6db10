package rank

import (
	"math"
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestScoreFusion(t *testing.T) { conform(t, ScoreFusion) }

func fusionFrame() *frame.Frame {
	f := rows(4, ScoreFusion)
	set(f, frame.BM25, 10, 5, 0, 0)
	set(f, frame.Cosine, 0.2, 0.8, -0.5, 0)
	set(f, frame.SessionText, 2, 2, 4, 0)
	return f
}

func TestScoreFusionByHand(t *testing.T) {
	f := fusionFrame()
	run(t, stage(t, ScoreFusion, ScoreFusionParams{Form: "linear", Weights: "fixed", Text: 1, Vector: 0.8, SessionText: 0.2}), f)
	// x = 1 + 0.8/4 + 0.1, 0.5 + 0.8 + 0.1, 0.2, 0; W = 2
	wantNear(t, "linear", f.F32(frame.Score), []float32{0.65, 0.7, 0.1, 0}, 1e-6)

	run(t, stage(t, ScoreFusion, ScoreFusionParams{Form: "exp", Weights: "fixed", Text: 1, Vector: 0.8, SessionText: 0.2}), f)
	e := func(x float64) float32 { return float32(math.Exp(x)) }
	wantNear(t, "exp", f.F32(frame.Score), []float32{e(-0.7), e(-0.6), e(-1.8), 0}, 1e-6)

	run(t, stage(t, ScoreFusion, ScoreFusionParams{Form: "linear", Weights: "fixed", Text: 1, SessionText: -0.8}), f)
	wantNear(t, "a negative weight", f.F32(frame.Score), []float32{0.6, 0.1, 0, 0}, 1e-6)

	refused(t, ScoreFusion, ScoreFusionParams{Form: "log", Weights: "fixed", Text: 1}, ScoreFusionParams{Form: "exp", Weights: "fixed"},
		ScoreFusionParams{Form: "exp", Weights: "all", Text: 1}, ScoreFusionParams{Form: "exp", Weights: "fixed", Text: -1})
}

// TestAutoWeights gives one channel that tells rows apart and one that does not.
func TestAutoWeights(t *testing.T) {
	f := rows(4, ScoreFusion)
	set(f, frame.BM25, 4, 4, 0, 0)
	set(f, frame.Cosine, 0.5, 0.5, 0.5, 0.5)
	run(t, stage(t, ScoreFusion, ScoreFusionParams{Form: "linear", Weights: "auto", Text: 1, Vector: 1}), f)
	// σ is 1/2 for the text, 0 for the cosine; W stays 2
	wantNear(t, "score", f.F32(frame.Score), []float32{0.5, 0.5, 0, 0}, 1e-6)
}

// TestFoundWithoutWeight: a row that only an unweighed channel found is a candidate
// for the features; one that nothing found is not.
func TestFoundWithoutWeight(t *testing.T) {
	f := fusionFrame()
	set(f, frame.BM25, 10, 0, 0, 0)
	run(t, stage(t, ScoreFusion, ScoreFusionParams{Form: "exp", Weights: "fixed", Text: 1}), f)
	e := float32(math.Exp(-1))
	wantNear(t, "score", f.F32(frame.Score), []float32{1, e, e, 0}, 1e-6)
}

// TestFormsAgree checks that both forms order rows alike.
func TestFormsAgree(t *testing.T) {
	order := func(form string) []int32 {
		f := fusionFrame()
		p := ScoreFusion.NewParams().(*ScoreFusionParams)
		p.Form = form
		run(t, stage(t, ScoreFusion, p), f)
		f.Rank(frame.Score)
		return f.Order()
	}
	linear, exp := order("linear"), order("exp")
	for i := range linear {
		if linear[i] != exp[i] {
			t.Fatalf("got order %v for exp, want %v", exp, linear)
		}
	}
}

func TestNormalise(t *testing.T) {
	dst := make([]float32, 4)
	Normalise(dst, []float32{2, -1, 4, 8}, []int32{0, 1, 2}) // row 3 was dropped
	wantNear(t, "shares", dst, []float32{0.5, 0, 1, 1}, 0)
	Normalise(dst, []float32{-2, 0, -4, 0}, []int32{0, 1, 2, 3})
	wantNear(t, "nothing found", dst, make([]float32, 4), 0)
}

func BenchmarkScoreFusion(b *testing.B) { bench(b, ScoreFusion) }
