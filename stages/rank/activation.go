package rank

import (
	"cmp"

	"github.com/orma-memory/orma/core/frame"
)

// maxLinks bounds the cost of an entity that is linked to everything. Its links
// share its activation, so those left out would have got next to nothing.
const maxLinks = 256

// activation is what entities have of it in one run. It is reused, and clears only
// what it touched.
type activation struct {
	of      []float32 // by entity
	touched []uint32  // entities with some, each once, in the order they were reached
	ids     []uint32
	have    []float32
	top     []int32
}

func (a *activation) reset() {
	for _, e := range a.touched {
		a.of[e] = 0
	}
	a.touched = a.touched[:0]
}

func (a *activation) add(entity uint32, x float32) {
	if x <= 0 {
		return
	}
	if int(entity) >= len(a.of) {
		a.of = append(a.of, make([]float32, int(entity)+1-len(a.of))...)
	}
	if a.of[entity] == 0 {
		a.touched = append(a.touched, entity)
	}
	a.of[entity] += x
}

// named shares an attention of 1 among the entities of the query.
func (a *activation) named(g frame.Graph) {
	a.ids = g.Named(a.ids[:0])
	for _, e := range a.ids {
		a.add(e, 1/float32(len(a.ids)))
	}
}

// passages shares an attention of 1 among the k best rows by score, and each row's
// part among its entities.
func (a *activation) passages(g frame.Graph, f *frame.Frame, k int) {
	score := f.F32(frame.Score)
	a.top = best(a.top[:0], f.Order(), score, f.I64(frame.ID), k)
	sum := 0.0 // the scores may be near the end of a float32
	for _, r := range a.top {
		sum += float64(score[r])
	}
	for _, r := range a.top {
		es := g.Entities(f.Docs()[r])
		for _, e := range es {
			a.add(e, float32(float64(score[r])/sum/float64(len(es))))
		}
	}
}

// neighbours passes a share of every source's activation on over its links.
func (a *activation) neighbours(g frame.Graph, decay float32) {
	a.ids = append(a.ids[:0], a.touched...)
	a.have = a.have[:0]
	for _, e := range a.ids { // before any of it moves
		a.have = append(a.have, a.of[e])
	}
	for i, e := range a.ids {
		links := g.Links(e)
		share := decay * a.have[i] / float32(max(1, len(links)))
		for _, l := range links[:min(len(links), maxLinks)] {
			a.add(l.To, share*l.Weight)
		}
	}
}

// rows writes the activation of every row: that of each entity it mentions, shared
// among all items that do.
func (a *activation) rows(g frame.Graph, f *frame.Frame, out []float32) {
	for _, e := range a.touched {
		a.of[e] /= float32(max(1, len(g.Mentions(e))))
	}
	for i, doc := range f.Docs() {
		for _, e := range g.Entities(doc) {
			if int(e) < len(a.of) {
				out[i] += a.of[e]
			}
		}
	}
}

// best appends the k rows with the highest scores above zero, highest first, ties
// to the lower id. It is meant for a small k.
func best(dst, rows []int32, score []float32, ids []int64, k int) []int32 {
	if k <= 0 {
		return dst
	}
	better := func(a, b int32) bool {
		if d := cmp.Compare(score[a], score[b]); d != 0 {
			return d > 0
		}
		return ids[a] < ids[b]
	}
	for _, r := range rows {
		if score[r] <= 0 || len(dst) == k && !better(r, dst[k-1]) {
			continue
		}
		if len(dst) < k {
			dst = append(dst, r)
		}
		i := len(dst) - 1
		for ; i > 0 && better(r, dst[i-1]); i-- {
			dst[i] = dst[i-1]
		}
		dst[i] = r
	}
	return dst
}
