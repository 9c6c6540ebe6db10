package sleep

import (
	"cmp"
	"slices"
)

// holdings are the facts of a book, found by whom they are about. Each list is in the
// order of the book.
type holdings struct {
	all   []*fact
	of    map[string][]*fact // by subject
	rules map[string][]*fact // by subject: what is forbidden
	under map[topic][]*fact
}

// topic is an attribute of a subject, both by their keys.
type topic struct{ subject, attribute string }

func (f *fact) topic() topic { return topic{f.subject, f.attr.Key} }

func newHoldings(n int) holdings {
	return holdings{
		all: make([]*fact, 0, n), of: make(map[string][]*fact, n), rules: map[string][]*fact{}, under: make(map[topic][]*fact, n),
	}
}

// add puts a fact behind all others.
func (h *holdings) add(f *fact) {
	f.place = len(h.all)
	h.all = append(h.all, f)
	h.shelve(f)
}

// move gives a fact another key of its subject.
func (h *holdings) move(f *fact, subject string) {
	if f.subject == subject {
		return
	}
	is := func(g *fact) bool { return g == f }
	h.of[f.subject] = slices.DeleteFunc(h.of[f.subject], is)
	h.under[f.topic()] = slices.DeleteFunc(h.under[f.topic()], is)
	if f.Forbidden {
		h.rules[f.subject] = slices.DeleteFunc(h.rules[f.subject], is)
	}
	f.subject = subject
	h.shelve(f)
}

func (h *holdings) shelve(f *fact) {
	h.of[f.subject] = inOrder(h.of[f.subject], f)
	h.under[f.topic()] = inOrder(h.under[f.topic()], f)
	if f.Forbidden {
		h.rules[f.subject] = inOrder(h.rules[f.subject], f)
	}
}

// inOrder inserts a fact into a list at its place, which is the end for a new one.
func inOrder(list []*fact, f *fact) []*fact {
	if n := len(list); n == 0 || list[n-1].place < f.place {
		return append(list, f)
	}
	at, _ := slices.BinarySearchFunc(list, f, byPlace)
	return slices.Insert(list, at, f)
}

func byPlace(a, b *fact) int { return cmp.Compare(a.place, b.place) }
