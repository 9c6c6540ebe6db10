package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/vector"
)

// Owner is the entity number of the person that a space belongs to, whom facts call
// [core.SubjectUser] and who is no entity of the graph.
const Owner = ^uint32(0)

// Net is a space as a graph, through a window: items, the entities that they are about,
// and what joins them. It is valid as long as its view.
type Net struct {
	*sight
	v *View
}

// shape is what a graph is whatever the window. Nothing changes it.
type shape struct {
	sorts  []Sort        // by doc
	about  []uint32      // by doc: the subject of a state or event, or nobody
	closed vector.Bitmap // docs of states that ended
	crowd  []int32       // by entity, the owner last: states and events about it
}

// sight is what is seen of a shape through a window. Nothing changes it.
type sight struct {
	*shape
	key          sightKey
	since, until int64 // the same is seen at these seconds and between, the last excepted

	seen   []bool   // by doc
	ends   []uint32 // by entity, the owner last: end of its docs in on
	on     []uint32 // states and events about each entity, docs ascending
	fan    []int32  // by entity: what is about it
	counts [SortRule + 1]int
	hubs   int // entities that something is about
	joins  int // pairs of neighbours
}

type sightKey struct {
	w    Window
	zone *time.Location
}

// maxSights bounds the sights that are kept of a space: a page of the view asks for the
// same one again and again, and a slider through time for many that do not come back.
const maxSights = 4

// sights are kept until the space changes.
type sights struct {
	mu    sync.Mutex
	shape *shape
	list  []*sight // the one asked for last comes first
}

// forget drops them all. The caller holds the lock of the space.
func (k *sights) forget() { k.shape, k.list = nil, nil }

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

// Net looks at the space through a window. The first time it costs a pass over all items.
func (v *View) Net(w Window) *Net {
	l := newLens(v, w)
	k := &v.s.sights
	k.mu.Lock()
	defer k.mu.Unlock()
	key := sightKey{w, l.zone}
	i := slices.IndexFunc(k.list, func(x *sight) bool { return x.key == key && x.since <= l.now && l.now < x.until })
	if i < 0 {
		if k.shape == nil {
			k.shape = v.shape()
		}
		k.list = append(k.list[:min(len(k.list), maxSights-1)], v.look(k.shape, l, key))
		i = len(k.list) - 1
	}
	x := k.list[i]
	copy(k.list[1:i+1], k.list[:i])
	k.list[0] = x
	return &Net{x, v}
}

func (v *View) shape() *shape {
	s := v.s
	p := &shape{sorts: make([]Sort, len(s.items)), about: make([]uint32, len(s.items)), crowd: make([]int32, len(s.graph.labels)+1)}
	for i := range s.items {
		doc, it := uint32(i), &s.items[i]
		to := nobody
		switch it.kind {
		case uint8(frame.ItemState):
			st := s.facts.states[it.id]
			p.sorts[doc], to = sortOf(st), v.subject(st)
			if !st.Closed.IsZero() {
				p.closed.Set(doc)
			}
		case uint8(frame.ItemEvent):
			ev := s.facts.events[it.id]
			p.sorts[doc], to = SortEvent, v.eventSubject(&ev)
		}
		p.about[doc] = to
		if to != nobody {
			p.crowd[p.seat(to)]++
		}
	}
	return p
}

// seat is where lists by entity have an entity: the owner comes last.
func (p *shape) seat(e uint32) uint32 {
	if e == Owner {
		return uint32(len(p.crowd) - 1)
	}
	return e
}

// look looks at a shape through a lens.
func (v *View) look(p *shape, l *lens, key sightKey) *sight {
	items := v.s.items
	n := &sight{shape: p, key: key, since: math.MinInt64, until: math.MaxInt64, seen: make([]bool, len(items)), ends: make([]uint32, len(p.crowd)), fan: make([]int32, len(p.crowd))}
	for i := range items {
		doc, it := uint32(i), &items[i]
		n.bound(it.at, l.now)
		if it.expires != 0 {
			n.bound(it.expires, l.now)
		}
		if !l.seesItem(it) || !l.sees(doc, it, p) {
			continue
		}
		n.seen[doc] = true
		n.counts[p.sorts[doc]]++
		if to := p.about[doc]; to != nobody {
			n.fan[p.seat(to)]++
		}
	}
	end := uint32(0)
	for e, many := range n.fan {
		n.ends[e] = end // where its docs begin, until they are there
		end += uint32(many)
	}
	n.on = make([]uint32, end)
	for doc, to := range p.about {
		if to != nobody && n.seen[doc] {
			e := p.seat(to)
			n.on[n.ends[e]] = uint32(doc)
			n.ends[e]++
		}
	}
	for e, docs := range v.s.graph.mentions {
		for _, doc := range docs {
			if n.seen[doc] && p.about[doc] != uint32(e) {
				n.fan[e]++
			}
		}
	}
	for _, many := range n.fan {
		if many > 0 {
			n.hubs++
		}
	}
	n.joins = n.countJoins(v.s)
	return n
}

// bound notes a moment at which what is seen may change.
func (n *sight) bound(at, now int64) {
	if at <= now {
		n.since = max(n.since, at)
	} else {
		n.until = min(n.until, at)
	}
}

// nobody is the subject of what has none.
const nobody = Owner - 1

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

// Entities is how many entities the graph has, without the owner.
func (n *Net) Entities() int { return len(n.fan) - 1 }

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
	if x.Item {
		return int(x.ID) < len(n.seen) && n.seen[x.ID]
	}
	return n.Fan(x.ID) > 0
}

// Sort is what a doc is.
func (n *Net) Sort(doc uint32) Sort { return n.sorts[doc] }

// Count is how many items of a sort are in the window.
func (n *Net) Count(s Sort) int { return n.counts[s] }

// Hubs is how many entities are in the window, the owner included.
func (n *Net) Hubs() int { return n.hubs }

// Joins is how many pairs of neighbours are in the window.
func (n *Net) Joins() int { return n.joins }

// Fan is how many items in the window are about an entity.
func (n *Net) Fan(e uint32) int {
	if i := n.seat(e); int(i) < len(n.fan) {
		return int(n.fan[i])
	}
	return 0
}

// Crowd is how many states and events are about an entity, and how many items mention
// it, in the window or not.
func (n *Net) Crowd(e uint32) (about, mentions int) {
	if e != Owner {
		mentions = len(n.v.s.graph.mentions[e])
	}
	return int(n.crowd[n.seat(e)]), mentions
}

// On returns the states and events in the window about an entity, docs ascending.
func (n *sight) On(e uint32) []uint32 {
	i, from := n.seat(e), uint32(0)
	if i > 0 {
		from = n.ends[i-1]
	}
	return n.on[from:n.ends[i]:n.ends[i]]
}

// Subject returns the entity that a state or event is about.
func (n *Net) Subject(doc uint32) (uint32, bool) {
	e := n.about[doc]
	return e, e != nobody
}

// Ties calls f for each neighbour of a node in the window, each once.
func (n *Net) Ties(x frame.Node, f func(Tie)) {
	if x.Item {
		n.itemTies(x.ID, f)
		return
	}
	for _, doc := range n.On(x.ID) {
		f(Tie{frame.Node{Item: true, ID: doc}, JoinAbout, 1, true})
	}
	if x.ID == Owner {
		return
	}
	g := &n.v.s.graph
	for _, doc := range g.mentions[x.ID] {
		if n.seen[doc] && n.about[doc] != x.ID {
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
	subject := n.about[doc]
	if subject != nobody && n.Fan(subject) > 0 { // none is when the item itself is outside
		f(Tie{frame.Node{ID: subject}, JoinAbout, 1, false})
	}
	for _, e := range s.graph.byDoc[doc] {
		if e != subject && n.Fan(e) > 0 {
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
		eachSource(st.Sources, item)
		if st.SupersededBy != 0 {
			item(st.SupersededBy, JoinSupersedes, true)
		}
		for _, old := range s.facts.replaced[it.id] {
			if s.facts.states[old].SupersededBy == it.id {
				item(old, JoinSupersedes, false)
			}
		}
	case uint8(frame.ItemEvent):
		eachSource(s.facts.events[it.id].Sources, item)
	default:
		for _, id := range s.facts.rests[it.id] {
			item(id, JoinSource, true)
		}
		for _, id := range s.facts.happened[it.id] {
			item(id, JoinSource, true)
		}
	}
}

func eachSource(sources []core.Source, item func(core.ID, Join, bool)) {
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

// Said returns when an item was said, in seconds.
func (v *View) Said(doc uint32) int64 { return v.s.items[doc].at }

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
			out = append(out, *o)
		}
	}
	slices.SortFunc(out, func(a, b core.State) int {
		return cmp.Or(cmp.Compare(a.ValidFrom, b.ValidFrom), a.Said.Compare(b.Said), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Version is the version of the space that the view pins.
func (v *View) Version() core.Version { return v.s.version }

// countJoins counts the pairs of neighbours.
func (n *sight) countJoins(s *Space) int {
	sum := int(n.fan[n.seat(Owner)])
	for e, links := range s.graph.links {
		sum += int(n.fan[e])
		if n.fan[e] == 0 {
			continue
		}
		for _, l := range links {
			if l.To > uint32(e) && n.fan[l.To] > 0 {
				sum++
			}
		}
	}
	count := func(id core.ID, _ Join, _ bool) {
		if to, ok := s.docs[id]; ok && n.seen[to] {
			sum++
		}
	}
	for doc := range n.seen {
		switch it := &s.items[doc]; {
		case !n.seen[doc]:
		case it.kind == uint8(frame.ItemState):
			st := s.facts.states[it.id]
			eachSource(st.Sources, count)
			if st.SupersededBy != 0 {
				count(st.SupersededBy, JoinSupersedes, true)
			}
		case it.kind == uint8(frame.ItemEvent):
			eachSource(s.facts.events[it.id].Sources, count)
		}
	}
	return sum
}
