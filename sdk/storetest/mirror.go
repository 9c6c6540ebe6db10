package storetest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/orma-memory/orma/core"
)

// mirror is a sink that holds what it was fed, as an index does, and complains
// about a feed that an index could not follow.
type mirror struct {
	space    string
	embedder string
	at       core.Version
	resets   int

	passages map[core.ID]core.FeedPassage
	states   map[core.ID]core.State
	events   map[core.ID]core.Event
	entities map[core.ID]core.Entity
	links    map[[2]core.ID]core.Link
	uses     []core.Use
	last     map[string]core.ID // of each kind in this run, which must rise
}

func newMirror(space, embedder string) *mirror {
	m := &mirror{space: space, embedder: embedder}
	m.clear()
	return m
}

func (m *mirror) clear() {
	m.passages, m.states = map[core.ID]core.FeedPassage{}, map[core.ID]core.State{}
	m.events, m.entities = map[core.ID]core.Event{}, map[core.ID]core.Entity{}
	m.links, m.uses = map[[2]core.ID]core.Link{}, nil
	m.last = map[string]core.ID{}
}

// follow brings the mirror up to date.
func (m *mirror) follow(h *harness) {
	h.Helper()
	m.last = map[string]core.ID{}
	v, err := h.Changes(h.Context(), m.space, m.embedder, m.at, m)
	h.ok(err)
	m.at = v
	now, err := h.Version(h.Context(), m.space)
	h.ok(err)
	if now != v {
		h.Fatalf("Changes gave version %v, Version %v", v, now)
	}
}

// fresh is a mirror fed from nothing.
func fresh(h *harness, space, embedder string) *mirror {
	h.Helper()
	m := newMirror(space, embedder)
	m.follow(h)
	return m
}

func (m *mirror) order(kind string, id core.ID) error {
	if id <= m.last[kind] {
		return fmt.Errorf("%s %d comes after %d", kind, id, m.last[kind])
	}
	m.last[kind] = id
	return nil
}

func (m *mirror) Reset() { m.resets++; m.clear() }

func (m *mirror) Passage(p *core.FeedPassage) error {
	if _, known := m.passages[p.ID]; known != p.NewOnly {
		return fmt.Errorf("passage %d: known %v, but NewOnly %v", p.ID, known, p.NewOnly)
	}
	c := *p
	c.NewOnly = false
	c.Vector = bytes.Clone(p.Vector)
	m.passages[p.ID] = c
	return m.order("passage", p.ID)
}

func (m *mirror) State(s *core.State) error {
	c := *s
	c.Sources = slices.Clone(s.Sources)
	m.states[s.ID] = c
	return m.order("state", s.ID)
}

func (m *mirror) Event(e *core.Event) error {
	c := *e
	c.Sources, c.Entities = slices.Clone(e.Sources), slices.Clone(e.Entities)
	m.events[e.ID] = c
	return m.order("event", e.ID)
}

func (m *mirror) Entity(e *core.Entity) error {
	if _, known := m.entities[e.ID]; !known {
		for _, ev := range m.events {
			if slices.Contains(ev.Entities, e.ID) {
				return fmt.Errorf("entity %d comes after event %d, which is about it", e.ID, ev.ID)
			}
		}
	}
	c := *e
	c.Aliases = slices.Clone(e.Aliases)
	m.entities[e.ID] = c
	return m.order("entity", e.ID)
}

func (m *mirror) Link(l core.Link) error {
	m.links[[2]core.ID{l.From, l.To}] = l
	return nil
}

func (m *mirror) Use(u core.Use) error {
	m.uses = append(m.uses, u)
	return nil
}

// same compares two mirrors.
func (m *mirror) same(h *harness, what string, o *mirror) {
	h.Helper()
	h.equal(what+": passages", m.passages, o.passages)
	h.equal(what+": states", m.states, o.states)
	h.equal(what+": events", m.events, o.events)
	h.equal(what+": entities", m.entities, o.entities)
	h.equal(what+": links", m.links, o.links)
	h.equal(what+": uses", m.uses, o.uses)
}

// texts lists the passages by ID.
func (m *mirror) texts() (out []string) {
	for _, id := range slices.Sorted(maps.Keys(m.passages)) {
		out = append(out, m.passages[id].Text)
	}
	return out
}
