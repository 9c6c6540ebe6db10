package bm25

import "math"

// none is the end of a chain of documents.
const none uint32 = math.MaxUint32

// docTable holds what is known of each document, a column each. Removed
// documents keep their row, with sizes of 0 and no place in a session.
type docTable struct {
	size    []size
	reach   []reach
	place   []place
	session []uint32
	kind    []uint8
	alive   []uint64 // a bit a document, 0 for removed ones

	live       int    // documents not removed
	sumLength  uint64 // of their lengths
	sumContext uint64 // of their contexts' lengths
	scattered  bool   // some document may have a reach of scatteredReach
}

// size is how many words a document's fields have.
type size struct{ own, context uint32 }

// reach is how far a document's context reaches to each side, in document
// numbers, if nothing stands there but its context and removed documents.
// Where sessions are added in turns it is scatteredReach, and the context is
// found through the links alone.
type reach struct{ left, right uint8 }

const scatteredReach = math.MaxUint8

// place is where a document stands in its session.
type place struct {
	prev, next uint32 // neighbours in the session, or none
	turn       uint32 // number of its turn in the session
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

// aliveWord returns the bits of the documents from 64·w on.
func (t *docTable) aliveWord(w int) uint64 {
	if w < len(t.alive) {
		return t.alive[w]
	}
	return 0
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

// survey sets the size and the reach of doc's context anew.
func (t *docTable) survey(doc uint32) {
	p := &t.place[doc]
	sum, steps, last, tight := uint32(0), 0, doc, true
	for d := t.before(p, doc, 0); d != none; d = t.before(p, d, steps) {
		sum += t.size[d].own
		tight = tight && t.noneBetween(d, last)
		last = d
		steps++
	}
	t.setReach(&t.reach[doc].left, doc-last, tight)
	steps, last, tight = 0, doc, true
	for d := t.after(p, doc, 0); d != none; d = t.after(p, d, steps) {
		sum += t.size[d].own
		tight = tight && t.noneBetween(last, d)
		last = d
		steps++
	}
	t.setReach(&t.reach[doc].right, last-doc, tight)
	t.sumContext += uint64(sum) - uint64(t.size[doc].context)
	t.size[doc].context = sum
}

// setReach notes how far the context reaches on one side; tight tells whether
// nothing foreign stands between.
func (t *docTable) setReach(side *uint8, n uint32, tight bool) {
	if !tight || n >= scatteredReach {
		n = scatteredReach
		t.scattered = true
	}
	*side = uint8(n)
}

// noneBetween tells whether all documents between a and b were removed.
func (t *docTable) noneBetween(a, b uint32) bool {
	if b-a > scatteredReach {
		return false
	}
	for d := a + 1; d < b; d++ {
		if t.isLive(d) {
			return false
		}
	}
	return true
}

// link puts doc, the newest of all, at the end of its session.
func (t *docTable) link(doc uint32, s *session) {
	t.place[doc].prev = s.last
	if s.last != none {
		t.place[s.last].next = doc
	}
	s.last = doc
	s.docs++
	s.length += uint64(t.size[doc].own)
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
	s.length -= uint64(t.size[doc].own)
}
