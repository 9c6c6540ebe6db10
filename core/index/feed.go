package index

import (
	"fmt"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
)

// Passage takes a new passage, or the vector of one it has. It is part of [core.Sink].
func (s *Space) Passage(p *core.FeedPassage) error {
	doc, known := s.docs[p.ID]
	if !known {
		it := item{
			id: p.ID, episode: p.Episode, at: seconds(p.At), expires: seconds(p.Expires),
			session: s.sessions.add(p.Session), speaker: s.speaker(p.Speaker), source: s.sources.add(p.Source),
			start: uint32(p.Start), end: uint32(p.End), vec: -1, kind: uint8(frame.ItemPassage), role: roleCode(p.Role), trust: uint8(p.Trust),
		}
		var err error
		if doc, err = s.add(it, p.Text); err != nil {
			return err
		}
		s.mentions(doc, p.Text)
	} else {
		s.setExpiry(doc, p.Expires)
	}
	if p.Vector == nil || s.vecs == nil || s.items[doc].vec >= 0 {
		return nil
	}
	row, err := s.vecs.AppendBlob(p.Vector)
	if err != nil {
		return fmt.Errorf("vector of passage %d: %w", p.ID, err)
	}
	s.items[doc].vec = int32(row)
	s.vecDocs = append(s.vecDocs, doc)
	s.liveRows.Set(row)
	s.addToSum(row)
	s.forgetLengths(doc)
	return nil
}

// setExpiry changes when a doc expires: said again with a longer life, it lives longer.
func (s *Space) setExpiry(doc uint32, at time.Time) {
	was := s.items[doc].expires
	s.items[doc].expires = seconds(at)
	if was == 0 && !at.IsZero() {
		s.expiring = append(s.expiring, doc) // one that is there twice does no harm
	}
}

// State takes a new state, or one that changed. It is part of [core.Sink].
func (s *Space) State(st *core.State) error {
	doc, known := s.docs[st.ID]
	if !known {
		it := item{
			id: st.ID, at: seconds(st.Said), expires: seconds(st.Expires), session: -1,
			speaker: -1, source: -1, vec: -1, kind: uint8(frame.ItemState), trust: uint8(st.Trust),
		}
		var err error
		if doc, err = s.add(it, StateText(st)); err != nil {
			return err
		}
	}
	s.setExpiry(doc, st.Expires)
	if !st.Closed.IsZero() || st.Forbidden {
		s.kill(doc) // rules are hoisted, never searched
	}
	s.facts.put(st, doc)
	return nil
}

// Event takes a new event. It is part of [core.Sink].
func (s *Space) Event(e *core.Event) error {
	if _, known := s.docs[e.ID]; known {
		return nil
	}
	it := item{
		id: e.ID, at: seconds(e.Said), expires: seconds(e.Expires), session: -1,
		speaker: -1, source: -1, vec: -1, kind: uint8(frame.ItemEvent), trust: uint8(e.Trust),
	}
	body := e.Text
	if e.Subject != "" && e.Subject != core.SubjectUser {
		body = e.Subject + ": " + body
	}
	doc, err := s.add(it, body)
	if err != nil {
		return err
	}
	s.facts.putEvent(e)
	for _, entity := range e.Entities {
		s.graph.mention(entity, doc)
	}
	return nil
}

// Entity takes a new entity, or more aliases of one. It is part of [core.Sink].
func (s *Space) Entity(e *core.Entity) error {
	s.graph.entity(&s.terms, e)
	return nil
}

// Link takes a link. It is part of [core.Sink].
func (s *Space) Link(l core.Link) error {
	if doc, ok := s.docs[l.To]; ok {
		s.graph.mention(l.From, doc)
		return nil
	}
	s.graph.link(l)
	return nil
}

// maxUses bounds the times kept for an item: older ones weigh next to nothing in
// every temporal stage.
const maxUses = 32

// Use takes a use. It is part of [core.Sink].
func (s *Space) Use(u core.Use) error {
	doc, ok := s.docs[u.Item]
	if !ok {
		return nil // of an episode, or of something that went
	}
	list := append(s.uses[doc], u.At.Unix())
	if len(list) > maxUses {
		list = list[1:]
	}
	s.uses[doc] = list
	return nil
}

// mentions notes what a passage is about, as far as names tell: the graph exists
// before sleep, and for texts that sleep makes nothing of.
func (s *Space) mentions(doc uint32, body string) {
	var nodes []uint32
	eachName(body, func(name string) {
		s.items[doc].flags |= flagName
		if key := nameKey(&s.terms, name); key != "" {
			nodes = insert(nodes, s.graph.byKey(key, name))
		}
	})
	for i, a := range nodes {
		s.graph.mentionNode(a, doc)
		for _, b := range nodes[i+1:] {
			s.graph.together(a, b)
		}
	}
}
