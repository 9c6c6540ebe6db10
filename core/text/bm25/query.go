package bm25

import (
	"math"
	"slices"

	"github.com/orma-memory/orma/core/text"
)

// scoreUnits is the sum of all bounds of a query in steps of its score. Up to
// here float32 holds every whole number.
const scoreUnits = 1 << 24

// plan is a query made ready for an index that does not change meanwhile.
type plan struct {
	constants
	terms []planTerm
	unit  float32 // what one step of a sum is worth
	docs  *docTable
}

// constants are what the formula needs beside a term and a document. f is
// text times the own and context times the context's frequency; what it is
// weighed against is base + perText·words + perContext·context words.
type constants struct {
	text, context             float32
	base, perText, perContext float32
}

// planTerm is a term of the query that the index knows.
type planTerm struct {
	list  *list
	scale float32 // steps of the score at full saturation
	bound uint32  // no document gets more steps from this term
}

// makePlan looks up the terms of q, in the order of q. The caller holds x.mu.
func (x *Index) makePlan(q text.Query, p Params, terms []planTerm) plan {
	pl := plan{terms: terms[:0], constants: constants{text: p.Text, context: p.Context}, docs: &x.docs}
	pl.setNorm(&x.docs, p)
	sum := 0.0
	for _, t := range q.Terms {
		w := weightOf(t)
		if w <= 0 {
			continue
		}
		id, ok := x.dict.find(t.Text)
		if !ok || len(x.lists[id].docs) == 0 {
			continue
		}
		w *= x.idf(len(x.lists[id].docs)) * float64(p.K1+1)
		sum += w
		pl.terms = append(pl.terms, planTerm{list: &x.lists[id], scale: float32(w)})
	}
	if sum == 0 {
		pl.terms = pl.terms[:0]
		return pl
	}
	pl.unit = float32(sum / scoreUnits)
	for i := range pl.terms {
		t := &pl.terms[i]
		t.scale = float32(float64(t.scale) * scoreUnits / sum)
		t.bound = pl.boundOf(t)
	}
	return pl
}

// weightOf returns the term's weight, 0 if it is no number to reckon with.
func weightOf(t text.QueryTerm) float64 {
	w := float64(t.Weight)
	if !(w > 0) || math.IsInf(w, 0) {
		return 0
	}
	return w
}

// setNorm prepares the length normalisation.
func (pl *plan) setNorm(t *docTable, p Params) {
	pl.base = p.K1
	sum := float64(p.Text)*float64(t.sumLength) + float64(p.Context)*float64(t.sumContext)
	if sum <= 0 || t.live == 0 {
		return
	}
	avg := sum / float64(t.live)
	pl.base = p.K1 * (1 - p.B)
	pl.perText = float32(float64(p.K1) * float64(p.B) * float64(p.Text) / avg)
	pl.perContext = float32(float64(p.K1) * float64(p.B) * float64(p.Context) / avg)
}

// boundOf returns the steps no document exceeds: the term's greatest frequency
// here and in every neighbour, in its shortest document.
func (pl *plan) boundOf(t *planTerm) uint32 {
	const rounding = 2
	tf := float32(t.list.maxTF)
	f := pl.text * tf
	if pl.context > 0 {
		f += pl.context * tf * 2 * ContextDocs
		// A neighbour that does not hold the term may be shorter.
		return steps(t.scale, f, pl.base) + rounding
	}
	return steps(t.scale, f, pl.base+pl.perText*float32(t.list.minLen)) + rounding
}

// byBound orders the terms by what they can add, greatest first.
func (pl *plan) byBound() {
	slices.SortStableFunc(pl.terms, func(a, b planTerm) int { return int(b.bound) - int(a.bound) })
}

// packed frequencies: the document's own in the upper half, its context's in
// the lower. Neither half overflows: 255 each from 2·ContextDocs neighbours.
const (
	ownShift = 16
	ctxMask  = 1<<ownShift - 1
)

// gain returns the steps the term of the given scale adds to a document of
// that size with these packed frequencies.
func (c constants) gain(scale float32, packed uint32, words size) uint32 {
	// The conversions forbid fused operations, so that every caller and every
	// processor gets the same.
	f := float32(c.text*float32(int32(packed>>ownShift))) + float32(c.context*float32(int32(packed&ctxMask)))
	norm := c.base + float32(c.perText*float32(int32(words.own))) + float32(c.perContext*float32(int32(words.context)))
	return steps(scale, f, norm)
}

// steps is the saturated frequency in whole steps, at least one if f is not 0.
func steps(scale, f, norm float32) uint32 {
	if f <= 0 {
		return 0
	}
	return uint32(int32(scale*(f/(f+norm)))) + 1
}

// scratch is what one query needs. Between queries acc and freq are zero.
type scratch struct {
	acc     []uint32 // steps by document
	touched []uint64 // a bit for each document whose acc may be above 0
	freq    []uint32 // packed frequencies of one term by document
	seen    []uint32 // documents whose freq is not 0
	best    []uint64 // heap of the best keys, the worst first
	rivals  []uint32 // documents that may still be among the best
	near    []uint32
	sums    []float32 // by session
	terms   []planTerm
}

func (x *Index) scratch() *scratch {
	s, _ := x.scratches.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	if n := len(x.docs.kind); len(s.acc) < n {
		n += n / 8
		s.acc = make([]uint32, n)
		s.freq = make([]uint32, n)
		s.touched = make([]uint64, n/64+1)
	}
	return s
}
