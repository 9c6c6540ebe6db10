package rank

import (
	"math"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// InformativenessFeature is the column that [Informativeness] writes.
var InformativenessFeature = frame.Column{Name: "informativeness", Kind: frame.KindF32, Doc: "0 for an empty row, 1 for one of full length"}

// Informativeness can prefer rows that say something.
var Informativeness = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "informativeness",
		Summary: "Prefer rows with many words: short replies are seldom evidence",
		Doc: `
The feature is log(1 + words) / log(1 + full_words), at most 1, where words are
those that are not stop words. The score is multiplied by e^(weight · feature).

"Yes, exactly" matches a question about as well as what it answers; the length of
the row tells them apart where channels are fused by hand. Beside soft_context and
before_length a fit gives it nothing on chat, and takes 0.8 points of recall@10 from
short notes and code, where a short row is the evidence: so the weight is 0 unless a
fit on your own data says otherwise.`,
	}, InformativenessParams{Weight: 0, FullWords: 40}, newInformativeness),
	Reads:   []frame.Column{frame.Score, frame.Words},
	Writes:  []frame.Column{frame.Score, InformativenessFeature},
	Neutral: InformativenessParams{Weight: 0, FullWords: 40},
}

// InformativenessParams are the keys of an informativeness table.
type InformativenessParams struct {
	Weight    float32 `toml:"weight"     doc:"the score is multiplied by e^(weight * feature); 0 changes nothing"`
	FullWords float32 `toml:"full_words" doc:"words at which the feature reaches 1"`
}

// Validate reports parameters outside their range.
func (p *InformativenessParams) Validate() error {
	if err := checkRange("full_words", p.FullWords, 1, 1e6); err != nil {
		return err
	}
	return checkWeight("weight", p.Weight)
}

func newInformativeness(p InformativenessParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		feature := f.F32(InformativenessFeature)
		informativeness(feature, f.F32(frame.Words), p.FullWords)
		boost(f.F32(frame.Score), feature, p.Weight)
	}), nil
}

func informativeness(feature, words []float32, full float32) {
	scale := 1 / math.Log1p(float64(full))
	for i, w := range words {
		feature[i] = float32(min(1, math.Log1p(float64(max(0, w)))*scale))
	}
}
