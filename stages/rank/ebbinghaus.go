package rank

import (
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// EbbinghausColumn is the column that [Ebbinghaus] writes.
var EbbinghausColumn = frame.Column{Name: "ebbinghaus", Kind: frame.KindF32, Neutral: 1, Doc: "retention, 0 to 1"}

// Ebbinghaus measures how much of a row would still be remembered.
var Ebbinghaus = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "ebbinghaus",
		Summary: "Measure how much of a row would still be remembered",
		Doc: `
R = e^(-Δt/S), with Δt the days since the last use and the stability
S = stability_days · (1 + gain · (n - 1)) after n uses: the forgetting curve
(Ebbinghaus, "Über das Gedächtnis", 1885), which rehearsal flattens (Cepeda and
others, "Spacing effects in learning", 2008). A use in the future counts as now.

It changes no score; blend does.`,
	}, EbbinghausParams{StabilityDays: 2, Gain: 0.5}, newEbbinghaus),
	Reads:  []frame.Column{frame.UseDays, frame.AgeDays},
	Writes: []frame.Column{EbbinghausColumn},
}

// EbbinghausParams are the keys of an ebbinghaus table.
type EbbinghausParams struct {
	StabilityDays float32 `toml:"stability_days" doc:"days after which 1/e is left of a row used once"`
	Gain          float32 `toml:"gain"           doc:"how much each further use adds to the stability, as a share of it"`
}

// Validate reports parameters outside their range.
func (p *EbbinghausParams) Validate() error {
	if err := checkRange("gain", p.Gain, 0, 100); err != nil {
		return err
	}
	return checkRange("stability_days", p.StabilityDays, 1e-3, 1e6)
}

func newEbbinghaus(p EbbinghausParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		ebbinghaus(f.F32(EbbinghausColumn), f.List(frame.UseDays), f.F32(frame.AgeDays), p)
	}), nil
}

func ebbinghaus(out []float32, uses *frame.Lists, age []float32, p EbbinghausParams) {
	for i := range out {
		u := usesOf(uses, age, i)
		last := u[0]
		for _, a := range u[1:] {
			last = min(last, a)
		}
		stability := float64(p.StabilityDays) * (1 + float64(p.Gain)*float64(len(u)-1))
		out[i] = float32(math.Exp(-float64(max(0, last)) / stability))
	}
}
