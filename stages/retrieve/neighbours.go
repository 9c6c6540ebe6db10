package retrieve

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// The columns that [Neighbours] writes beside frame.Context.
var (
	Before1 = frame.Column{Name: "before1", Kind: frame.KindF32, Doc: "BM25 of the row before this one in its session"}
	After1  = frame.Column{Name: "after1", Kind: frame.KindF32, Doc: "BM25 of the row after this one in its session"}
	Before2 = frame.Column{Name: "before2", Kind: frame.KindF32, Doc: "BM25 of the row two places before"}
	After2  = frame.Column{Name: "after2", Kind: frame.KindF32, Doc: "BM25 of the row two places after"}
)

// Neighbours adds what was said right before and after what words find.
var Neighbours = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "neighbours",
		Summary: "Add the rows around those that words find, with their neighbours' scores",
		Doc: `
An answer often stands beside the words of its question: "Where did you go?" – "To the
lake". So the rows one and two places before and after the k best by words become
candidates, and each row gets the BM25 of its neighbours; context is their mean. It is
what a second index field over a window of turns would give, looked up where it is
needed.`,
	}, KParams{K: 30}, func(p KParams, _ component.Deps) (pipeline.Stage, error) {
		return &neighbours{channel{frame.Channel{Name: "neighbours"}, frame.Context, p.K}}, nil
	}),
	Writes: []frame.Column{frame.Context, Before1, After1, Before2, After2},
	Effect: pipeline.Adds,
}

type neighbours struct{ channel }

// Run fills the neighbours' columns: all of them or, on an error, none.
func (n *neighbours) Run(ctx context.Context, f *frame.Frame) error {
	mean := f.F32(frame.Context)
	clear(mean)
	places := [...]frame.Column{Before1, After1, Before2, After2}
	for _, col := range places {
		values := f.F32(col)
		if err := score(ctx, f, frame.Channel{Name: col.Name}, values); err != nil {
			clear(mean)
			for _, filled := range places {
				clear(f.F32(filled))
			}
			return err
		}
		for i, x := range values {
			mean[i] += x / 4
		}
	}
	return nil
}
