package bm25

import (
	"fmt"
	"math"
	"slices"

	"github.com/orma-memory/orma/core/text"
)

// Add adds a document and returns its number. It fails, changing nothing, with
// [ErrSession], [ErrKind] or [ErrFull].
func (x *Index) Add(d Doc) (uint32, error) {
	x.write.Lock()
	defer x.write.Unlock()
	x.terms.Tokenize(d.Text)
	return x.add(d, &x.terms)
}

// AddTerms is [Index.Add] for a text that was tokenised already; d.Text is not read.
func (x *Index) AddTerms(d Doc, terms *text.Terms) (uint32, error) {
	x.write.Lock()
	defer x.write.Unlock()
	return x.add(d, terms)
}

// add adds a document; the caller holds x.write.
func (x *Index) add(d Doc, terms *text.Terms) (uint32, error) {
	t := &x.docs
	switch {
	case d.Session != NoSession && int64(d.Session) > int64(len(x.sessions)):
		return 0, fmt.Errorf("add document of session %d, next is %d: %w", d.Session, len(x.sessions), ErrSession)
	case d.Kind >= MaxKinds:
		return 0, fmt.Errorf("add document of kind %d: %w", d.Kind, ErrKind)
	case len(t.kind) >= math.MaxInt32:
		return 0, ErrFull
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	doc := uint32(len(t.kind))
	length := uint32(terms.Words())
	t.push(length, d.Kind)
	for term := range terms.All() {
		id, isNew := x.dict.add(term.Text)
		if isNew {
			x.lists = append(x.lists, list{})
		}
		x.lists[id].add(doc, length)
	}
	x.join(doc, d)
	return doc, nil
}

// push adds a live row without session.
func (t *docTable) push(length uint32, kind uint8) {
	doc := len(t.kind)
	t.size = append(t.size, size{own: length})
	t.reach = append(t.reach, reach{})
	t.place = append(t.place, place{prev: none, next: none})
	t.session = append(t.session, NoSession)
	t.kind = append(t.kind, kind)
	if doc>>6 >= len(t.alive) {
		t.alive = append(t.alive, 0)
	}
	t.alive[doc>>6] |= 1 << (doc & 63)
	t.live++
	t.sumLength += uint64(length)
}

// join puts the newest document in its session and counts it into the
// contexts it is part of.
func (x *Index) join(doc uint32, d Doc) {
	if d.Session == NoSession {
		return
	}
	if int(d.Session) == len(x.sessions) {
		x.sessions = append(x.sessions, session{last: none, turn: d.Turn})
	}
	s := &x.sessions[d.Session]
	if s.turn != d.Turn {
		s.turn = d.Turn
		s.number++
	}
	t := &x.docs
	p := &t.place[doc]
	p.turn, t.session[doc] = s.number, d.Session
	t.link(doc, s)
	own, steps, last, tight := t.size[doc].own, 0, doc, true
	for n := t.before(p, doc, 0); n != none; n = t.before(p, n, steps) {
		tight = tight && t.noneBetween(n, last)
		last = n
		t.size[n].context += own
		t.sumContext += uint64(own)
		t.setReach(&t.reach[n].right, doc-n, tight && t.reach[n].right != scatteredReach)
		steps++
	}
	t.survey(doc)
}

// Remove takes documents out of the index: out of every posting, of all
// counts, of their session and of their neighbours' contexts, as if they had
// never been added, save that their numbers are not given again and their
// turns still count as turns between others. Unknown and removed numbers are
// passed over; it returns how many documents it removed. Its cost grows with
// the number of terms, little with that of the documents: remove many at once.
func (x *Index) Remove(docs ...uint32) int {
	x.write.Lock()
	defer x.write.Unlock()
	gone := make([]uint64, len(x.docs.alive))
	var out []uint32
	for _, d := range docs {
		if x.docs.isLive(d) && gone[d>>6]>>(d&63)&1 == 0 {
			gone[d>>6] |= 1 << (d & 63)
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return 0
	}
	slices.Sort(out)
	// Only a writer changes the lists, so they can be read, and their
	// replacements made, while searches go on.
	type change struct {
		term int
		list list
	}
	var changes []change
	for i := range x.lists {
		if l, ok := x.lists[i].without(out, gone, x.docs.size); ok {
			changes = append(changes, change{i, l})
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range changes {
		x.lists[c.term] = c.list
	}
	for _, d := range out {
		x.leave(d)
	}
	return len(out)
}

// leave takes a document out of the table and its session.
func (x *Index) leave(doc uint32) {
	t := &x.docs
	p := t.place[doc]
	t.alive[doc>>6] &^= 1 << (doc & 63)
	t.live--
	t.sumLength -= uint64(t.size[doc].own)
	t.sumContext -= uint64(t.size[doc].context)
	if s := t.session[doc]; s != NoSession {
		t.unlink(doc, &x.sessions[s])
	}
	t.size[doc], t.reach[doc], t.session[doc] = size{}, reach{}, NoSession
	t.place[doc] = place{prev: none, next: none}
	steps := 0
	for d := p.prev; d != none && steps < ContextDocs; d = t.place[d].prev {
		t.survey(d)
		steps++
	}
	steps = 0
	for d := p.next; d != none && steps < ContextDocs; d = t.place[d].next {
		t.survey(d)
		steps++
	}
}
