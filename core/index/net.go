package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

// Owner is the entity number of the person that a space belongs to, whom facts call
// [core.SubjectUser] and who is no entity of the graph.
const Owner = ^uint32(0)

// Net is a space as a graph, through a window: items, the entities that they are about,
// and what joins them. It is valid as long as its view, and for one goroutine.
type Net struct {
	v     *View
	seen  []bool              // by doc
	sorts []Sort              // by doc
	about map[uint32]uint32   // subject of each state and event, seen or not
	on    map[uint32][]uint32 // states and events about each entity, docs ascending
	fan   []int32             // by entity: what is seen about it
	owner int32               // the same of the owner
	crowd map[uint32]int      // by entity: states and events about it, seen or not
}

// Sort is what an item is, as a graph shows it.
type Sort uint8

// The sorts of items.
const (
	SortPassage Sort = iota
	SortEvent
	SortState
	SortConditional // a state that holds under a condition
	SortRule
)

func sortOf(st *core.State) Sort {
	switch {
	case st.Forbidden:
		return SortRule
	case st.Condition != "":
		return SortConditional
	}
	return SortState
}

// Join says how two nodes are joined. Each points from what was made later, or the
// item, to what it rests on or is about.
type Join string

// The joins.
const (
	JoinAbout      Join = "about"      // a state or event and its subject
	JoinMentions   Join = "mentions"   // an item and an entity in it
	JoinTogether   Join = "together"   // two entities that one line names
	JoinSource     Join = "source"     // a state or event and a passage it rests on
	JoinSupersedes Join = "supersedes" // a state and the one it replaced
)

// Tie is one join as one of its nodes sees it.
type Tie struct {
	To     frame.Node
	Kind   Join
	Weight float32 // above 0, to 1
	Back   bool    // it points from To to the node that was asked
}

// Net looks at the space through a window. It costs a pass over all items.
func (v *View) Net(w Window) *Net {
	n := &Net{v: v, seen: make([]bool, len(v.s.items)), about: map[uint32]uint32{}, on: map[uint32][]uint32{}, fan: make([]int32, len(v.s.graph.labels)), crowd: map[uint32]int{}}
	n.sorts = make([]Sort, len(v.s.items))
	l := newLens(v, w)
	for i := range v.s.items {
		doc, it := uint32(i), &v.s.items[i]
		to := nobody
		switch it.kind {
		case uint8(frame.ItemState):
			st := v.s.facts.states[it.id]
			n.sorts[doc], to = sortOf(&st), v.subject(&st)
			n.seen[doc] = l.seesItem(it) && l.seesState(&st)
		case uint8(frame.ItemEvent):
			ev := v.s.facts.events[it.id]
			n.sorts[doc], to = SortEvent, v.eventSubject(&ev)
			n.seen[doc] = l.seesItem(it) && l.seesEvent(it, &ev)
		default:
			n.seen[doc] = l.seesItem(it) && l.seesPassage(it)
			continue
		}
		n.crowd[to]++
		if to == nobody {
			continue
		}
		n.about[doc] = to
		if n.seen[doc] {
			n.on[to] = append(n.on[to], doc)
		}
	}
	n.owner = int32(len(n.on[Owner]))
	for e := range n.fan {
		n.fan[e] = int32(len(n.on[uint32(e)]))
		for _, doc := range v.s.graph.mentions[e] {
			if n.seen[doc] && n.subjectOf(doc) != uint32(e) {
				n.fan[e]++
			}
		}
	}
	return n
}

// nobody is the subject of what has none.
const nobody = Owner - 1

func (n *Net) subjectOf(doc uint32) uint32 {
	if to, ok := n.about[doc]; ok {
		return to
	}
	return nobody
}

// subject returns the entity that a state is about. One of somebody whom the graph does
// not know is taken for the owner's, who told of it.
func (v *View) subject(st *core.State) uint32 {
	if st.SubjectID != 0 {
		if n, ok := v.s.graph.number[st.SubjectID]; ok {
			return n
		}
	}
	if n := v.whose(st.Subject); n != nobody {
		return n
	}
	return Owner
}

// eventSubject returns the entity that an event is about, if there is one.
func (v *View) eventSubject(ev *core.Event) uint32 {
	g := &v.s.graph
	for _, id := range ev.Entities {
		if n, ok := g.number[id]; ok && strings.EqualFold(g.labels[n], ev.Subject) {
			return n
		}
	}
	return v.whose(ev.Subject)
}

// whose returns the entity with a name.
func (v *View) whose(name string) uint32 {
	if name == core.SubjectUser {
		return Owner
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if n, ok := v.s.graph.byName[nameKey(&v.tmp.tokens, name)]; ok && name != "" {
		return n
	}
	return nobody
}

// Entity describes an entity of the graph.
type Entity struct {
	ID    core.ID // the stored entity; 0 when only passages name it
	Label string  // as its name was first written
	Key   string  // of its name, its own among all entities of the space
}

// Entities is how many entities the graph has.
func (n *Net) Entities() int { return len(n.fan) }

// Entity describes an entity.
func (n *Net) Entity(e uint32) Entity { return n.v.EntityAt(e) }

// EntityAt describes an entity of the graph; the owner has the name that facts call him by.
func (v *View) EntityAt(e uint32) Entity {
	if e == Owner {
		return Entity{Label: core.SubjectUser, Key: "#0"}
	}
	g := &v.s.graph
	return Entity{ID: g.ids[e], Label: g.labels[e], Key: g.keys[e]}
}

// EntityOf returns the entity that a stored one is.
func (n *Net) EntityOf(id core.ID) (uint32, bool) {
	e, ok := n.v.s.graph.number[id]
	return e, ok
}

// Rows is how many docs there are, seen or not.
func (n *Net) Rows() int { return len(n.seen) }

// Sees reports whether a node is in the window. An entity is when something about it is.
func (n *Net) Sees(x frame.Node) bool {
	switch {
	case x.Item:
		return int(x.ID) < len(n.seen) && n.seen[x.ID]
	case x.ID == Owner:
		return n.owner > 0
	}
	return int(x.ID) < len(n.fan) && n.fan[x.ID] > 0
}

// Sort is what a doc is.
func (n *Net) Sort(doc uint32) Sort { return n.sorts[doc] }

// Fan is how many items in the window are about an entity.
func (n *Net) Fan(e uint32) int {
	if e == Owner {
		return int(n.owner)
	}
	return int(n.fan[e])
}

// Crowd is how many states and events are about an entity, and how many items mention
// it, in the window or not.
func (n *Net) Crowd(e uint32) (about, mentions int) {
	if e != Owner {
		mentions = len(n.v.s.graph.mentions[e])
	}
	return n.crowd[e], mentions
}

// On returns the states and events in the window about an entity, docs ascending.
func (n *Net) On(e uint32) []uint32 { return n.on[e] }

// Subject returns the entity that a state or event is about.
func (n *Net) Subject(doc uint32) (uint32, bool) {
	e, ok := n.about[doc]
	return e, ok
}

// Ties calls f for each neighbour of a node in the window, each once.
func (n *Net) Ties(x frame.Node, f func(Tie)) {
	if x.Item {
		n.itemTies(x.ID, f)
		return
	}
	for _, doc := range n.on[x.ID] {
		f(Tie{frame.Node{Item: true, ID: doc}, JoinAbout, 1, true})
	}
	if x.ID == Owner {
		return
	}
	g := &n.v.s.graph
	for _, doc := range g.mentions[x.ID] {
		if n.seen[doc] && n.subjectOf(doc) != x.ID {
			f(Tie{frame.Node{Item: true, ID: doc}, JoinMentions, 1, true})
		}
	}
	for _, l := range g.links[x.ID] {
		if n.fan[l.To] > 0 {
			f(Tie{frame.Node{ID: l.To}, JoinTogether, l.Weight, l.To < x.ID})
		}
	}
}

func (n *Net) itemTies(doc uint32, f func(Tie)) {
	s := n.v.s
	it := &s.items[doc]
	subject := n.subjectOf(doc)
	if subject != nobody {
		f(Tie{frame.Node{ID: subject}, JoinAbout, 1, false})
	}
	for _, e := range s.graph.byDoc[doc] {
		if e != subject {
			f(Tie{frame.Node{ID: e}, JoinMentions, 1, false})
		}
	}
	item := func(id core.ID, kind Join, back bool) {
		if to, ok := s.docs[id]; ok && n.seen[to] {
			f(Tie{frame.Node{Item: true, ID: to}, kind, 1, back})
		}
	}
	switch it.kind {
	case uint8(frame.ItemState):
		st := s.facts.states[it.id]
		n.eachSource(st.Sources, item)
		if st.SupersededBy != 0 {
			item(st.SupersededBy, JoinSupersedes, true)
		}
		for _, old := range s.facts.replaced[it.id] {
			if s.facts.states[old].SupersededBy == it.id {
				item(old, JoinSupersedes, false)
			}
		}
	case uint8(frame.ItemEvent):
		n.eachSource(s.facts.events[it.id].Sources, item)
	default:
		for _, id := range s.facts.rests[it.id] {
			item(id, JoinSource, true)
		}
		for _, id := range s.facts.happened[it.id] {
			item(id, JoinSource, true)
		}
	}
}

func (n *Net) eachSource(sources []core.Source, item func(core.ID, Join, bool)) {
	for i, src := range sources {
		again := slices.ContainsFunc(sources[:i], func(o core.Source) bool { return o.Passage == src.Passage })
		if src.Passage != 0 && !again {
			item(src.Passage, JoinSource, false)
		}
	}
}

// Newest orders docs of the same kind: the ones said last first, then by id.
func (n *Net) Newest(docs []uint32) {
	items := n.v.s.items
	slices.SortFunc(docs, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(items[b].at, items[a].at), cmp.Compare(items[b].id, items[a].id))
	})
}

// Uses returns when an item was used, oldest first; the last few of many.
func (v *View) Uses(doc uint32) []int64 { return v.s.uses[doc] }

// Replaced returns the states that a state replaced.
func (v *View) Replaced(id core.ID) []core.ID { return v.s.facts.replaced[id] }

// About returns the states with a state's subject, attribute and side, closed ones too,
// the oldest first.
func (v *View) About(st *core.State) []core.State {
	var out []core.State
	for _, o := range v.s.facts.states {
		if o.Attribute == st.Attribute && o.Forbidden == st.Forbidden && (o.SubjectID == st.SubjectID && o.SubjectID != 0 || strings.EqualFold(o.Subject, st.Subject)) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b core.State) int {
		return cmp.Or(cmp.Compare(a.ValidFrom, b.ValidFrom), a.Said.Compare(b.Said), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Version is the version of the space that the view pins.
func (v *View) Version() core.Version { return v.s.version }

// Joins counts the pairs of neighbours in the window.
func (n *Net) Joins() int {
	s := n.v.s
	sum := int(n.owner)
	for e := range n.fan {
		sum += int(n.fan[e])
		if n.fan[e] == 0 {
			continue
		}
		for _, l := range s.graph.links[e] {
			if l.To > uint32(e) && n.fan[l.To] > 0 {
				sum++
			}
		}
	}
	seen := func(id core.ID, _ Join, _ bool) {
		if to, ok := s.docs[id]; ok && n.seen[to] {
			sum++
		}
	}
	for doc := range n.seen {
		switch it := &s.items[doc]; {
		case !n.seen[doc]:
		case it.kind == uint8(frame.ItemState):
			st := s.facts.states[it.id]
			n.eachSource(st.Sources, seen)
			if st.SupersededBy != 0 {
				seen(st.SupersededBy, JoinSupersedes, true)
			}
		case it.kind == uint8(frame.ItemEvent):
			n.eachSource(s.facts.events[it.id].Sources, seen)
		}
	}
	return sum
}
