package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestBlend(t *testing.T) { conform(t, Blend) }

func TestBlendByHand(t *testing.T) {
	f := rows(5, Blend)
	set(f, frame.Score, 1, 1, 1, 1, 0)
	set(f, BaseLevelColumn, 0.5, 3, 0, -2, 1)
	set(f, HawkesColumn, 0.25, 0, 0, 0.5, 1)
	set(f, EbbinghausColumn, 0.8, 1, 1, 1, 1)
	run(t, stage(t, Blend, BlendParams{Weight: 0.3}), f)
	wantNear(t, "blend", f.F32(Strength), []float32{0.6, 1, 0, 0.5, 1}, 1e-6)
	wantNear(t, "score", f.F32(frame.Score), []float32{0.88, 1, 0.7, 0.85, 0}, 1e-6)
	refused(t, Blend, BlendParams{Weight: 1.1}, BlendParams{Weight: -0.1})
}

// TestOneUseFades follows one record that is never used again through the three
// stages and blend, at the ages that a reference run of the same formulas gave.
func TestOneUseFades(t *testing.T) {
	ages := []float32{0, 0.5, 1, 2, 7, 30, 365}
	f := rows(len(ages), BaseLevel, Hawkes, Ebbinghaus, Blend)
	var lists [][]float32
	for i, a := range ages {
		lists = append(lists, []float32{a})
		f.F32(frame.Score)[i] = 1
	}
	uses(f, lists...)
	run(t, stage(t, BaseLevel, BaseLevel.NewParams()), f)
	run(t, stage(t, Hawkes, Hawkes.NewParams()), f)
	run(t, stage(t, Ebbinghaus, Ebbinghaus.NewParams()), f)
	run(t, stage(t, Blend, Blend.NewParams()), f)
	wantNear(t, "score", f.F32(frame.Score), []float32{1, 0.891, 0.829, 0.764, 0.703, 0.7, 0.7}, 6e-4)
}

func BenchmarkBlend(b *testing.B) { bench(b, Blend) }
