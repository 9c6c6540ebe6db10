package engine

import (
	"cmp"
	"slices"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// How many satellites of a hub come in its first turn, so that the first page shows many
// hubs with a little of each, and how many in each further turn.
const (
	ownerTurn = 200
	firstTurn = 12
	nextTurn  = 64
)

// hub is an entity with what is still to come of what lies around it.
type hub struct {
	entity uint32
	fan    int
	key    string
	rest   []uint32
	begun  bool
}

// overview returns a page of the nodes in the order in which they should be seen: hubs
// by what is about them, each with its newest satellites; in further turns the rest of
// these; in the end what has no hub.
func (m *graphMap) overview() (page []frame.Node, more bool) {
	if after, ok := m.after(); ok {
		found := false
		page, more = m.overviewFrom(func(x frame.Node) bool {
			was := found
			found = found || x == after
			return was
		})
		if found {
			return page, more
		}
	}
	skip := m.req.Offset
	return m.overviewFrom(func(frame.Node) bool {
		skip--
		return skip < 0
	})
}

// after returns the node that the page before ended with, if it is still there.
func (m *graphMap) after() (frame.Node, bool) {
	if m.req.After == "" {
		return frame.Node{}, false
	}
	x, err := m.find(m.req.After)
	return x, err == nil
}

// overviewFrom returns a page that begins with the first node that begun is true for; it
// is asked about each in turn.
func (m *graphMap) overviewFrom(begun func(frame.Node) bool) (page []frame.Node, more bool) {
	emit := func(x frame.Node) bool {
		if !begun(x) {
			return true
		}
		if len(page) == m.req.Limit {
			more = true
			return false
		}
		page = append(page, x)
		return true
	}
	hubs := m.hubs()
	lines := m.lines()
	for turn, left := 0, true; left; turn++ {
		left = false
		for i := range hubs {
			h := &hubs[i]
			if !h.begun {
				h.begun = true
				if m.want[NodeEntity] && !emit(frame.Node{ID: h.entity}) {
					return page, more
				}
				h.rest = m.satellites(h.entity, lines[h.entity])
			}
			n := min(len(h.rest), turnOf(h.entity, turn))
			for _, doc := range h.rest[:n] {
				if !emit(frame.Node{Item: true, ID: doc}) {
					return page, more
				}
			}
			h.rest = h.rest[n:]
			left = left || len(h.rest) > 0
		}
	}
	for _, doc := range m.ordered(lines[noHub]) {
		if !emit(frame.Node{Item: true, ID: doc}) {
			break
		}
	}
	return page, more
}

func turnOf(entity uint32, turn int) int {
	switch {
	case turn > 0:
		return nextTurn
	case entity == index.Owner:
		return ownerTurn
	}
	return firstTurn
}

// hubs lists the entities of the window, the owner first, then by what is about them.
func (m *graphMap) hubs() []hub {
	var out []hub
	for e := range uint32(m.net.Entities()) {
		if n := m.net.Fan(e); n > 0 {
			out = append(out, hub{entity: e, fan: n, key: m.net.Entity(e).Key})
		}
	}
	slices.SortFunc(out, func(a, b hub) int { return cmp.Or(cmp.Compare(b.fan, a.fan), cmp.Compare(a.key, b.key)) })
	if m.net.Sees(frame.Node{ID: index.Owner}) {
		out = append([]hub{{entity: index.Owner}}, out...)
	}
	return out
}

// noHub stands for the hub of what has none.
const noHub = index.Owner - 1

// lines lists what has no subject, by the hub that it lies around, if such kinds are
// wanted: passages, and events that are about nobody.
func (m *graphMap) lines() map[uint32][]uint32 {
	out := map[uint32][]uint32{}
	if !m.want[NodePassage] && !m.want[NodeEvent] {
		return out
	}
	for doc := range uint32(m.net.Rows()) {
		if _, has := m.net.Subject(doc); has || !m.net.Sees(frame.Node{Item: true, ID: doc}) {
			continue
		}
		if h := m.home(doc); m.want[m.kind(frame.Node{Item: true, ID: doc})] {
			out[h] = append(out[h], doc)
		}
	}
	return out
}

// home returns the hub that an item lies around: its subject, or of the entities in it
// the one that a hash of their names chooses, which no other item has a say in.
func (m *graphMap) home(doc uint32) uint32 {
	if e, ok := m.net.Subject(doc); ok {
		return e
	}
	best, least := noHub, uint64(0)
	for _, e := range m.view.Entities(doc) {
		if k := m.lay.Key(m.net.Entity(e).Key); best == noHub || k < least {
			best, least = e, k
		}
	}
	return best
}

// satellites lists what lies around a hub, of the kinds that are wanted, in the order in
// which it should be seen.
func (m *graphMap) satellites(e uint32, lines []uint32) []uint32 {
	var docs []uint32
	for _, doc := range m.net.On(e) {
		if m.want[m.kind(frame.Node{Item: true, ID: doc})] {
			docs = append(docs, doc)
		}
	}
	return m.ordered(append(docs, lines...))
}

// ranks order kinds among the satellites of a hub and the neighbours of a node.
var ranks = map[string]int{NodeRule: 0, NodeConditional: 1, NodeState: 1, NodeEvent: 2, NodeEntity: 3, NodePassage: 4}

// ordered sorts docs: rules, states, events, passages, the newest of each first.
func (m *graphMap) ordered(docs []uint32) []uint32 {
	m.net.Newest(docs)
	rank := make(map[uint32]int, len(docs))
	for _, d := range docs {
		rank[d] = ranks[m.kind(frame.Node{Item: true, ID: d})]
	}
	slices.SortStableFunc(docs, func(a, b uint32) int { return cmp.Compare(rank[a], rank[b]) })
	return docs
}

// neighbours returns a page of the neighbours of a node: rules, states, events, entities
// by the weight of the link, passages.
func (m *graphMap) neighbours(of frame.Node) (page []frame.Node, more bool) {
	type near struct {
		frame.Node
		weight float32
		key    string
	}
	var entities []near
	var docs []uint32
	seen := map[frame.Node]bool{of: true}
	m.net.Ties(of, func(t index.Tie) {
		if seen[t.To] || !m.want[m.kind(t.To)] {
			return
		}
		seen[t.To] = true
		if t.To.Item {
			docs = append(docs, t.To.ID)
			return
		}
		entities = append(entities, near{Node: t.To, weight: t.Weight, key: m.net.Entity(t.To.ID).Key})
	})
	slices.SortFunc(entities, func(a, b near) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.key, b.key)) })
	docs = m.ordered(docs)
	all := make([]frame.Node, 0, len(docs)+len(entities))
	for _, d := range docs {
		x := frame.Node{Item: true, ID: d}
		if len(entities) > 0 && ranks[m.kind(x)] > ranks[NodeEntity] {
			for _, e := range entities {
				all = append(all, e.Node)
			}
			entities = nil
		}
		all = append(all, x)
	}
	for _, e := range entities {
		all = append(all, e.Node)
	}
	from := min(m.req.Offset, len(all))
	if after, ok := m.after(); ok {
		if i := slices.Index(all, after); i >= 0 {
			from = i + 1
		}
	}
	to := min(from+m.req.Limit, len(all))
	return all[from:to], to < len(all)
}
