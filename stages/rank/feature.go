package rank

import (
	"context"
	"fmt"
	"math"

	"github.com/orma-memory/orma/core/frame"
)

// maxWeight bounds the weight of a feature. e^20 is half a billion: a stage with
// more has nothing left to decide.
const maxWeight = 20

// WeightParams are the keys of a stage that weighs one feature.
type WeightParams struct {
	Weight float32 `toml:"weight" doc:"the score is multiplied by e^(weight * feature); 0 changes nothing"`
}

// Validate reports a weight outside its range.
func (p *WeightParams) Validate() error { return checkWeight("weight", p.Weight) }

func checkWeight(key string, w float32) error {
	if !(w >= -maxWeight && w <= maxWeight) { // so that NaN is refused too
		return fmt.Errorf("%s must be between %d and %d", key, -maxWeight, maxWeight)
	}
	return nil
}

// checkRange reports a parameter that is not in [lo, hi], NaN among them.
func checkRange(key string, v, lo, hi float32) error {
	if !(v >= lo && v <= hi) {
		return fmt.Errorf("%s must be between %v and %v", key, lo, hi)
	}
	return nil
}

// boost multiplies every score by e^(weight·feature). Features are in [-1, 1].
func boost(score, feature []float32, weight float32) {
	if weight == 0 {
		return
	}
	for i, x := range feature {
		if x != 0 {
			score[i] = scaled(score[i], math.Exp(float64(weight*x)))
		}
	}
}

// scaled multiplies a score and stays finite.
func scaled(score float32, by float64) float32 {
	return float32(min(float64(score)*by, math.MaxFloat32))
}

// unit clamps x to [-1, 1].
func unit(x float32) float32 { return max(-1, min(1, x)) }

// ask fills a column with a channel's score of every row, clamped to [-1, 1]. A
// frame without a source leaves it at zero. On an error the column is zero again.
func ask(ctx context.Context, f *frame.Frame, ch frame.Channel, col []float32) error {
	if f.Source == nil || len(col) == 0 {
		return nil
	}
	if err := f.Source.Score(ctx, ch, f.Docs(), col); err != nil {
		clear(col)
		return fmt.Errorf("channel %s: %w", ch.Name, err)
	}
	for i, x := range col {
		col[i] = unit(x)
	}
	return nil
}
