package index

import (
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
)

// Ref is a row's item in words that front ends know.
type Ref struct {
	ID      core.ID
	Kind    int64 // frame.ItemPassage …
	Episode core.ID
	Start   int // bytes of the episode's text
	End     int
	At      time.Time
	Session string
	Speaker string
	Source  string
	Trust   core.Trust
}

// Ref describes a doc.
func (v *View) Ref(doc uint32) Ref {
	it := &v.s.items[doc]
	r := Ref{ID: it.id, Kind: int64(it.kind), Episode: it.episode, Start: int(it.start), End: int(it.end), At: time.Unix(it.at, 0).UTC(), Trust: core.Trust(it.trust)}
	if it.session >= 0 {
		r.Session = v.s.sessions.list[it.session]
	}
	if it.speaker >= 0 {
		r.Speaker = v.s.speakers.list[it.speaker]
	}
	if it.source >= 0 {
		r.Source = v.s.sources.list[it.source]
	}
	return r
}

// State returns a state that the space has. It is the index's own, as are those of Rules
// and Current.
func (v *View) State(id core.ID) (*core.State, bool) {
	st, ok := v.s.facts.states[id]
	return st, ok
}

// Event returns an event that the space has.
func (v *View) Event(id core.ID) (core.Event, bool) {
	e, ok := v.s.facts.events[id]
	return e, ok
}

// Rules returns the rules that stand, the oldest first.
func (v *View) Rules() []*core.State {
	rules := v.s.facts.open(v.query.Now, true)
	slices.Reverse(rules)
	return rules
}

// Current returns the states that hold and are no rules, the ones said last first.
func (v *View) Current() []*core.State {
	return v.s.facts.open(v.query.Now, false)
}

// RestingOn returns the states that rest on a passage, in no order.
func (v *View) RestingOn(passage core.ID) []core.ID { return v.s.facts.rests[passage] }

// HappenedIn returns the events that rest on a passage, in the order in which they were
// noted.
func (v *View) HappenedIn(passage core.ID) []core.ID { return v.s.facts.happened[passage] }

// Ended is a sentence that no longer holds: bytes Start to End of an episode's text.
type Ended struct {
	Start, End int
	Now        string // the value that replaced it, or empty
	By         core.ID
}

// Ended returns the sentences of a passage that do not hold any more, in whole or in
// part: those on which a closed state rests. One whose state was opened anew holds,
// and so does one that tells of the change itself.
func (v *View) Ended(passage core.ID) []Ended {
	var out []Ended
	for _, id := range v.s.facts.closed[passage] {
		st := v.s.facts.states[id]
		for _, src := range st.Sources {
			if src.Passage != passage || v.holds(st, src) {
				continue
			}
			e := Ended{Start: src.Start, End: src.End, By: st.SupersededBy}
			e.Now = v.valueNow(st)
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Ended) int { return a.Start - b.Start })
	return slices.CompactFunc(out, func(a, b Ended) bool { return a.Start == b.Start && a.End == b.End })
}

// holds reports whether the sentence of a closed state also says what holds in its
// place: the same value, or the one that replaced it.
func (v *View) holds(closed *core.State, src core.Source) bool {
	for _, id := range v.s.facts.rests[src.Passage] {
		st := v.s.facts.states[id]
		if !st.Active(v.query.Now) || st.Subject != closed.Subject {
			continue
		}
		if st.ID != closed.SupersededBy && text.Fold(st.Value) != text.Fold(closed.Value) {
			continue
		}
		for _, other := range st.Sources {
			if other.Passage == src.Passage && other.Start < src.End && src.Start < other.End {
				return true
			}
		}
	}
	return false
}

// valueNow follows what replaced a state to the value that holds now.
func (v *View) valueNow(st *core.State) string {
	for range len(v.s.facts.states) {
		if st.SupersededBy == 0 {
			return ""
		}
		next, ok := v.s.facts.states[st.SupersededBy]
		if !ok {
			return ""
		}
		if next.Active(v.query.Now) {
			return next.Value
		}
		st = next
	}
	return ""
}

// IsPassage reports whether a doc is a passage.
func (v *View) IsPassage(doc uint32) bool { return v.s.items[doc].kind == uint8(frame.ItemPassage) }
