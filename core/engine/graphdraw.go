package engine

import (
	"context"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine/layout"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// labelRunes is the length of the longest label.
const labelRunes = 160

// burstTime is how long a use counts for a burst: after it by 1/e.
const burstTime = time.Hour

// draw writes nodes and what joins them.
func (m *graphMap) draw(ctx context.Context, g *Graph, nodes []frame.Node) error {
	texts, err := m.texts(ctx, nodes)
	if err != nil {
		return err
	}
	sent := make(map[frame.Node]bool, len(nodes))
	for _, x := range nodes {
		sent[x] = true
	}
	g.Nodes, g.Links = make([]GraphNode, 0, len(nodes)), []GraphLink{}
	for _, x := range nodes {
		n := m.node(x, texts)
		shown := 0
		m.net.Ties(x, func(t index.Tie) {
			n.Degree++
			if sent[t.To] {
				shown++
			}
			if m.draws(x, t, sent[t.To]) {
				g.Links = append(g.Links, m.link(x, t))
			}
		})
		n.Hidden = n.Degree - shown
		g.Radius = max(g.Radius, math.Ceil(math.Sqrt(n.X*n.X+n.Y*n.Y+n.Z*n.Z)))
		g.Nodes = append(g.Nodes, n)
	}
	return nil
}

// draws reports whether a tie of a node is written: from the side that it points away
// from, when both are there. Of the neighbours of one node also those are written that
// lead from an item to what is not there: the reader may have it from elsewhere.
func (m *graphMap) draws(x frame.Node, t index.Tie, both bool) bool {
	if both {
		return !t.Back
	}
	return m.of != nil && x.Item
}

func (m *graphMap) link(x frame.Node, t index.Tie) GraphLink {
	from, to := x, t.To
	if t.Back {
		from, to = to, from
	}
	l := GraphLink{From: m.nodeID(from), To: m.nodeID(to), Kind: string(t.Kind), Weight: max(hundredths(float64(t.Weight)), 0.01)}
	a, b := m.lastUsed(from), m.lastUsed(to)
	switch {
	case from.Item && to.Item:
		a = max(a, b)
	case !from.Item:
		a = min(a, b)
	}
	l.LastUsed = moment(a)
	if from.Item {
		l.Burst = m.burst(from.ID)
	}
	if to.Item {
		l.Burst = max(l.Burst, m.burst(to.ID))
	}
	return l
}

// node describes a node, all but its neighbours.
func (m *graphMap) node(x frame.Node, texts map[core.ID]string) GraphNode {
	n := GraphNode{ID: m.nodeID(x), Kind: m.kind(x), LastUsed: moment(m.lastUsed(x))}
	if !x.Item {
		n.Label = label(m.net.Entity(x.ID).Label)
		n.place(m.spot(x.ID))
		return n
	}
	r := m.view.Ref(x.ID)
	n.Trust, n.Source, n.RecordedAt = r.Trust.String(), r.Source, r.At
	n.Uses, n.Burst = m.uses(x.ID), m.burst(x.ID)
	switch r.Kind {
	case frame.ItemState:
		st, _ := m.view.State(r.ID)
		n.state(st)
		n.Source = m.sourceOf(st.Sources)
		if doc, ok := m.view.Doc(st.SupersededBy); ok {
			n.SupersededBy = m.nodeID(frame.Node{Item: true, ID: doc})
		}
	case frame.ItemEvent:
		ev, _ := m.view.Event(r.ID)
		n.Label, n.RecordedAt, n.ValidFrom, n.ValidTo = label(ev.Text), ev.Recorded, ev.Start, ev.End
		n.Source = m.sourceOf(ev.Sources)
	default:
		n.Label = label(texts[r.ID])
	}
	n.place(m.itemSpot(x.ID, n.ID, r.Kind))
	if h := m.home(x.ID); h != noHub {
		n.Hub = m.nodeID(frame.Node{ID: h})
	}
	return n
}

func (n *GraphNode) state(st *core.State) {
	n.RecordedAt, n.ValidFrom, n.Condition = st.Recorded, st.ValidFrom, label(st.Condition)
	n.Label = label(strings.ReplaceAll(st.Attribute, "_", " ") + ": " + st.Value)
	if st.Forbidden {
		n.Label = label(st.Value)
	}
	if n.Closed = !st.Closed.IsZero(); n.Closed {
		n.ValidTo = st.ValidTo
	}
}

func (n *GraphNode) place(p layout.Point) { n.X, n.Y, n.Z = p.X, p.Y, p.Z }

// spot is the place of an entity.
func (m *graphMap) spot(e uint32) layout.Point {
	if e == index.Owner {
		return layout.Point{}
	}
	p, ok := m.spots[e]
	if !ok {
		p = m.lay.Hub(m.net.Entity(e).Key)
		m.spots[e] = p
	}
	return p
}

func (m *graphMap) itemSpot(doc uint32, id string, kind int64) layout.Point {
	h := m.home(doc)
	if h == noHub {
		return m.lay.Stray(id)
	}
	about, mentions := m.net.Crowd(h)
	if _, ok := m.net.Subject(doc); ok || kind != frame.ItemPassage {
		return m.lay.Satellite(m.spot(h), id, about)
	}
	return m.lay.Line(m.spot(h), id, about, mentions)
}

// texts reads the texts of the passages among nodes.
func (m *graphMap) texts(ctx context.Context, nodes []frame.Node) (map[core.ID]string, error) {
	var refs []index.Ref
	var episodes []core.ID
	for _, x := range nodes {
		if x.Item && m.view.IsPassage(x.ID) {
			r := m.view.Ref(x.ID)
			refs, episodes = append(refs, r), append(episodes, r.Episode)
		}
	}
	out := make(map[core.ID]string, len(refs))
	if len(refs) == 0 {
		return out, nil
	}
	eps, err := m.e.o.Store.EpisodesByID(ctx, m.req.Space, episodes)
	if err != nil {
		return nil, err
	}
	whole := make(map[core.ID]string, len(eps))
	for _, ep := range eps {
		whole[ep.ID] = ep.Text
	}
	for _, r := range refs {
		if t := whole[r.Episode]; r.Start <= r.End && r.End <= len(t) {
			out[r.ID] = t[r.Start:r.End]
		}
	}
	return out, nil
}

// sourceOf is where the first line of a state or event came from.
func (m *graphMap) sourceOf(sources []core.Source) string {
	for _, s := range sources {
		if doc, ok := m.view.Doc(s.Passage); ok {
			return m.view.Ref(doc).Source
		}
	}
	return ""
}

// lastUsed is when a node was last said or used, until now; 0 when never.
func (m *graphMap) lastUsed(x frame.Node) int64 {
	if x.Item {
		return m.itemUsed(x.ID)
	}
	last, ok := m.last[x.ID]
	if ok {
		return last
	}
	m.net.Ties(x, func(t index.Tie) {
		if t.To.Item {
			last = max(last, m.itemUsed(t.To.ID))
		}
	})
	m.last[x.ID] = last
	return last
}

func (m *graphMap) itemUsed(doc uint32) int64 {
	last := m.view.Said(doc)
	for _, at := range m.view.Uses(doc) {
		if at <= m.now.Unix() {
			last = max(last, at)
		}
	}
	return last
}

func (m *graphMap) uses(doc uint32) (n int) {
	for _, at := range m.view.Uses(doc) {
		if at <= m.now.Unix() {
			n++
		}
	}
	return n
}

// burst is how much an item is being used: 1 − e^−Σe^(−age/τ) over its uses and the time
// it was said, as a self-exciting process with an exponential kernel has it (Hawkes,
// "Spectra of some self-exciting and mutually exciting point processes", 1971).
func (m *graphMap) burst(doc uint32) float64 {
	sum := 0.0
	add := func(at int64) {
		if age := m.now.Unix() - at; age >= 0 {
			sum += math.Exp(-float64(age) / burstTime.Seconds())
		}
	}
	add(m.view.Said(doc))
	for _, at := range m.view.Uses(doc) {
		add(at)
	}
	return hundredths(1 - math.Exp(-sum))
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

func moment(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// label makes a text one short line.
func label(s string) string {
	if len(s) > 8*labelRunes {
		s = strings.ToValidUTF8(s[:8*labelRunes], "")
	}
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= labelRunes {
		return s
	}
	runes := []rune(s)
	return string(runes[:labelRunes-1]) + "…"
}
