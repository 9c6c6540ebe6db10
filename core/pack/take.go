package pack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

// misses is how many candidates in a row may fail to fit before the rest is not
// tried any more.
const misses = 32

// minCut is the least room, in tokens, for which the best passage is cut instead of
// left out.
const minCut = 24

// byScore orders candidates: best first, equal scores by id.
func byScore(s, t float32, a, b core.ID) int { return cmp.Or(cmp.Compare(t, s), cmp.Compare(a, b)) }

// queue orders the candidates of kinds that are looked at twice.
func (w *work) queue() {
	w.stateQueue = make([]*State, len(w.in.States))
	for i := range w.in.States {
		w.stateQueue[i] = &w.in.States[i]
	}
	w.sortStates()
	w.eventQueue = make([]*Event, len(w.in.Events))
	for i := range w.in.Events {
		w.eventQueue[i] = &w.in.Events[i]
	}
	slices.SortStableFunc(w.eventQueue, func(a, b *Event) int { return byScore(a.Score, b.Score, a.ID, b.ID) })
}

// sortStates puts the states that wait into the order in which they are taken: best
// first, of equal ones the user's name.
func (w *work) sortStates() {
	slices.SortStableFunc(w.stateQueue, func(a, b *State) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), nameFirst(a.State, b.State), cmp.Compare(a.ID, b.ID))
	})
}

// takeSteady chooses the states of a stable part that must not depend on the query.
func (w *work) takeSteady(room int) (used int) {
	var others []*State
	w.stateQueue = slices.DeleteFunc(w.stateQueue, func(s *State) bool {
		other := s.Subject != core.SubjectUser
		if other {
			others = append(others, s)
		}
		return other
	})
	slices.SortStableFunc(w.stateQueue, func(a, b *State) int {
		return cmp.Or(nameFirst(a.State, b.State), b.Said.Compare(a.Said), cmp.Compare(b.ID, a.ID))
	})
	used = w.takeStates(room, false)
	w.stateQueue = append(w.stateQueue, others...)
	w.sortStates()
	return used
}

func (w *work) takeRules() {
	for i := range w.in.Rules {
		s := w.in.Rules[i]
		f := w.clean.fact(s, true)
		if f.value == "" {
			w.leave(s.ID, KindRule, 0, ReasonEmpty)
			continue
		}
		text := w.l.rule(f)
		w.rules = append(w.rules, entry{text: text, item: Item{ID: s.ID, Kind: KindRule, Tokens: w.count(text), Sources: s.Sources}})
	}
	slices.SortStableFunc(w.rules, func(a, b entry) int { return cmp.Compare(a.item.ID, b.item.ID) })
}

// takeStates chooses states, up to room tokens, and returns what they take: for the
// stable part or, with more, for the turn part. The others stay in the queue.
func (w *work) takeStates(room int, more bool) (used int) {
	head, also, _, _ := w.l.headings()
	to := &w.states
	if more {
		head, to = also, &w.more
	}
	if room <= 0 {
		return 0
	}
	used = w.cost(head)
	*to = make([]entry, 0, min(len(w.stateQueue), room/8+1))
	missed, known := 0, ""
	rest := w.stateQueue[:0]
	for _, s := range w.stateQueue {
		if missed >= misses || room <= used {
			rest = append(rest, s)
			continue
		}
		f := w.clean.fact(s.State, false)
		if f.value == "" {
			w.leave(s.ID, KindState, s.Score, ReasonEmpty)
			continue
		}
		e := entry{text: w.l.fact(f), group: f.subject, state: s.State}
		own := w.cost(e.text)
		cost := own
		if !strings.HasSuffix(e.text, "\n") { // a part of a line, which may have to be begun
			if cost++; len(*to) == 0 || f.subject != known {
				cost += w.cost("[" + cmp.Or(f.subject, "user") + ": ]")
			}
		}
		if used+cost > room {
			rest = append(rest, s)
			missed++
			continue
		}
		missed, used, known = 0, used+cost, f.subject
		e.item = Item{ID: s.ID, Kind: KindState, Score: s.Score, Tokens: own, Sources: s.Sources}
		*to = append(*to, e)
	}
	w.stateQueue = rest
	if len(*to) == 0 {
		return 0
	}
	slices.SortStableFunc(*to, func(a, b entry) int { return order(a.state, b.state) })
	return used
}

// takeEvents chooses events, up to room tokens, and returns what they take. What is
// already chosen stays, and the others stay in the queue.
func (w *work) takeEvents(room int) (used int) {
	_, _, _, head := w.l.headings()
	missed := 0
	rest := w.eventQueue[:0]
	for _, e := range w.eventQueue {
		if len(w.event) >= w.p.MaxEvents || missed >= misses || room <= used {
			rest = append(rest, e)
			continue
		}
		h := w.clean.happening(&e.Event)
		if h.text == "" {
			w.leave(e.ID, KindEvent, e.Score, ReasonEmpty)
			continue
		}
		text := w.l.event(h)
		own := w.cost(text)
		cost := own
		if len(w.event) == 0 {
			cost += w.cost(head)
		}
		if used+cost > room {
			rest = append(rest, e)
			missed++
			continue
		}
		missed, used = 0, used+cost
		w.event = append(w.event, entry{text: text, day: h.day, item: Item{ID: e.ID, Kind: KindEvent, Score: e.Score, Tokens: own, Sources: e.Sources}})
	}
	w.eventQueue = rest
	slices.SortStableFunc(w.event, func(a, b entry) int {
		if a.day == "" || b.day == "" { // undated ones last
			return cmp.Or(strings.Compare(b.day, a.day), cmp.Compare(a.item.ID, b.item.ID))
		}
		return cmp.Or(strings.Compare(a.day, b.day), cmp.Compare(a.item.ID, b.item.ID))
	})
	return used
}

// leaveQueues says why the candidates that are still waiting are left out.
func (w *work) leaveQueues() {
	for _, e := range w.eventQueue {
		if len(w.event) >= w.p.MaxEvents {
			w.leave(e.ID, KindEvent, e.Score, ReasonMax)
		} else {
			w.leave(e.ID, KindEvent, e.Score, ReasonBudget)
		}
	}
	for _, s := range w.stateQueue {
		w.leave(s.ID, KindState, s.Score, ReasonBudget)
	}
}

// takePassages chooses passages, up to room tokens, and returns what they take. If
// the best one is too long it is cut.
func (w *work) takePassages(room int) (used int) {
	ps := w.in.Passages
	rank := make([]int, len(ps))
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int {
		return byScore(ps[a].Score, ps[b].Score, ps[a].Source.Passage, ps[b].Source.Passage)
	})
	_, _, head, _ := w.l.headings()
	used = w.cost(head)
	w.said = make([]entry, 0, min(len(ps), w.p.MaxPassages))
	missed := 0
	for _, i := range rank {
		p := &ps[i]
		e, why := entry{}, ReasonBudget
		switch {
		case len(w.said) >= w.p.MaxPassages:
			why = ReasonMax
		case missed >= misses:
		default:
			e, why = w.passage(p, room-used)
		}
		if why != "" {
			w.leave(p.Source.Passage, KindPassage, p.Score, why)
			if why == ReasonBudget {
				missed++
			}
			continue
		}
		missed, used = 0, used+e.item.Tokens
		w.said = append(w.said, e)
	}
	if len(w.said) == 0 {
		return 0
	}
	slices.SortStableFunc(w.said, func(a, b entry) int {
		return cmp.Or(a.when.Compare(b.when), cmp.Compare(a.item.ID, b.item.ID))
	})
	return used
}

// passage makes the entry of a passage that may take room tokens, or says why not.
func (w *work) passage(p *Passage, room int) (entry, Reason) {
	s := w.clean.said(p, w.zone)
	if len(s.parts) == 0 {
		return entry{}, ReasonEmpty
	}
	text := w.l.said(s)
	cost := w.cost(text)
	cut := cost > room && len(w.said) == 0 && room >= minCut
	if cut {
		s = w.shorten(s, room)
		text = w.l.said(s)
		cost = w.cost(text)
	}
	if len(s.parts) == 0 || cost > room {
		return entry{}, ReasonBudget
	}
	item := Item{ID: p.Source.Passage, Kind: KindPassage, Score: p.Score, Tokens: cost, Cut: cut, Sources: []core.Source{p.Source}}
	return entry{text: text, outdated: s.outdated(), when: p.At, item: item}, ""
}

// shorten cuts a passage to room tokens: parts from its end, and then text from the
// end of what is the last part. It returns one without parts if nothing useful fits.
func (w *work) shorten(s *said, room int) *said {
	for n := len(s.parts); n > 0; n-- {
		try := *s
		try.parts = slices.Clone(s.parts[:n])
		last := &try.parts[n-1]
		whole := last.text
		last.text = fit(whole, func(t string) bool {
			last.text = t
			return w.cost(w.l.said(&try)) <= room
		})
		if last.text != "" {
			return &try
		}
	}
	return &said{}
}
