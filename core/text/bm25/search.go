package bm25

import (
	"math/bits"
	"slices"

	"github.com/orma-memory/orma/core/text"
)

// Search appends the k best documents for q to dst, best first, equal scores by
// lower number, and returns it. Only documents that hold a term of q in a field
// of weight above 0 are found. The result is exact.
//
// Terms are worked off one by one, the weightiest first. As soon as the k-th
// best sum exceeds what the other terms can add together, no new document can
// come in, and common words are only looked up for the documents that still
// can (MaxScore: Turtle and Flood, "Query evaluation: strategies and
// optimizations", 1995).
func (x *Index) Search(q text.Query, o Options, k int, dst []Hit) []Hit {
	if k <= 0 {
		return dst
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.scratch()
	pl := x.makePlan(q, o.Params, s.terms)
	s.terms = pl.terms
	pl.byBound()

	var rest uint32 // what the terms from here on can add
	for i := range pl.terms {
		rest += pl.terms[i].bound
	}
	pruned := false
	for i := range pl.terms {
		t := &pl.terms[i]
		if pruned && len(s.rivals)*2 < len(t.list.docs) {
			pl.probe(t, s)
		} else {
			pl.scatter(t, s)
		}
		rest -= t.bound
		if i+1 == len(pl.terms) {
			break
		}
		if pruned {
			x.narrow(s, &o, k, rest)
		} else {
			pruned = x.prune(s, &o, k, rest, len(pl.terms[i+1].list.docs))
		}
	}
	if pruned {
		x.bestOf(s, &o, k, s.rivals)
	} else {
		x.bestTouched(s, &o, k)
	}
	dst = s.hits(pl.unit, dst)
	s.reset()
	x.scratches.Put(s)
	return dst
}

// probe adds the term's gain to the rivals alone.
func (pl *plan) probe(t *planTerm, s *scratch) {
	at := 0
	for _, d := range s.rivals {
		var packed uint32
		packed, at = pl.frequency(t.list, d, at, s)
		if packed != 0 {
			s.acc[d] += pl.gain(t.scale, packed, pl.docs.size[d])
		}
	}
}

// frequency looks up the packed frequencies of a term for doc. It searches the
// list from position at and returns where it stopped, from where a neighbouring
// document is found quickest.
func (pl *plan) frequency(l *list, doc uint32, at int, s *scratch) (packed uint32, from int) {
	s.near = s.near[:0]
	if pl.context > 0 {
		s.near = pl.docs.around(doc, s.near)
	} else {
		s.near = append(s.near, doc)
	}
	if at > 0 && l.docs[at-1] >= s.near[0] { // the last document's context reached beyond
		at, _ = slices.BinarySearch(l.docs[:at], s.near[0])
	}
	for _, n := range s.near {
		at = l.seek(at, n)
		if at == len(l.docs) {
			break
		}
		if l.docs[at] != n {
			continue
		}
		if n == doc {
			packed += uint32(l.tfs[at]) << ownShift
		} else {
			packed += uint32(l.tfs[at])
		}
	}
	return packed, at
}

// prune finds out whether the k-th best sum already exceeds rest, all that the
// other terms can add. If so the rivals are the documents that still can be
// among the best. The effort is spared if the next list is short.
func (x *Index) prune(s *scratch, o *Options, k int, rest uint32, next int) bool {
	const short = 64
	if next < short {
		return false
	}
	x.bestTouched(s, o, k)
	if len(s.best) < k || s.least() <= rest {
		return false
	}
	least := s.least() - rest
	s.rivals = s.rivals[:0]
	for w, word := range s.touched {
		for word &= x.docs.aliveWord(w); word != 0; word &= word - 1 {
			d := uint32(w<<6 + bits.TrailingZeros64(word))
			if s.acc[d] >= least && x.wanted(d, o) {
				s.rivals = append(s.rivals, d)
			}
		}
	}
	return true
}

// narrow drops rivals that can no longer be among the best.
func (x *Index) narrow(s *scratch, o *Options, k int, rest uint32) {
	if len(s.rivals) <= 2*k {
		return
	}
	x.bestOf(s, o, k, s.rivals)
	if len(s.best) < k || s.least() <= rest {
		return
	}
	least := s.least() - rest
	s.rivals = slices.DeleteFunc(s.rivals, func(d uint32) bool { return s.acc[d] < least })
}

// wanted tells whether the options let the document in, Keep apart.
func (x *Index) wanted(doc uint32, o *Options) bool {
	return o.Kinds == 0 || o.Kinds>>x.docs.kind[doc]&1 == 1
}

// bestTouched fills the heap from all documents with a score.
func (x *Index) bestTouched(s *scratch, o *Options, k int) {
	s.best = s.best[:0]
	acc, least := s.acc, uint32(0) // what is not above least need not be offered: documents ascend
	for w, word := range s.touched {
		for word &= x.docs.aliveWord(w); word != 0; word &= word - 1 {
			if d := w<<6 + bits.TrailingZeros64(word); acc[d] > least {
				least = x.offer(s, o, k, uint32(d))
			}
		}
	}
}

func (x *Index) bestOf(s *scratch, o *Options, k int, docs []uint32) {
	s.best = s.best[:0]
	least := uint32(0)
	for _, d := range docs {
		if s.acc[d] > least {
			least = x.offer(s, o, k, d)
		}
	}
}

// offer puts the document into the heap if it is among the k best so far. It
// returns what the next, of a higher number, must exceed.
func (x *Index) offer(s *scratch, o *Options, k int, doc uint32) uint32 {
	full := len(s.best) == k
	if x.wanted(doc, o) && (o.Keep == nil || o.Keep(doc)) {
		key := uint64(s.acc[doc])<<32 | uint64(^doc) // of equal sums the lower number is the greater key
		if full {
			s.best[0] = key
			siftDown(s.best, 0)
		} else {
			s.best = append(s.best, key)
			siftUp(s.best, len(s.best)-1)
			full = len(s.best) == k
		}
	}
	if full {
		return s.least()
	}
	return 0
}

// least returns the smallest sum in the heap.
func (s *scratch) least() uint32 { return uint32(s.best[0] >> 32) }

// hits empties the heap into dst, best first.
func (s *scratch) hits(unit float32, dst []Hit) []Hit {
	slices.SortFunc(s.best, func(a, b uint64) int {
		if a > b {
			return -1
		}
		return 1
	})
	for _, key := range s.best {
		dst = append(dst, Hit{Doc: ^uint32(key), Score: float32(key>>32) * unit})
	}
	return dst
}

// reset makes the scratch zero again where it is not.
func (s *scratch) reset() {
	for w, word := range s.touched {
		if word == 0 {
			continue
		}
		for ; word != 0; word &= word - 1 {
			s.acc[w<<6+bits.TrailingZeros64(word)] = 0
		}
		s.touched[w] = 0
	}
}

func siftUp(h []uint64, i int) {
	for i > 0 {
		up := (i - 1) / 2
		if h[up] <= h[i] {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func siftDown(h []uint64, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[i] <= h[c] {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
