package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// facts holds states and events whole: there are few of them, and recall shows
// them without asking the store.
type facts struct {
	states map[core.ID]*core.State // never changed: a state that changes is another one
	events map[core.ID]core.Event
	docs   map[core.ID]uint32
	// closed lists, by passage, the states that rested on it and hold no more.
	closed map[core.ID][]core.ID
	// rests lists, by passage, the states that rest on it, and happened the events.
	rests    map[core.ID][]core.ID
	happened map[core.ID][]core.ID
	// replaced lists, by state, those that it replaced.
	replaced map[core.ID][]core.ID
	// standing are the states that are not closed, as open gives them.
	standing []*core.State
	stale    bool // states came since standing was found
}

func newFacts() facts {
	return facts{
		states: map[core.ID]*core.State{}, events: map[core.ID]core.Event{}, docs: map[core.ID]uint32{},
		closed: map[core.ID][]core.ID{}, rests: map[core.ID][]core.ID{}, happened: map[core.ID][]core.ID{}, replaced: map[core.ID][]core.ID{},
	}
}

// factList is facts as a snapshot has them.
type factList struct {
	States []core.State
	Events []core.Event
}

func (f *facts) list() factList {
	var l factList
	for _, id := range slices.Sorted(maps.Keys(f.states)) {
		l.States = append(l.States, *f.states[id])
	}
	for _, id := range slices.Sorted(maps.Keys(f.events)) {
		l.Events = append(l.Events, f.events[id])
	}
	return l
}

// restore fills empty facts from a list, each of which has a doc.
func (f *facts) restore(l factList, docs map[core.ID]uint32) error {
	f.states, f.docs = make(map[core.ID]*core.State, len(l.States)), make(map[core.ID]uint32, len(l.States))
	f.rests, f.events = make(map[core.ID][]core.ID, len(l.States)), make(map[core.ID]core.Event, len(l.Events))
	for i := range l.States {
		doc, ok := docs[l.States[i].ID]
		if !ok {
			return errSnapshot
		}
		f.put(&l.States[i], doc)
	}
	for _, e := range l.Events {
		if _, ok := docs[e.ID]; !ok {
			return errSnapshot
		}
		f.putEvent(&e)
	}
	return nil
}

func (f *facts) put(st *core.State, doc uint32) {
	f.states[st.ID] = clone(st)
	f.stale = true
	f.docs[st.ID] = doc
	if by := st.SupersededBy; by != 0 && !slices.Contains(f.replaced[by], st.ID) {
		f.replaced[by] = append(f.replaced[by], st.ID)
	}
	for _, src := range st.Sources {
		if !slices.Contains(f.rests[src.Passage], st.ID) {
			f.rests[src.Passage] = append(f.rests[src.Passage], st.ID)
		}
		if !st.Closed.IsZero() && !slices.Contains(f.closed[src.Passage], st.ID) {
			f.closed[src.Passage] = append(f.closed[src.Passage], st.ID)
		}
	}
}

func (f *facts) putEvent(e *core.Event) {
	f.events[e.ID] = *e
	for _, src := range e.Sources {
		if !slices.Contains(f.happened[src.Passage], e.ID) {
			f.happened[src.Passage] = append(f.happened[src.Passage], e.ID)
		}
	}
}

// StateText is a state as it reads: "user · home city: Bangalore".
func StateText(st *core.State) string {
	attribute := strings.ReplaceAll(st.Attribute, "_", " ")
	s := st.Subject + " · " + attribute + ": " + st.Value
	if st.Condition != "" {
		s += " (when " + st.Condition + ")"
	}
	return s
}

func clone(st *core.State) *core.State {
	c := *st
	return &c
}

// refresh finds the standing states again after a feed: the ones said last first, then
// by id.
func (f *facts) refresh() {
	if !f.stale {
		return
	}
	f.stale = false
	f.standing = f.standing[:0]
	for _, st := range f.states {
		if st.Closed.IsZero() {
			f.standing = append(f.standing, st)
		}
	}
	slices.SortFunc(f.standing, func(a, b *core.State) int {
		return cmp.Or(b.Said.Compare(a.Said), cmp.Compare(a.ID, b.ID))
	})
}

// open returns the states that hold at now and are rules, or are none.
func (f *facts) open(now time.Time, rules bool) []*core.State {
	var out []*core.State
	for _, st := range f.standing {
		if st.Forbidden == rules && st.Active(now) {
			out = append(out, st)
		}
	}
	return out
}
