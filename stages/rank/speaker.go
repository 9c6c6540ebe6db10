package rank

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Named is the column that [Speaker] writes. The column [frame.Speaker] is another
// thing: who said a row.
var Named = frame.Column{Name: "named", Kind: frame.KindF32, Doc: "1 where the query names one person and the row is theirs"}

// Speaker prefers what the person said that the query names.
var Speaker = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "speaker",
		Summary: "Prefer rows of the one person that the query names",
		Doc: `
Where the query names exactly one of the space's speakers or people, the feature is
1 for rows that they said or that are about them, else 0; where it names several or
none, it is 0 everywhere. The score is multiplied by e^(weight · feature).

Who a query names is the source's channel "named".`,
	}, WeightParams{Weight: 0.4}, newSpeaker),
	Reads:   []frame.Column{frame.Score},
	Writes:  []frame.Column{frame.Score, Named},
	Neutral: WeightParams{},
}

type speaker struct{ weight float32 }

func newSpeaker(p WeightParams, _ component.Deps) (pipeline.Stage, error) {
	return speaker{p.Weight}, nil
}

// Run asks the source and weighs the answer.
func (s speaker) Run(ctx context.Context, f *frame.Frame) error {
	named := f.F32(Named)
	if err := ask(ctx, f, frame.Channel{Name: Named.Name}, named); err != nil {
		return err
	}
	boost(f.F32(frame.Score), named, s.weight)
	return nil
}
