package engine

import (
	"cmp"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

// explain makes the trace of a run that was asked to explain itself.
func (r *run) explain() *Trace {
	if r.trace == nil {
		return nil
	}
	t := &Trace{Steps: []TraceStep{}, Candidates: []Candidate{}, Spread: []Spreading{}}
	for _, rec := range r.trace.Records {
		s := TraceStep{Stage: rec.Step, Micros: float64(rec.Took.Nanoseconds()) / 1000, In: rec.In, Out: rec.Out}
		if rec.Err != nil {
			s.Error = rec.Err.Error()
		}
		t.Steps = append(t.Steps, s)
		if len(rec.Spread) > 0 {
			t.Spread = append(t.Spread, Spreading{Stage: rec.Step, Hops: r.hops(rec.Spread)})
		}
	}
	rank := make([]int, r.frame.Len())
	for i, row := range r.frame.Order() {
		rank[row] = i + 1
	}
	add := func(row int32) { t.Candidates = append(t.Candidates, r.candidate(row, rank[row])) }
	for _, row := range r.frame.Order() {
		add(row)
	}
	for row := range int32(r.frame.Len()) {
		if rank[row] == 0 {
			add(row)
		}
	}
	return t
}

func (r *run) candidate(row int32, rank int) Candidate {
	c := Candidate{
		ID: core.ID(r.frame.I64(frame.ID)[row]), Kind: kindName(r.frame.I64(frame.Item)[row]),
		Rank: rank, Columns: map[string]float32{},
	}
	c.Node = itemNode(r.frame.I64(frame.Item)[row], c.ID)
	before := float32(0)
	for _, rec := range r.trace.Records {
		score := float32(0)
		if int(row) < len(rec.Scores) {
			score = rec.Scores[row]
		}
		c.Scores, c.Parts = append(c.Scores, score), append(c.Parts, score-before)
		before = score
	}
	for _, col := range r.frame.Columns() {
		if col.Kind == frame.KindF32 && col.Name != frame.Score.Name {
			c.Columns[col.Name] = r.frame.F32(col)[row]
		}
	}
	return c
}

func kindName(item int64) string {
	switch item {
	case frame.ItemState:
		return ItemState
	case frame.ItemEvent:
		return ItemEvent
	}
	return ItemPassage
}

// maxHops bounds the steps of activation that an explanation shows.
const maxHops = 300

// hops shows steps of activation: the strongest, each with the way to it.
func (r *run) hops(steps []frame.Spread) []SpreadHop {
	at := make(map[frame.Node]int, len(steps))
	order := make([]int, len(steps))
	for i, s := range steps {
		at[s.To], order[i] = i, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(steps[b].Value, steps[a].Value) })
	shown := make(map[int]bool, maxHops)
	for _, i := range order {
		if len(shown) >= maxHops {
			break
		}
		for ok := true; ok && !shown[i]; { // back to where it started
			shown[i] = true
			if ok = steps[i].Hop > 0; ok {
				i, ok = at[steps[i].From]
			}
		}
	}
	order = slices.DeleteFunc(order, func(i int) bool { return !shown[i] })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(steps[a].Hop, steps[b].Hop) })
	out := make([]SpreadHop, 0, len(order))
	for _, i := range order {
		h := SpreadHop{Hop: steps[i].Hop, To: r.nodeID(steps[i].To), Value: steps[i].Value}
		if h.Hop > 0 {
			h.From = r.nodeID(steps[i].From)
		}
		out = append(out, h)
	}
	return out
}

// nodeID is a node's id in the graph.
func (r *run) nodeID(x frame.Node) string {
	if x.Item {
		ref := r.view.Ref(x.ID)
		return itemNode(ref.Kind, ref.ID)
	}
	return entityNode(r.view.EntityAt(x.ID))
}
