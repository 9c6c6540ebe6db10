package sleep

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Book is what a space holds, with the changes that a batch makes to it. The gate
// writes in it, and commit turns what is new into a plan. After an error the book
// is thrown away and read again.
type Book struct {
	set    *lang.Set
	facts  holdings
	people *directory
	events map[string]bool // keys of events that are there
	taken  []Taken
	next   core.ID // the next temporary ID, below zero

	// dayOf reads the line of a source again for the day it gives for a value.
	dayOf func(s core.Source, value string) (day string, stated, ok bool)

	touched     []*fact // what the batch made or changed
	newEntities []*core.Entity
	newAliases  []core.Alias
	newEvents   []*core.Event
	links       []core.Link
	linked      map[[2]core.ID]bool // the ends of links
	uses        []core.Use
}

// fact is a state with what the batch did to it.
type fact struct {
	core.State
	meant     *meaning // what its value is compared by, once asked for
	subject   string   // key of its subject
	attr      Attribute
	condition string    // key of its condition
	first     time.Time // when it was said first
	episode   core.ID   // where
	start     int
	place     int // among all facts of the book

	touched bool // by this batch
	fresh   bool // made by this batch
	closed  bool // closed, or closed otherwise, by this batch
	ending  *core.Source
	sources []core.Source // added by this batch
	redated bool
}

// Reader is what a book is read from.
type Reader interface {
	States(ctx context.Context, space string, f core.StateFilter) ([]core.State, error)
	Events(ctx context.Context, space string, ids []core.ID) ([]core.Event, error)
	Entities(ctx context.Context, space string) ([]core.Entity, error)
	Entries(ctx context.Context, space string, ops ...core.Op) ([]core.Entry, error)
}

// OpenBook reads a space.
func OpenBook(ctx context.Context, r Reader, space string, set *lang.Set) (*Book, error) {
	k := &Book{set: set, events: map[string]bool{}, next: -1}
	entities, err := r.Entities(ctx, space)
	if err != nil {
		return nil, err
	}
	k.people = newDirectory(entities)
	states, err := r.States(ctx, space, core.StateFilter{})
	if err != nil {
		return nil, err
	}
	k.facts = newHoldings(len(states))
	for i := range states {
		k.facts.add(k.factOf(states[i]))
	}
	events, err := r.Events(ctx, space, nil)
	if err != nil {
		return nil, err
	}
	for i := range events {
		k.events[k.eventKey(&events[i])] = true
	}
	entries, err := r.Entries(ctx, space, core.OpForget, core.OpCorrect, core.OpLift)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		t := readTaken(e)
		t.meaning = meaningOf(set, t.Value)
		k.taken = append(k.taken, t)
	}
	return k, nil
}

func (k *Book) factOf(st core.State) *fact {
	f := &fact{State: st, attr: AttributeFor(strings.TrimPrefix(st.Attribute, core.ForbiddenPrefix), st.Value)}
	f.subject = k.subjectKey(st.Subject, st.SubjectID)
	f.condition = k.conditionKey(st.Condition)
	f.first = st.Said
	for _, s := range st.Sources {
		if f.episode == 0 || s.At.Before(f.first) || s.At.Equal(f.first) && s.Episode < f.episode {
			f.first, f.episode, f.start = s.At, s.Episode, s.Start
		}
	}
	return f
}

// subjectKey is equal for all names of one subject.
func (k *Book) subjectKey(name string, id core.ID) string {
	if name == core.SubjectUser {
		return name
	}
	if id == 0 {
		if e := k.people.find(name); e != nil {
			id = e.ID
		}
	}
	if id != 0 {
		return "#" + strconv.FormatInt(int64(id), 10)
	}
	return "=" + entityKey(name)
}

func (k *Book) conditionKey(c string) string {
	if strings.TrimSpace(c) == "" {
		return ""
	}
	w, neg := k.set.Content(c)
	key := strings.Join(stems(w), " ")
	if neg {
		key = "not " + key
	}
	return key
}

func (k *Book) eventKey(e *core.Event) string {
	w, _ := k.set.Content(e.Text)
	return k.subjectKey(e.Subject, 0) + "|" + e.Start + "|" + strings.Join(stems(w), " ")
}

// meaning returns what the value of a fact is compared by.
func (k *Book) meaning(f *fact) *meaning {
	if f.meant == nil {
		m := meaningOf(k.set, f.Value)
		f.meant = &m
	}
	return f.meant
}

// add puts a new fact into the book.
func (k *Book) add(f *fact) {
	k.facts.add(f)
	k.touch(f)
}

// touch notes that the batch changes a fact.
func (k *Book) touch(f *fact) {
	if !f.touched {
		f.touched = true
		k.touched = append(k.touched, f)
	}
}

// temporary returns an ID that commit replaces by a real one.
func (k *Book) temporary() core.ID {
	k.next--
	return k.next + 1
}

// Entity returns the entity that a mention means, or a new one.
func (k *Book) Entity(space string, m *Mention) *core.Entity {
	e := k.sameKin(k.people.find(m.Name), m)
	for _, a := range m.Aliases {
		if e != nil {
			break
		}
		// Two people may be "my sister": a relation alone finds only one whose
		// name is not another.
		if a == m.Kin && m.Proper != "" {
			continue
		}
		e = k.sameKin(k.people.find(a), m)
	}
	if e == nil && m.Kin != "" && m.Proper != "" {
		// "my sister" got a name.
		if u := k.people.byKey[entityKey(m.Kin)]; u != nil && entityKey(u.Name) == entityKey(m.Kin) && len(u.Aliases) == 0 {
			e = u
		}
	}
	if e == nil {
		e = &core.Entity{ID: k.temporary(), Space: space, Name: m.Name}
		k.newEntities = append(k.newEntities, e)
		k.people.add(e)
	}
	for _, a := range append([]string{m.Name}, m.Aliases...) {
		k.alias(e, a)
	}
	return e
}

func (k *Book) alias(e *core.Entity, name string) {
	key := entityKey(name)
	if k.people.has(e, key) {
		return
	}
	e.Aliases = append(e.Aliases, name)
	if e.ID > 0 {
		k.newAliases = append(k.newAliases, core.Alias{Entity: e.ID, Name: name})
	}
	k.people.name(e, name)
}

// KnownNames reports whether a name is that of an entity.
func (k *Book) KnownName(name string) bool { return k.people.find(name) != nil }

// UserNamed reports whether the user said that this is his or her name.
func (k *Book) UserNamed(name string) bool {
	for _, attribute := range []string{"name", "nickname"} {
		for _, f := range k.facts.under[topic{core.SubjectUser, AttributeOf(attribute).Key}] {
			if f.Closed.IsZero() && k.covers(f, name) {
				return true
			}
		}
	}
	return false
}

// Known lists names, attributes and open states for an extractor, newest first.
func (k *Book) Known(names, attributes, states int) Known {
	var out Known
	for i := len(k.people.entities) - 1; i >= 0 && len(out.Names) < names; i-- {
		out.Names = append(out.Names, k.people.entities[i].Name)
	}
	seen := map[string]bool{}
	for _, f := range slices.Backward(k.facts.all) {
		if !f.Closed.IsZero() {
			continue
		}
		if !seen[f.Attribute] && len(out.Attributes) < attributes && !f.Forbidden {
			seen[f.Attribute] = true
			if name := spaced(f.Attribute); !slices.Contains(out.Attributes, name) {
				out.Attributes = append(out.Attributes, name)
			}
		}
		if len(out.States) < states {
			out.States = append(out.States, f.Subject+" · "+spaced(f.Attribute)+": "+f.Value)
		}
		if len(out.Attributes) >= attributes && len(out.States) >= states {
			break
		}
	}
	return out
}

// SameEntity reports whether a name and a mention mean one entity.
func (k *Book) SameEntity(name, full, proper, kin string, mine bool) bool {
	e := k.people.find(name)
	if e == nil {
		return false
	}
	if k.people.find(full) == e || proper != "" && k.people.find(proper) == e {
		return true
	}
	return mine && kin != "" && proper == "" && k.people.find(kin) == e
}

// Skip tells the Book not to look at a state: what was said since gave it another value.
type Skip func(a Attribute, value string) bool

// HeldAs returns the attribute under which an open state of a subject has a value, or
// has it with another number, or has something that a name or a number in the value
// means in short; and the value that it has.
func (k *Book) HeldAs(subject, value string, skip Skip) (attribute, held string, ok bool) {
	m := meaningOf(k.set, value)
	for _, same := range []func(f *fact) bool{
		func(f *fact) bool { return k.meaning(f).same(&m) || k.meaning(f).sameButNumbers(&m) },
		func(f *fact) bool { return m.short(k.meaning(f)) },
	} {
		for _, f := range slices.Backward(k.facts.of[subject]) {
			if f.Closed.IsZero() && !f.Forbidden && same(f) && !skip(f.attr, f.Value) {
				return spaced(f.Attribute), f.Value, true
			}
		}
	}
	return "", "", false
}

// HeldUnder yields the names under which a subject has open states of the attribute
// that a noun names, and their values, newest first.
func (k *Book) HeldUnder(subject, noun string, skip Skip) iter.Seq2[string, string] {
	return func(yield func(attribute, value string) bool) {
		for _, a := range namesOf(noun) {
			for _, f := range slices.Backward(k.facts.under[topic{subject, a.Key}]) {
				if f.Closed.IsZero() && !f.Forbidden && !skip(f.attr, f.Value) && !yield(spaced(f.Attribute), f.Value) {
					return
				}
			}
		}
	}
}

// HeldNear yields the names of a subject's open attributes of one value that have the
// words of a noun, which is in small letters, in them.
func (k *Book) HeldNear(subject, noun string, skip Skip) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range k.facts.of[subject] {
			if f.Closed.IsZero() && !f.Forbidden && !f.attr.Many && HasWords(spaced(f.Attribute), noun) && !skip(f.attr, f.Value) && !yield(spaced(f.Attribute)) {
				return
			}
		}
	}
}

// HasWords reports whether some words stand in a phrase, one after the other.
func HasWords(phrase, words string) bool {
	i := strings.Index(phrase, words)
	return i >= 0 && (i == 0 || phrase[i-1] == ' ') && (i+len(words) == len(phrase) || phrase[i+len(words)] == ' ')
}

// spaced writes the name of an attribute in words.
func spaced(attribute string) string { return strings.ReplaceAll(attribute, "_", " ") }

func (k *Book) covers(f *fact, words string) bool {
	m := meaningOf(k.set, words)
	return k.meaning(f).covers(&m)
}
