package bm25

import "github.com/orma-memory/orma/core/text"

// Score appends the scores of the given documents for q to dst, in their
// order, and returns it: the very numbers [Index.Search] gives them with the
// same q and p. With Text 1 and Context 0 that is the text field alone, with 0
// and 1 the context alone. Documents without a term of q, removed and unknown
// ones score 0. It is fastest if docs ascend.
func (x *Index) Score(q text.Query, p Params, docs []uint32, dst []float32) []float32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.scratch()
	defer x.scratches.Put(s)
	pl := x.makePlan(q, p, s.terms)
	s.terms = pl.terms
	from := len(dst)
	dst = append(dst, make([]float32, len(docs))...)
	sums := dst[from:]
	for i := range pl.terms {
		t := &pl.terms[i]
		pl.each(t.list, docs, s, x, func(k int, packed uint32) {
			sums[k] += float32(pl.gain(t.scale, packed, pl.docs.size[docs[k]]))
		})
	}
	for i := range sums {
		sums[i] *= pl.unit
	}
	return dst
}

// Coverage appends, for each of the given documents, how much of q it holds:
// the weight and rarity (weight times idf) of the terms in its own text over
// that of all terms of q, also those the index does not know. 0 holds nothing,
// 1 everything. It is fastest if docs ascend.
func (x *Index) Coverage(q text.Query, docs []uint32, dst []float32) []float32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.scratch()
	defer x.scratches.Put(s)
	pl := plan{docs: &x.docs, constants: constants{text: 1}}
	from := len(dst)
	dst = append(dst, make([]float32, len(docs))...)
	sums := dst[from:]
	var all float32
	for _, t := range q.Terms {
		w := weightOf(t)
		if w <= 0 {
			continue
		}
		id, ok := x.dict.find(t.Text)
		if !ok {
			all += float32(w * x.idf(0))
			continue
		}
		l := &x.lists[id]
		mass := float32(w * x.idf(len(l.docs)))
		all += mass
		pl.each(l, docs, s, x, func(k int, _ uint32) { sums[k] += mass })
	}
	if all > 0 {
		for i := range sums {
			sums[i] = min(1, sums[i]/all)
		}
	}
	return dst
}

// each calls f with the index of every one of docs that has the term in a
// field of weight above 0, and its packed frequencies.
func (pl *plan) each(l *list, docs []uint32, s *scratch, x *Index, f func(k int, packed uint32)) {
	at := 0
	for k, d := range docs {
		if !x.docs.isLive(d) {
			continue
		}
		var packed uint32
		if packed, at = pl.frequency(l, d, at, s); packed != 0 {
			f(k, packed)
		}
	}
}
