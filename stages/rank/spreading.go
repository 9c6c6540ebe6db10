package rank

import (
	"context"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// SpreadingFeature is the column that [Spreading] writes.
var SpreadingFeature = frame.Column{Name: "spreading", Kind: frame.KindF32, Doc: "activation over entities and their links, 0 to 1"}

// Spreading raises rows about what the query and the best rows are about.
var Spreading = pipeline.Spec{
	Folder: "rank",
	Spec: component.Define(component.About{
		Name:    "spreading",
		Summary: "Raise rows about what the query and the best rows are about",
		Doc: `
Spreading activation (Anderson, "The Architecture of Cognition", 1983; Anderson and
Pirolli, "Spread of activation", 1984): A_i = Σ W_j · S_ji over the entities j that
row i mentions, with S_ji = 1/fan(j), where fan(j) is the number of items that
mention j. What two items share passes on half; what everything shares passes on
next to nothing. The base level B_i of that sum is the score the row already has.

Sources are the entities that the query names, which share an attention of 1, and
those of the best rows, which share another 1 by their scores. With hops = 2, a
source also activates its neighbours: decay · weight / links of what it has. So
"toothache" finds the row that names the dentist, and that the row with the address.

The feature is t / (t + half), with t = A_i less threshold times the strongest row's
activation, and at least 0. Both are continuous: an entity with 21 rows passes on a
little less than one with 20, and never suddenly nothing. The score is multiplied by
e^(weight · feature).

It needs a source with a graph; without one it does nothing.`,
	}, SpreadingParams{Weight: 1, Passages: 5, Hops: 2, Decay: 0.5, Threshold: 0.01, Half: 0.05}, newSpreading),
	Reads:   []frame.Column{frame.Score},
	Writes:  []frame.Column{frame.Score, SpreadingFeature},
	Neutral: SpreadingParams{Weight: 0, Passages: 5, Hops: 2, Decay: 0.5, Threshold: 0.01, Half: 0.05},
}

// SpreadingParams are the keys of a spreading table.
type SpreadingParams struct {
	Weight    float32 `toml:"weight"    doc:"the score is multiplied by e^(weight * feature); 0 changes nothing"`
	Passages  int     `toml:"passages"  doc:"best rows whose entities are sources; 0 leaves the query's own"`
	Hops      int     `toml:"hops"      doc:"1: rows that mention a source; 2: also those that mention its neighbours"`
	Decay     float32 `toml:"decay"     doc:"share of an entity's activation that its neighbours get between them"`
	Threshold float32 `toml:"threshold" doc:"activation that counts as none, as a share of the strongest row's"`
	Half      float32 `toml:"half"      doc:"activation at which the feature is one half"`
}

// Validate reports parameters outside their range.
func (p *SpreadingParams) Validate() error {
	for _, err := range []error{
		checkWeight("weight", p.Weight),
		checkRange("passages", float32(p.Passages), 0, 100),
		checkRange("hops", float32(p.Hops), 1, 2),
		checkRange("decay", p.Decay, 0, 1),
		checkRange("threshold", p.Threshold, 0, 1),
		checkRange("half", p.Half, 1e-6, 1),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

type spreading struct {
	p    SpreadingParams
	pool sync.Pool // *activation
}

func newSpreading(p SpreadingParams, _ component.Deps) (pipeline.Stage, error) {
	s := &spreading{p: p}
	s.pool.New = func() any { return new(activation) }
	return s, nil
}

// Run spreads activation over the source's graph.
func (s *spreading) Run(_ context.Context, f *frame.Frame) error {
	feature := f.F32(SpreadingFeature)
	clear(feature)
	g, ok := f.Source.(frame.Graph)
	if !ok || len(f.Order()) == 0 {
		return nil
	}
	a := s.pool.Get().(*activation)
	defer s.pool.Put(a)
	a.reset()
	a.named(g)
	a.passages(g, f, s.p.Passages)
	if s.p.Hops > 1 {
		a.neighbours(g, s.p.Decay)
	}
	a.rows(g, f, feature)
	squash(feature, f.Order(), s.p.Threshold, s.p.Half)
	boost(f.F32(frame.Score), feature, s.p.Weight)
	return nil
}

// Spread returns how activation goes: from the entities that the query names and the
// best rows, over the entities of these and their neighbours, to the rows that mention
// one. A node that several reach has the step that gave it most.
func (s *spreading) Spread(_ context.Context, f *frame.Frame) ([]frame.Spread, error) {
	g, ok := f.Source.(frame.Graph)
	if !ok || len(f.Order()) == 0 {
		return nil, nil
	}
	a := s.pool.Get().(*activation)
	defer s.pool.Put(a)
	a.reset()
	t := tracer{at: map[frame.Node]int{}, gave: map[frame.Node]float32{}}
	a.named(g)
	for _, e := range a.touched {
		t.start(frame.Node{ID: e}, a.of[e])
	}
	a.passages(g, f, s.p.Passages)
	t.rows(g, f, a.top)
	if s.p.Hops > 1 {
		a.ids = append(a.ids[:0], a.touched...)
		for _, e := range a.ids {
			links := g.Links(e)
			share := s.p.Decay * a.of[e] / float32(max(1, len(links)))
			for _, l := range links[:min(len(links), maxLinks)] {
				t.step(frame.Node{ID: e}, frame.Node{ID: l.To}, share*l.Weight)
			}
		}
		a.neighbours(g, s.p.Decay)
	}
	for _, e := range a.touched {
		t.set(frame.Node{ID: e}, a.of[e])
	}
	sums := make([]float32, f.Len())
	a.rows(g, f, sums) // from here on what entities have is a share of each item
	for i, doc := range f.Docs() {
		for _, e := range g.Entities(doc) {
			if int(e) < len(a.of) && a.of[e] > 0 {
				t.step(frame.Node{ID: e}, frame.Node{Item: true, ID: doc}, a.of[e])
			}
		}
		t.set(frame.Node{Item: true, ID: doc}, sums[i])
	}
	return t.steps, nil
}

// squash turns activations into features.
func squash(a []float32, live []int32, threshold, half float32) {
	strongest := float32(0)
	for _, r := range live {
		strongest = max(strongest, a[r])
	}
	for i, x := range a {
		t := max(0, x-threshold*strongest)
		a[i] = t / (t + half)
	}
}
