package rules

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// capture is what a pattern kept: tokens From to To.
type capture struct {
	kind     string
	From, To int
}

// matcher tries a pattern on one clause.
type matcher struct {
	words  *lang.Lists // words of the rules file
	s      *lang.Sentence
	verb   lang.Verb
	to     int  // end of the clause
	be     bool // read a participle as "be" and a word
	caps   []capture
	elems  []element
	budget int
}

// maxSteps bounds the work on one pattern and clause.
const maxSteps = 4000

// match returns the captures of p from token i on.
func (m *matcher) match(p *pattern, i int) ([]capture, bool) {
	m.elems, m.caps, m.budget = p.elements, m.caps[:0], maxSteps
	if m.at(0, i) {
		return m.caps, true
	}
	return nil, false
}

func (m *matcher) norm(i int) string {
	if i < 0 || i >= m.to {
		return ""
	}
	return m.s.Tokens[i].Norm
}

func (m *matcher) at(e, i int) bool {
	if m.budget--; m.budget < 0 {
		return false
	}
	if e == len(m.elems) {
		return i == m.to || !m.s.Tokens[i].Word || m.end(i)
	}
	el := &m.elems[e]
	if el.verb {
		return m.verbAt(el, e, i)
	}
	if el.capture != "" {
		return m.captureAt(el, e, i)
	}
	if n, kept := m.literal(el, i); n > 0 {
		if kept {
			m.caps = append(m.caps, capture{"listed", i, i + n})
		}
		if m.at(e+1, i+n) {
			return true
		}
		if kept {
			m.caps = m.caps[:len(m.caps)-1]
		}
	}
	if el.optional && m.at(e+1, i) {
		return true
	}
	// "I live now in Porto", "I am also allergic"
	n := m.s.Lang.At("adverbs", m.s.Tokens[:m.to], i)
	if w := m.norm(i); n == 0 && len(w) > 4 && strings.HasSuffix(w, "ly") {
		n = 1
	}
	if n > 0 && e > 0 && i+n < m.to && (m.elems[e-1].verb || !m.s.Lang.HasVerbs()) {
		return m.at(e, i+n)
	}
	return false
}

// end reports whether nothing but tails follows a pattern that ends in a word.
func (m *matcher) end(i int) bool {
	for i < m.to {
		n := max(m.s.Lang.At("tails", m.s.Tokens[:m.to], i), m.s.Lang.At("adverbs", m.s.Tokens[:m.to], i))
		if n == 0 {
			return !m.s.Tokens[i].Word || m.norm(i) == "and" || m.norm(i) == "since" || m.norm(i) == "for" || m.norm(i) == "from" ||
				m.norm(i) == "on" || m.norm(i) == "in" || m.norm(i) == "last" || m.norm(i) == "years" || m.norm(i) == "with" || m.norm(i) == "at" || m.norm(i) == "except" || m.norm(i) == "apart"
		}
		i += n
	}
	return true
}

func (m *matcher) verbAt(el *element, e, i int) bool {
	if i != m.verb.From {
		return false
	}
	if el.capture != "" { // "~<value> for a living"
		return m.captureFrom(el, e, max(m.verb.To-1, m.verb.From), m.verb.To)
	}
	if m.be {
		return slices.Contains(el.words, "be") && m.at(e+1, m.verb.To-1)
	}
	return slices.Contains(el.words, m.verb.Lemma) && m.at(e+1, m.verb.To)
}

// literal returns how many tokens the words or the list of an element take at i,
// and whether they are the value: what a list of the rules file says is, what a
// list of the grammar says is not.
func (m *matcher) literal(el *element, i int) (n int, value bool) {
	if i >= m.to {
		return 0, false
	}
	if el.list != "" {
		if n := m.words.At(el.list, m.s.Tokens[:m.to], i); n > 0 {
			return n, true
		}
		return m.s.Lang.At(el.list, m.s.Tokens[:m.to], i), false
	}
	if slices.Contains(el.words, m.norm(i)) {
		return 1, false
	}
	return 0, false
}

func (m *matcher) captureAt(el *element, e, i int) bool { return m.captureFrom(el, e, i, i+1) }

// captureFrom tries the shortest capture first.
func (m *matcher) captureFrom(el *element, e, i, first int) bool {
	if i >= m.to {
		return false
	}
	m.caps = append(m.caps, capture{el.capture, i, m.to})
	n := len(m.caps)
	if e == len(m.elems)-1 {
		return true
	}
	for j := first; j < m.to; j++ {
		m.caps[n-1].To = j
		if j > i && m.at(e+1, j) {
			return true
		}
		m.caps = m.caps[:n]
	}
	m.caps = m.caps[:n-1]
	return false
}
