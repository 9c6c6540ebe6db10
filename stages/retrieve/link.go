package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Link finds rows over the people and things they are about.
var Link = pipeline.Spec{
	Folder: "retrieve",
	Spec: component.Define(component.About{
		Name:    "link",
		Summary: "Find rows over the people and things that they are about",
		Doc: `
Personalised PageRank (Page and others, "The PageRank citation ranking", 1998; by
forward push: Andersen, Chung and Lang, "Local graph partitioning using PageRank
vectors", 2006) over items, the entities they mention, and the links between
entities. Walks start at the entities that the query names and at the best items by
words and by cosine, and return there with probability restart at each step; an
item's value is the share of the time that they spend at it.

So a question about a toothache reaches the row with the dentist's address, which has
no word of the question, over the row that names the dentist. Entities that most
items mention lead nowhere in particular and are not followed.

It needs a source with a graph; without one it finds nothing.`,
	}, LinkParams{K: 20, Seeds: 5, Restart: 0.2, Precision: 1e-3}, newLink),
	Writes: []frame.Column{frame.Link},
	Effect: pipeline.Adds,
}

// LinkParams are the keys of a link table.
type LinkParams struct {
	K         int     `toml:"k"         doc:"rows to add"`
	Seeds     int     `toml:"seeds"     doc:"best items of each other channel from which walks start"`
	Embedder  string  `toml:"embedder"  doc:"embedder of the cosine; empty for the default one"`
	Restart   float32 `toml:"restart"   doc:"probability that a walk starts again at each step"`
	Precision float32 `toml:"precision" doc:"error of a value for each edge of its node; smaller costs more"`
}

// Validate reports parameters outside their range.
func (p *LinkParams) Validate() error {
	switch {
	case p.K < 0 || p.K > 10_000:
		return errors.New("k must be between 0 and 10000")
	case p.Seeds < 0 || p.Seeds > 100:
		return errors.New("seeds must be between 0 and 100")
	case !(p.Restart >= 0.01 && p.Restart <= 1):
		return errors.New("restart must be between 0.01 and 1")
	case !(p.Precision >= 1e-6 && p.Precision <= 1):
		return errors.New("precision must be between 1e-06 and 1")
	}
	return nil
}

type link struct {
	p    LinkParams
	pool sync.Pool // *walk
}

func newLink(p LinkParams, _ component.Deps) (pipeline.Stage, error) {
	l := &link{p: p}
	l.pool.New = func() any { return &walk{slots: map[uint64]int32{}} }
	return l, nil
}

// Embedder is the embedder whose query vector the stage needs.
func (l *link) Embedder() string { return l.p.Embedder }

// Retrieve appends the k items with the highest values.
func (l *link) Retrieve(ctx context.Context, _ *frame.Query, src frame.Source, dst []frame.Hit) ([]frame.Hit, error) {
	w := l.pool.Get().(*walk)
	defer l.pool.Put(w)
	if err := w.run(ctx, src, l.p); err != nil {
		return dst, err
	}
	start := len(dst)
	for _, s := range w.states {
		if s.item && s.value > 0 {
			dst = append(dst, frame.Hit{Doc: s.id, Score: float32(s.value)})
		}
	}
	slices.SortFunc(dst[start:], func(a, b frame.Hit) int {
		if d := cmp.Compare(b.Score, a.Score); d != 0 {
			return d
		}
		return cmp.Compare(a.Doc, b.Doc)
	})
	return dst[:min(len(dst), start+l.p.K)], nil
}

// Run writes the value of every row.
func (l *link) Run(ctx context.Context, f *frame.Frame) error {
	col := f.F32(frame.Link)
	if f.Source == nil || len(col) == 0 {
		clear(col)
		return nil
	}
	w := l.pool.Get().(*walk)
	defer l.pool.Put(w)
	if err := w.run(ctx, f.Source, l.p); err != nil {
		return err
	}
	for i, doc := range f.Docs() {
		col[i] = 0
		if at, ok := w.slots[node{item: true, id: doc}.key()]; ok {
			col[i] = float32(w.states[at].value)
		}
	}
	return nil
}

// Spread returns where the walks went: each node that they reached, with the node from
// which they first came and the share of the time that they spent there.
func (l *link) Spread(ctx context.Context, f *frame.Frame) ([]frame.Spread, error) {
	if f.Source == nil {
		return nil, nil
	}
	w := l.pool.Get().(*walk)
	defer l.pool.Put(w)
	if err := w.run(ctx, f.Source, l.p); err != nil {
		return nil, err
	}
	out := make([]frame.Spread, 0, len(w.states))
	for _, s := range w.states {
		if s.value <= 0 && s.hop > 0 {
			continue
		}
		step := frame.Spread{Hop: int(s.hop), To: frame.Node{Item: s.item, ID: s.id}, Value: float32(s.value)}
		if s.from >= 0 {
			from := w.states[s.from]
			step.From = frame.Node{Item: from.item, ID: from.id}
		}
		out = append(out, step)
	}
	return out, nil
}

// seed puts the start of the walks into the residuals.
func (w *walk) seed(ctx context.Context, src frame.Source, g frame.Graph, p LinkParams) error {
	w.ids = g.Named(w.ids[:0])
	for _, e := range w.ids {
		w.give(node{id: e}, 1/float64(len(w.ids)), -1)
	}
	for _, ch := range []frame.Channel{{Name: frame.BM25.Name}, {Name: frame.Cosine.Name, Embedder: p.Embedder}} {
		hits, err := src.Search(ctx, ch, p.Seeds, w.hits[:0])
		if err != nil {
			return fmt.Errorf("channel %s: %w", ch.Name, err)
		}
		w.hits = hits
		sum := 0.0
		for _, h := range hits {
			sum += float64(h.Score)
		}
		for _, h := range hits {
			w.give(node{item: true, id: h.Doc}, float64(h.Score)/sum, -1)
		}
	}
	total := 0.0
	for i := range w.states {
		total += w.states[i].residual
	}
	for i := range w.states {
		w.states[i].residual /= total
	}
	return nil
}
