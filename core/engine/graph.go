package engine

import (
	"context"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine/layout"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// Kinds of nodes.
const (
	NodeEntity      = "entity"
	NodeState       = "state"
	NodeRule        = "rule"
	NodeConditional = "conditional" // a state that holds under a condition
	NodeEvent       = "event"
	NodePassage     = "passage"
)

// NodeKinds returns all kinds of nodes.
func NodeKinds() []string {
	return []string{NodeEntity, NodeState, NodeRule, NodeConditional, NodeEvent, NodePassage}
}

// overviewKinds are shown where a request names none: what sleep and commands made.
var overviewKinds = []string{NodeEntity, NodeState, NodeRule, NodeConditional}

// Bounds of a page of a graph.
const (
	defaultNodes = 2000
	MaxNodes     = 10_000
)

// GraphRequest asks for a part of a space's graph.
type GraphRequest struct {
	Space   string
	Of      string     // the neighbours of this node; empty: an overview from the hubs
	AsOf    time.Time  // what held then, by the valid clock; zero: what holds now
	History bool       // states that ended too
	Kinds   []string   // of nodes to return; nil: those of an overview, or all neighbours
	Source  string     // only what came from there
	Trust   core.Trust // only what is trusted as much
	From    time.Time  // said at or after
	Before  time.Time  // said before
	Limit   int        // nodes to return, to [MaxNodes]; default 2000
	Offset  int        // nodes to leave out: Next of the page before
	After   string     // the last node of the page before; if it is gone, Offset says how far that went
	Now     time.Time  // zero: the clock's time
}

// Graph is a part of a space as nodes and what joins them.
type Graph struct {
	Space      string      `json:"space"`
	Generation int64       `json:"generation" doc:"grows with each write to the space"`
	AsOf       time.Time   `json:"as_of" doc:"what held then is shown"`
	Seed       uint32      `json:"seed" doc:"what the places of this space come from"`
	Radius     float64     `json:"radius" doc:"distance of the farthest node of this answer from the origin"`
	Totals     GraphTotals `json:"totals"`
	Nodes      []GraphNode `json:"nodes"`
	Links      []GraphLink `json:"links"`

	Next int `json:"-"` // offset of the next page; 0 on the last one
}

// GraphTotals count what there is at that time and under the filters.
type GraphTotals struct {
	States       int `json:"states" doc:"without rules and conditionals"`
	Rules        int `json:"rules"`
	Conditionals int `json:"conditionals"`
	Entities     int `json:"entities"`
	Passages     int `json:"passages"`
	Events       int `json:"events"`
	Links        int `json:"links"`
}

// GraphNode is one node.
type GraphNode struct {
	ID           string    `json:"id" doc:"e0, the owner of the space; e and a number, a stored entity; n, letters and digits, a name in lines; s a state, v an event, p a passage, with their number"`
	Kind         string    `json:"kind" doc:"entity, state, rule, conditional, event or passage"`
	Label        string    `json:"label" doc:"at most 160 characters"`
	Hub          string    `json:"hub,omitempty" doc:"the entity that it lies around"`
	Degree       int       `json:"degree" doc:"its neighbours at that time and under the filters"`
	Hidden       int       `json:"hidden" doc:"those of them that are not in this answer"`
	X            float64   `json:"x"`
	Y            float64   `json:"y"`
	Z            float64   `json:"z"`
	Trust        string    `json:"trust,omitempty"`
	Source       string    `json:"source,omitempty" doc:"where its first line came from"`
	ValidFrom    string    `json:"valid_from,omitempty" doc:"first day; of an event when it began"`
	ValidTo      string    `json:"valid_to,omitempty" doc:"day it ended; of an event its last day"`
	RecordedAt   time.Time `json:"recorded_at,omitzero" doc:"when it was learnt; of a passage when it was said"`
	Condition    string    `json:"condition,omitempty"`
	Closed       bool      `json:"closed,omitempty" doc:"it is over, whatever held at that time"`
	SupersededBy string    `json:"superseded_by,omitempty"`
	Uses         int       `json:"uses,omitempty" doc:"times it was said again, cited or recalled, of the last 32"`
	LastUsed     time.Time `json:"last_used,omitzero" doc:"the last of them, or when it was said"`
	Burst        float64   `json:"burst,omitempty" doc:"0 to 1, how much it was used in the last hours"`
}

// GraphLink joins two nodes. It points to what the first rests on or is about.
type GraphLink struct {
	From     string    `json:"from"`
	To       string    `json:"to"`
	Kind     string    `json:"kind" doc:"about, mentions, together, source or supersedes"`
	Weight   float64   `json:"weight" doc:"above 0, to 1"`
	LastUsed time.Time `json:"last_used,omitzero"`
	Burst    float64   `json:"burst,omitempty"`
}

// Graph returns a part of a space as nodes and links: an overview from its hubs, or
// the neighbours of one node, which stands first on their first page. It reads the index
// in memory, and the store for the texts of passages that it returns. A request that
// cannot be read has the code invalid, a node that is not in the space not_found; a space
// that is not there is empty.
func (e *Engine) Graph(ctx context.Context, req GraphRequest) (*Graph, error) {
	if err := checkGraph(&req); err != nil {
		return nil, err
	}
	m, err := e.mapOf(ctx, req)
	if err != nil {
		return nil, err
	}
	defer m.view.End()
	var nodes []frame.Node
	var more bool
	if req.Of == "" {
		nodes, more = m.overview()
	} else {
		of, err := m.find(req.Of)
		if err != nil {
			return nil, err
		}
		m.of = &of
		nodes, more = m.neighbours(of)
		if req.Offset == 0 {
			nodes = append([]frame.Node{of}, nodes...)
		}
	}
	g := &Graph{Space: req.Space, Generation: m.view.Version().Gen, AsOf: m.now.UTC().Truncate(time.Second), Seed: m.lay.Seed(), Totals: m.totals()}
	if more {
		g.Next = req.Offset + req.Limit
	}
	return g, m.draw(ctx, g, nodes)
}

func checkGraph(req *GraphRequest) (err error) {
	if req.Space, err = Space(req.Space); err != nil {
		return err
	}
	if req.Limit == 0 {
		req.Limit = defaultNodes
	}
	if req.Limit < 1 || req.Limit > MaxNodes {
		return core.Errorf(core.CodeInvalid, "limit %d is not between 1 and %d", req.Limit, MaxNodes)
	}
	if req.Offset < 0 {
		return core.Errorf(core.CodeInvalid, "offset %d is below 0", req.Offset)
	}
	for _, k := range req.Kinds {
		if !slices.Contains(NodeKinds(), k) {
			return core.Errorf(core.CodeInvalid, "kind %q is not known", k).Hinted("use entity, state, rule, conditional, event or passage")
		}
	}
	if req.Kinds == nil {
		req.Kinds = overviewKinds
		if req.Of != "" {
			req.Kinds = NodeKinds()
		}
	}
	return nil
}

// graphMap draws the graph of one space for one request.
type graphMap struct {
	e    *Engine
	req  GraphRequest
	view *index.View
	net  *index.Net
	lay  layout.Layout
	now  time.Time // what is shown is as it was then
	want map[string]bool
	of   *frame.Node // whose neighbours are asked for

	spots map[uint32]layout.Point // of entities
	last  map[uint32]int64        // when entities were last used
}

// mapOf brings the space's index up to date and pins it. The caller ends the view.
func (e *Engine) mapOf(ctx context.Context, req GraphRequest) (*graphMap, error) {
	ix, err := e.cache.Space(ctx, req.Space)
	if err != nil {
		return nil, err
	}
	now := e.now(req.Now)
	m := &graphMap{
		e: e, req: req, now: now, want: map[string]bool{}, spots: map[uint32]layout.Point{}, last: map[uint32]int64{},
		view: ix.Begin(&frame.Query{Space: req.Space, Now: now, Zone: e.o.Zone}),
	}
	if !req.AsOf.IsZero() {
		m.now = req.AsOf
	}
	for _, k := range req.Kinds {
		m.want[k] = true
	}
	m.net = m.view.Net(index.Window{At: req.AsOf, History: req.History, Source: req.Source, Trust: req.Trust, From: req.From, Before: req.Before})
	m.lay = layout.New(req.Space, m.net.Entities())
	return m, nil
}

// kind is the kind of a node.
func (m *graphMap) kind(x frame.Node) string {
	if !x.Item {
		return NodeEntity
	}
	return sortNames[m.net.Sort(x.ID)]
}

// sortNames name the sorts of items.
var sortNames = [...]string{
	index.SortPassage: NodePassage, index.SortEvent: NodeEvent, index.SortState: NodeState,
	index.SortConditional: NodeConditional, index.SortRule: NodeRule,
}

// totals counts the window.
func (m *graphMap) totals() GraphTotals {
	return GraphTotals{
		States: m.net.Count(index.SortState), Rules: m.net.Count(index.SortRule), Conditionals: m.net.Count(index.SortConditional),
		Entities: m.net.Hubs(), Passages: m.net.Count(index.SortPassage), Events: m.net.Count(index.SortEvent), Links: m.net.Joins(),
	}
}
