package rank

import (
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// BaseLevelColumn is the column that [BaseLevel] writes.
var BaseLevelColumn = frame.Column{Name: "base_level", Kind: frame.KindF32, Doc: "sum of (age in days + 1)^-decay over the row's uses"}

// BaseLevel measures how often and how lately a row was used.
var BaseLevel = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "base_level",
		Summary: "Measure how often and how lately a row was stated, cited or recalled",
		Doc: `
Σ (age_days + 1)^(-decay) over the row's uses: each use counts 1 when fresh and
fades by a power law, the base-level activation of ACT-R (Anderson and Schooler,
"Reflections of the environment in memory", 1991) without its logarithm. A use in
the future counts as now. A row without recorded uses was used once, when it was
said.

It changes no score; blend does.`,
	}, BaseLevelParams{Decay: 0.5}, newBaseLevel),
	Reads:  []frame.Column{frame.UseDays, frame.AgeDays},
	Writes: []frame.Column{BaseLevelColumn},
}

// BaseLevelParams are the keys of a base_level table.
type BaseLevelParams struct {
	Decay float32 `toml:"decay" doc:"how fast a use fades; 0 counts uses, whatever their age"`
}

// Validate reports parameters outside their range.
func (p *BaseLevelParams) Validate() error { return checkRange("decay", p.Decay, 0, 10) }

func newBaseLevel(p BaseLevelParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		baseLevel(f.F32(BaseLevelColumn), f.List(frame.UseDays), f.F32(frame.AgeDays), p.Decay)
	}), nil
}

func baseLevel(out []float32, uses *frame.Lists, age []float32, decay float32) {
	d := -float64(decay)
	for i := range out {
		sum := 0.0
		for _, a := range usesOf(uses, age, i) {
			sum += math.Pow(float64(max(0, a))+1, d)
		}
		out[i] = float32(sum)
	}
}

// usesOf returns the ages of a row's uses, or its own age if none is recorded.
func usesOf(uses *frame.Lists, age []float32, row int) []float32 {
	if u := uses.Row(row); len(u) > 0 {
		return u
	}
	return age[row : row+1]
}
