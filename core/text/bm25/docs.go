package bm25

import "math"

// none is the end of a chain of documents.
const none uint32 = math.MaxUint32

// docTable holds what is known of each document, a column each.
type docTable struct {
	length  []uint32 // words of its own text
	context []uint32 // words of its context
	place   []place
	kind    []uint8
	alive   []uint64 // a bit a document

	live       int    // documents not removed
	sumLength  uint64 // of length over them
	sumContext uint64
}

// place is where a document stands in its session.
type place struct {
	prev, next uint32 // neighbours in the session, or none
	turn       uint32 // number of its turn in the session
	session    uint32
}

// session is what is known of a session.
type session struct {
	last   uint32 // its last document, or none
	turn   uint64 // the Turn of that document
	number uint32 // that turn's number in the session
	docs   uint32 // documents not removed
	length uint64 // their words
}

func (t *docTable) isLive(doc uint32) bool {
	return int(doc) < len(t.kind) && t.alive[doc>>6]>>(doc&63)&1 == 1
}

// before and after walk the context of the document at place p: they return
// the neighbour beyond doc, the steps-th on that side, or none.
func (t *docTable) before(p *place, doc uint32, step int) uint32 {
	prev := t.place[doc].prev
	if prev == none || step >= ContextDocs || p.turn-t.place[prev].turn > ContextTurns {
		return none
	}
	return prev
}

func (t *docTable) after(p *place, doc uint32, step int) uint32 {
	next := t.place[doc].next
	if next == none || step >= ContextDocs || t.place[next].turn-p.turn > ContextTurns {
		return none
	}
	return next
}

// around appends the documents of doc's context and doc itself to dst, in
// ascending order. Links always go from lower to higher numbers.
func (t *docTable) around(doc uint32, dst []uint32) []uint32 {
	p := &t.place[doc]
	first, steps := doc, 0
	for d := t.before(p, doc, 0); d != none; d = t.before(p, d, steps) {
		first = d
		steps++
	}
	for d := first; d != doc; d = t.place[d].next {
		dst = append(dst, d)
	}
	dst = append(dst, doc)
	steps = 0
	for d := t.after(p, doc, 0); d != none; d = t.after(p, d, steps) {
		dst = append(dst, d)
		steps++
	}
	return dst
}

// countContext sets the length of doc's context anew.
func (t *docTable) countContext(doc uint32) {
	p := &t.place[doc]
	sum, steps := uint32(0), 0
	for d := t.before(p, doc, 0); d != none; d = t.before(p, d, steps) {
		sum += t.length[d]
		steps++
	}
	steps = 0
	for d := t.after(p, doc, 0); d != none; d = t.after(p, d, steps) {
		sum += t.length[d]
		steps++
	}
	t.sumContext += uint64(sum) - uint64(t.context[doc])
	t.context[doc] = sum
}

// link puts doc, the newest of all, at the end of its session.
func (t *docTable) link(doc uint32, s *session) {
	t.place[doc].prev = s.last
	if s.last != none {
		t.place[s.last].next = doc
	}
	s.last = doc
	s.docs++
	s.length += uint64(t.length[doc])
}

// unlink takes doc out of its session.
func (t *docTable) unlink(doc uint32, s *session) {
	p := t.place[doc]
	if p.prev != none {
		t.place[p.prev].next = p.next
	}
	if p.next != none {
		t.place[p.next].prev = p.prev
	}
	if s.last == doc {
		s.last = p.prev
	}
	s.docs--
	s.length -= uint64(t.length[doc])
}
