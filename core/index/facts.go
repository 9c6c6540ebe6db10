package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// facts holds states and events whole: there are few of them, and recall shows
// them without asking the store.
type facts struct {
	states map[core.ID]core.State
	events map[core.ID]core.Event
	docs   map[core.ID]uint32
	// closed lists, by passage, the states that rested on it and hold no more.
	closed map[core.ID][]core.ID
	// open lists, by passage, the states that rest on it.
	rests map[core.ID][]core.ID
}

func newFacts() facts {
	return facts{
		states: map[core.ID]core.State{}, events: map[core.ID]core.Event{}, docs: map[core.ID]uint32{},
		closed: map[core.ID][]core.ID{}, rests: map[core.ID][]core.ID{},
	}
}

func (f *facts) put(st *core.State, doc uint32) {
	f.states[st.ID] = *st
	f.docs[st.ID] = doc
	for _, src := range st.Sources {
		if !slices.Contains(f.rests[src.Passage], st.ID) {
			f.rests[src.Passage] = append(f.rests[src.Passage], st.ID)
		}
		if !st.Closed.IsZero() && !slices.Contains(f.closed[src.Passage], st.ID) {
			f.closed[src.Passage] = append(f.closed[src.Passage], st.ID)
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

// open returns the states that hold at now, for which ok holds, in a fixed order:
// the ones said last first, then by id.
func (f *facts) open(now time.Time, ok func(*core.State) bool) []core.State {
	var out []core.State
	for _, st := range f.states {
		if st.Active(now) && ok(&st) {
			out = append(out, st)
		}
	}
	slices.SortFunc(out, func(a, b core.State) int {
		return cmp.Or(b.Said.Compare(a.Said), cmp.Compare(a.ID, b.ID))
	})
	return out
}
