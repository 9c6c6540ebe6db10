package rank

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// channelFeature declares a stage whose feature is a channel of the source. The
// column that it writes has the channel's name.
func channelFeature(a component.About, column frame.Column, weight float32) pipeline.Spec {
	return pipeline.Spec{
		Folder: "rank",
		Spec: component.Define(a, WeightParams{Weight: weight}, func(p WeightParams, _ component.Deps) (pipeline.Stage, error) {
			return channelStage{column, "", p.Weight}, nil
		}),
		Reads:   []frame.Column{frame.Score},
		Writes:  []frame.Column{frame.Score, column},
		Neutral: WeightParams{},
	}
}

// VectorParams are the keys of a stage that weighs one feature of vectors.
type VectorParams struct {
	Weight   float32 `toml:"weight"   doc:"the score is multiplied by e^(weight * feature); 0 changes nothing"`
	Embedder string  `toml:"embedder" doc:"embedder whose vectors are compared; empty for the default one"`
}

// Validate reports a weight outside its range.
func (p *VectorParams) Validate() error { return checkWeight("weight", p.Weight) }

// vectorFeature is channelFeature for a channel of vectors.
func vectorFeature(a component.About, column frame.Column, weight float32) pipeline.Spec {
	return pipeline.Spec{
		Folder: "rank",
		Spec: component.Define(a, VectorParams{Weight: weight}, func(p VectorParams, _ component.Deps) (pipeline.Stage, error) {
			return vectorStage{channelStage{column, p.Embedder, p.Weight}}, nil
		}),
		Reads:   []frame.Column{frame.Score},
		Writes:  []frame.Column{frame.Score, column},
		Neutral: VectorParams{},
	}
}

type channelStage struct {
	column   frame.Column
	embedder string
	weight   float32
}

// Run asks the source and weighs the answer.
func (s channelStage) Run(ctx context.Context, f *frame.Frame) error {
	feature := f.F32(s.column)
	if err := ask(ctx, f, frame.Channel{Name: s.column.Name, Embedder: s.embedder}, feature); err != nil {
		return err
	}
	boost(f.F32(frame.Score), feature, s.weight)
	return nil
}

// vectorStage is a channelStage that needs the query's vector.
type vectorStage struct{ channelStage }

// Embedder returns the embedder's name in the configuration.
func (s vectorStage) Embedder() string { return s.embedder }
