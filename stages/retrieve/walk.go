package retrieve

import (
	"context"

	"github.com/orma-memory/orma/core/frame"
)

// node is an item or an entity of a graph.
type node struct {
	item bool
	id   uint32
}

// key is one number for the node, by which a map finds it faster.
func (n node) key() uint64 {
	k := uint64(n.id) << 1
	if n.item {
		k |= 1
	}
	return k
}

// state is what is known of a node that walks have reached.
type state struct {
	node
	value    float64 // share of the time spent there, from below
	residual float64 // share of the walks that still stand there
	queued   bool
	from     int32 // slot from where it was first reached, -1 for a start
	hop      int32 // steps from a start, on the way by which it was first reached
}

// walk is one personalised PageRank. It is reused.
type walk struct {
	states []state          // in the order they were reached
	slots  map[uint64]int32 // by the node's key
	queue  []int32
	ids    []uint32
	hits   []frame.Hit
}

// run spreads the walks until what still stands anywhere is too little to matter.
// Every push leaves restart·precision behind at least, which bounds their number.
func (w *walk) run(ctx context.Context, src frame.Source, p LinkParams) error {
	w.states, w.queue = w.states[:0], w.queue[:0]
	clear(w.slots)
	g, ok := src.(frame.Graph)
	if !ok {
		return nil
	}
	if err := w.seed(ctx, src, g, p); err != nil {
		return err
	}
	for i := range w.states {
		w.enqueue(g, int32(i), float64(p.Precision))
	}
	for next := 0; next < len(w.queue); next++ {
		w.push(g, w.queue[next], float64(p.Restart), float64(p.Precision))
	}
	return nil
}

// give adds to what stands at a node and returns its slot. from is the slot that it
// comes from, -1 for a start.
func (w *walk) give(n node, share float64, from int32) int32 {
	at, ok := w.slots[n.key()]
	if !ok {
		at = int32(len(w.states))
		w.slots[n.key()] = at
		hop := int32(0)
		if from >= 0 {
			hop = w.states[from].hop + 1
		}
		w.states = append(w.states, state{node: n, from: from, hop: hop})
	}
	w.states[at].residual += share
	return at
}

// enqueue queues a node where enough stands, for its number of edges, to push on.
func (w *walk) enqueue(g frame.Graph, at int32, precision float64) {
	s := &w.states[at]
	if !s.queued && s.residual > precision*float64(max(1, edges(g, s.node))) {
		s.queued = true
		w.queue = append(w.queue, at)
	}
}

func edges(g frame.Graph, n node) int {
	if n.item {
		return len(g.Entities(n.id))
	}
	return len(g.Mentions(n.id)) + len(g.Links(n.id))
}

// push keeps a share of what stands at a node and passes the rest on to its
// neighbours.
func (w *walk) push(g frame.Graph, at int32, restart, precision float64) {
	s := &w.states[at]
	s.queued = false
	n, here := s.node, s.residual
	s.residual = 0
	s.value += restart * here
	rest := (1 - restart) * here
	if n.item {
		to := g.Entities(n.id)
		for _, e := range to {
			w.enqueue(g, w.give(node{id: e}, rest/float64(len(to)), at), precision)
		}
		return
	}
	items, links := g.Mentions(n.id), g.Links(n.id)
	total := 0.0
	for _, l := range links {
		total += float64(l.Weight)
	}
	toItems, toLinks := rest, 0.0
	switch {
	case total > 0 && len(items) > 0:
		toItems, toLinks = rest/2, rest/2
	case total > 0:
		toItems, toLinks = 0, rest
	}
	for _, d := range items {
		w.enqueue(g, w.give(node{item: true, id: d}, toItems/float64(len(items)), at), precision)
	}
	for _, l := range links {
		w.enqueue(g, w.give(node{id: l.To}, toLinks*float64(l.Weight)/total, at), precision)
	}
}
