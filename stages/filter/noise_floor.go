package filter

import (
	"errors"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// NoiseFloor takes the similarity away that unrelated texts have too.
var NoiseFloor = pipeline.Spec{
	Folder: "filter",
	Spec: component.Define(component.About{
		Name:    "noise_floor",
		Summary: "Take away the similarity that unrelated texts have too",
		Doc: `
Two sentences that have nothing to do with each other still have a cosine above
zero, and more in a space that speaks of one thing. A cosine at or below that floor
becomes 0; above it, it becomes linear again up to 1 for identity:
(cosine - floor) / (1 - floor).

The source says what the floor is once it has enough texts to tell; until then it is
young_floor, so that the first notes of a space are not all called related to
everything. It never counts as more than max_floor: where a topic is frequent, most
texts are alike, and a floor taken from them alone would hide the paraphrase that a
question is.`,
	}, NoiseFloorParams{MaxFloor: 0.3, YoungFloor: 0.2}, newNoiseFloor),
	Reads:   []frame.Column{frame.Cosine},
	Writes:  []frame.Column{frame.Cosine},
	Neutral: nil, // a cosine below zero becomes zero even with a floor of zero
}

// NoiseFloorParams are the keys of a noise_floor table.
type NoiseFloorParams struct {
	Embedder   string  `toml:"embedder"    doc:"embedder whose cosines they are; empty for the default one"`
	MaxFloor   float32 `toml:"max_floor"   doc:"highest floor, whatever the space looks like"`
	YoungFloor float32 `toml:"young_floor" doc:"floor while the space has too few texts to tell"`
}

// Validate reports parameters outside their range.
func (p *NoiseFloorParams) Validate() error {
	if err := checkRange("max_floor", p.MaxFloor, 0, 0.99); err != nil {
		return err
	}
	if err := checkRange("young_floor", p.YoungFloor, 0, 0.99); err != nil {
		return err
	}
	if p.YoungFloor > p.MaxFloor {
		return errors.New("young_floor must not be above max_floor")
	}
	return nil
}

func newNoiseFloor(p NoiseFloorParams, _ component.Deps) (pipeline.Stage, error) {
	return pipeline.Pure(func(f *frame.Frame) {
		floor := p.YoungFloor
		if s, ok := f.Source.(frame.Floored); ok {
			if v, ok := s.Floor(p.Embedder); ok {
				floor = max(0, min(v, p.MaxFloor))
			}
		}
		lower(f.F32(frame.Cosine), floor)
	}), nil
}

// lower maps cosines from [floor, 1] to [0, 1] and what is below to 0.
func lower(cosine []float32, floor float32) {
	for i, c := range cosine {
		cosine[i] = max(0, min(1, (c-floor)/(1-floor)))
	}
}
