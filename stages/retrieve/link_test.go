package retrieve

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/stagetest"
)

func TestLink(t *testing.T) {
	stagetest.RunSuite(t, stagetest.Suite{Spec: Link, AllocFree: true})
}

// graph is a source with a graph; its words find the given items.
type graph struct {
	frame.Source
	named    []uint32
	found    []frame.Hit
	entities [][]uint32
	links    map[uint32][]frame.Edge
}

func (g *graph) Rows() int                        { return len(g.entities) }
func (g *graph) Named(dst []uint32) []uint32      { return append(dst, g.named...) }
func (g *graph) Entities(doc uint32) []uint32     { return g.entities[doc] }
func (g *graph) Links(entity uint32) []frame.Edge { return g.links[entity] }
func (g *graph) Mentions(entity uint32) (ds []uint32) {
	for d, es := range g.entities {
		if slices.Contains(es, entity) {
			ds = append(ds, uint32(d))
		}
	}
	return ds
}

func (g *graph) Search(_ context.Context, ch frame.Channel, k int, dst []frame.Hit) ([]frame.Hit, error) {
	if ch.Name != "bm25" {
		return dst, nil
	}
	return append(dst, g.found[:min(k, len(g.found))]...), nil
}

func retrieve(t *testing.T, g frame.Source, p LinkParams) []frame.Hit {
	t.Helper()
	st, err := Link.Build(p, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := st.(pipeline.Retriever).Retrieve(t.Context(), &frame.Query{}, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := frame.New(0, append(frame.Base(), frame.Link)...)
	f.Source = g
	for doc := range uint32(g.Rows()) {
		f.Row(doc)
	}
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		if got := f.F32(frame.Link)[h.Doc]; got != h.Score {
			t.Errorf("doc %d has %v in its column, was found with %v", h.Doc, got, h.Score)
		}
	}
	return hits
}

func docs(hits []frame.Hit) []uint32 {
	var out []uint32
	for _, h := range hits {
		out = append(out, h.Doc)
	}
	return out
}

// TestLinkFollowsTwoNames: the words find item 0 only; item 2 shares its first
// entity, and item 4 an entity with item 2.
func TestLinkFollowsTwoNames(t *testing.T) {
	g := &graph{
		found:    []frame.Hit{{Doc: 0, Score: 3}},
		entities: [][]uint32{{0}, nil, {0, 1}, {7}, {1}, {7}},
	}
	hits := retrieve(t, g, *Link.NewParams().(*LinkParams))
	if want := []uint32{0, 2, 4}; !slices.Equal(docs(hits), want) {
		t.Errorf("got docs %v, want %v", docs(hits), want)
	}
}

func TestLinkFollowsLinks(t *testing.T) {
	g := &graph{
		named:    []uint32{0},
		entities: [][]uint32{nil, {1}, {2}},
		links:    map[uint32][]frame.Edge{0: {{To: 1, Weight: 0.9}, {To: 2, Weight: 0.1}}},
	}
	hits := retrieve(t, g, *Link.NewParams().(*LinkParams))
	if want := []uint32{1, 2}; !slices.Equal(docs(hits), want) {
		t.Errorf("got docs %v, want %v", docs(hits), want)
	}
}

// TestLinkByHand: a walk between one item and one entity that nothing else touches.
// With restart r at the item, the time there is r/(1-(1-r)²).
func TestLinkByHand(t *testing.T) {
	g := &graph{found: []frame.Hit{{Doc: 0, Score: 1}}, entities: [][]uint32{{0}}}
	hits := retrieve(t, g, LinkParams{K: 5, Seeds: 1, Restart: 0.2, Precision: 1e-6})
	if want := 0.2 / (1 - 0.64); len(hits) != 1 || math.Abs(float64(hits[0].Score)-want) > 1e-4 {
		t.Errorf("got %v, want one hit of %v", hits, want)
	}
}

// TestLinkIgnoresHubs: an entity that everything mentions is not followed, so that
// its cost stays bounded.
func TestLinkIgnoresHubs(t *testing.T) {
	g := &graph{found: []frame.Hit{{Doc: 0, Score: 1}}, entities: make([][]uint32, 3000)}
	for i := range g.entities {
		g.entities[i] = []uint32{0}
	}
	if hits := retrieve(t, g, *Link.NewParams().(*LinkParams)); !slices.Equal(docs(hits), []uint32{0}) {
		t.Errorf("got %d docs, want the seed alone", len(hits))
	}
}

func TestLinkFindsNothing(t *testing.T) {
	p := *Link.NewParams().(*LinkParams)
	if hits := retrieve(t, &graph{entities: [][]uint32{{0}}}, p); len(hits) != 0 {
		t.Errorf("got %v without a start", hits)
	}
	if hits := retrieve(t, noGraph{}, p); len(hits) != 0 {
		t.Errorf("got %v without a graph", hits)
	}
	for _, p := range []LinkParams{{K: -1}, {Seeds: 101}, {Restart: 0, Precision: 1}, {Restart: 1, Precision: 0}, {Restart: float32(math.NaN()), Precision: 1}} {
		if _, err := Link.Build(p, component.Deps{}); err == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
}

type noGraph struct{ frame.Source }

func (noGraph) Rows() int { return 0 }

func BenchmarkLink(b *testing.B) {
	st, err := Link.Build(Link.NewParams(), component.Deps{})
	if err != nil {
		b.Fatal(err)
	}
	f := stagetest.Frame(&Link, 1000, 2)
	b.ReportAllocs()
	for b.Loop() {
		if err := st.Run(b.Context(), f); err != nil {
			b.Fatal(err)
		}
	}
}
