package rank

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Strength is the column that [Blend] writes.
var Strength = frame.Column{Name: "blend", Kind: frame.KindF32, Neutral: 1, Doc: "strength of the memory, min(1, (base_level + hawkes) * ebbinghaus)"}

// Blend lets the temporal stages into the score.
var Blend = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "blend",
		Summary: "Lower the score of rows that are old and unused, within bounds",
		Doc: `
score × ((1 - weight) + weight · min(1, (base_level + hawkes) · ebbinghaus)).

The factor lies between 1 - weight and 1: recency and use order the relevant and
never bury it. A stage that is switched off counts as nothing known: base_level and
hawkes 0, ebbinghaus 1.`,
	}, BlendParams{Weight: 0.3}, newBlend),
	Reads:   []frame.Column{frame.Score},
	Any:     []frame.Column{BaseLevelColumn, HawkesColumn, EbbinghausColumn},
	Writes:  []frame.Column{frame.Score, Strength},
	Neutral: BlendParams{Weight: 0},
}

// BlendParams are the keys of a blend table.
type BlendParams struct {
	Weight float32 `toml:"weight" doc:"greatest share of the score that age may take away"`
}

// Validate reports parameters outside their range.
func (p *BlendParams) Validate() error { return checkRange("weight", p.Weight, 0, 1) }

func newBlend(p BlendParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		strength := f.F32(Strength)
		blendStrength(strength, f.F32(BaseLevelColumn), f.F32(HawkesColumn), f.F32(EbbinghausColumn))
		blend(f.F32(frame.Score), strength, p.Weight)
	}), nil
}

func blendStrength(out, base, hawkes, retention []float32) {
	for i := range out {
		use := float64(max(0, base[i])) + float64(max(0, hawkes[i]))
		out[i] = float32(min(1, use*float64(max(0, min(1, retention[i])))))
	}
}

func blend(score, strength []float32, w float32) {
	if w == 0 {
		return
	}
	for i := range score {
		score[i] *= (1 - w) + w*strength[i]
	}
}
