package rank

import "github.com/orma-memory/orma/core/frame"

// tracer notes how activation reaches nodes: for each the step that gave it most.
type tracer struct {
	steps []frame.Spread
	at    map[frame.Node]int     // place of each node in steps
	gave  map[frame.Node]float32 // what that step gave
}

// start is where activation begins.
func (t *tracer) start(x frame.Node, value float32) {
	if _, ok := t.at[x]; !ok {
		t.at[x] = len(t.steps)
		t.steps = append(t.steps, frame.Spread{To: x, Value: value})
	}
}

// step passes a share on. A start stays one.
func (t *tracer) step(from, to frame.Node, share float32) {
	source, ok := t.at[from]
	if !ok || share <= 0 {
		return
	}
	hop := t.steps[source].Hop + 1
	i, known := t.at[to]
	switch {
	case !known:
		t.at[to], t.gave[to] = len(t.steps), share
		t.steps = append(t.steps, frame.Spread{Hop: hop, From: from, To: to, Value: share})
	case share > t.gave[to] && t.steps[i].Hop >= hop:
		t.gave[to] = share
		t.steps[i].Hop, t.steps[i].From = hop, from
	}
}

// set writes what a node had in the end, if it was reached.
func (t *tracer) set(x frame.Node, value float32) {
	if i, ok := t.at[x]; ok && value > 0 {
		t.steps[i].Value = value
	}
}

// rows starts at the best rows and goes on to their entities.
func (t *tracer) rows(g frame.Graph, f *frame.Frame, top []int32) {
	score := f.F32(frame.Score)
	sum := 0.0
	for _, r := range top {
		sum += float64(score[r])
	}
	for _, r := range top {
		row := frame.Node{Item: true, ID: f.Docs()[r]}
		share := float32(float64(score[r]) / sum)
		t.start(row, share)
		es := g.Entities(row.ID)
		for _, e := range es {
			t.step(row, frame.Node{ID: e}, share/float32(len(es)))
		}
	}
}
