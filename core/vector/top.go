package vector

import (
	"cmp"
	"slices"
)

// Hit is a row and its score: the inner product with the query, which for unit vectors is the cosine.
type Hit struct {
	Row   uint32
	Score float32
}

// order sorts hits best first; the lower row wins a tie.
func order(a, b Hit) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Compare(a.Row, b.Row)
}

// top keeps the best of the hits that are pushed: a heap with the worst kept hit first.
type top struct {
	heap []Hit
	k    int
}

// reset empties t and makes it keep k hits.
func (t *top) reset(k int) { t.heap, t.k = t.heap[:0], k }

// floor returns a score that a new hit must at least have to get in.
func (t *top) floor() (score float32, full bool) {
	if len(t.heap) < t.k {
		return 0, false
	}
	return t.heap[0].Score, true
}

// push offers a hit.
func (t *top) push(h Hit) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if order(t.heap[up], t.heap[i]) >= 0 {
				return
			}
			t.heap[up], t.heap[i] = t.heap[i], t.heap[up]
			i = up
		}
		return
	}
	if t.k == 0 || order(h, t.heap[0]) >= 0 {
		return
	}
	i := 0
	for {
		down := 2*i + 1
		if down+1 < len(t.heap) && order(t.heap[down+1], t.heap[down]) > 0 {
			down++
		}
		if down >= len(t.heap) || order(t.heap[down], h) <= 0 {
			break
		}
		t.heap[i] = t.heap[down]
		i = down
	}
	t.heap[i] = h
}

// sorted returns the kept hits, best first, and leaves t in need of a reset.
func (t *top) sorted() []Hit {
	slices.SortFunc(t.heap, order)
	return t.heap
}
