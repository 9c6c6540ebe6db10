package rank

import (
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// HawkesColumn is the column that [Hawkes] writes.
var HawkesColumn = frame.Column{Name: "hawkes", Kind: frame.KindF32, Doc: "excitement by recent uses, 0 to the stage's max"}

// Hawkes measures how much a row is being talked about right now.
var Hawkes = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "hawkes",
		Summary: "Measure how much a row has been used in the last minutes",
		Doc: `
Σ alpha · e^(-β·Δt) over the row's uses, at most max, with Δt in seconds since the
use and β = ln 2 / half_life_seconds: the intensity of a self-exciting point
process (Hawkes, "Spectra of some self-exciting and mutually exciting point
processes", 1971). Where base_level fades over weeks, this lasts for a
conversation. A use in the future counts as now.

It changes no score; blend does.`,
	}, HawkesParams{Alpha: 0.4, HalfLifeSeconds: 1800, Max: 1}, newHawkes),
	Reads:   []frame.Column{frame.UseDays, frame.AgeDays},
	Writes:  []frame.Column{HawkesColumn},
	Neutral: HawkesParams{Alpha: 0, HalfLifeSeconds: 1800, Max: 1},
}

// HawkesParams are the keys of a hawkes table.
type HawkesParams struct {
	Alpha           float32 `toml:"alpha"             doc:"what a use adds at once"`
	HalfLifeSeconds float32 `toml:"half_life_seconds" doc:"time after which half of that is left"`
	Max             float32 `toml:"max"               doc:"greatest sum, however many uses there are"`
}

// Validate reports parameters outside their range.
func (p *HawkesParams) Validate() error {
	if err := checkRange("alpha", p.Alpha, 0, 100); err != nil {
		return err
	}
	if err := checkRange("max", p.Max, 0, 100); err != nil {
		return err
	}
	return checkRange("half_life_seconds", p.HalfLifeSeconds, 1e-3, 1e12)
}

func newHawkes(p HawkesParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		hawkes(f.F32(HawkesColumn), f.List(frame.UseDays), f.F32(frame.AgeDays), p)
	}), nil
}

func hawkes(out []float32, uses *frame.Lists, age []float32, p HawkesParams) {
	const daySeconds = 86400
	perDay := -daySeconds / float64(p.HalfLifeSeconds) // halvings a day
	for i := range out {
		sum := 0.0
		for _, a := range usesOf(uses, age, i) {
			sum += math.Exp2(float64(max(0, a)) * perDay)
		}
		out[i] = float32(min(float64(p.Alpha)*sum, float64(p.Max)))
	}
}
