package clock

import "strings"

// maxClause bounds how far the verbs of a line are looked for, in tokens.
const maxClause = 60

// A clause is a stretch of tokens without a break inside.
type clause struct {
	from, to int  // tokens
	full     bool // begins with a word that a whole clause follows: "because"
}

// markers are the signs of tense in a clause.
type markers struct {
	past, future, present bool
	subject               bool // "I", "they"
	either                bool // "put", "cut": past and present alike
	words                 bool
}

// tenseAround returns the tense that governs tokens from to to (excluded) and
// the clause they stand in. own is false if the verb was found in a clause
// beside it.
func (m *matcher) tenseAround(from, to int, lang uint8) (tense Tense, own bool, at clause) {
	at = m.clauseAround(from, to)
	if t, ok := m.tenseIn(at, from, to, lang); ok {
		return t, true, at
	}
	left, right := at, at
	for range maxClause {
		okL := left.from > 0 && !m.endsSentence(left.from-1)
		if okL {
			left = m.clauseAround(left.from-1, left.from-1)
			if t, ok := m.tenseIn(left, from, to, lang); ok {
				return t, false, at
			}
		}
		okR := right.to < len(m.toks) && !m.endsSentence(right.to)
		if okR {
			right = m.clauseAround(right.to+1, right.to+1)
			if t, ok := m.tenseIn(right, from, to, lang); ok {
				return t, false, at
			}
		}
		if !okL && !okR || from-left.from > maxClause || right.to-to > maxClause {
			break
		}
	}
	return Unknown, false, at
}

// clauseAround widens a stretch of tokens to its clause. The word that
// introduces a clause is its first.
func (m *matcher) clauseAround(from, to int) clause {
	c := clause{from: from, to: to}
	for c.from > 0 && from-c.from < maxClause {
		if m.isMark(c.from - 1) {
			break
		}
		c.from--
		if m.is(c.from, clsMain) {
			c.full = true
			break
		}
		if m.is(c.from, clsClause) {
			break
		}
	}
	for c.to < len(m.toks) && c.to-to < maxClause {
		if m.isMark(c.to) || m.is(c.to, clsMain) || m.is(c.to, clsClause) {
			break
		}
		c.to++
	}
	return c
}

// isMark reports whether a token separates clauses.
func (m *matcher) isMark(i int) bool {
	t := &m.toks[i]
	if t.kind != tokMark {
		return false
	}
	switch m.line[t.start] {
	case '/', '&', '+', '*', '_', '"', '`', '#', '~', '<', '>', '=', '%', '$':
		return false
	case '-': // not in "mid-term"
		return t.start > 0 && m.line[t.start-1] == ' '
	}
	return true
}

func (m *matcher) endsSentence(i int) bool {
	t := &m.toks[i]
	if t.kind != tokMark {
		return false
	}
	switch m.line[t.start:t.end] {
	case ".", "!", "?", ";", "।", "。", "…", "":
		return true
	}
	return false
}

func (m *matcher) is(i int, c class) bool {
	_, ok := m.sense(&m.toks[i], c, ^uint32(0), false)
	return ok
}

// tenseIn returns the tense of a clause, leaving out the expression itself;
// false if nothing in it tells.
func (m *matcher) tenseIn(c clause, from, to int, lang uint8) (Tense, bool) {
	mine, others := m.markersIn(c, from, to, lang)
	for _, k := range []markers{mine, others} {
		switch {
		case k.future:
			return Future, true
		case k.past:
			return Past, true
		case k.present:
			return Present, true
		}
	}
	switch {
	case mine.either || others.either:
		return Unknown, true
	case mine.subject || others.subject, c.full && mine.words:
		return Present, true // a clause with a verb, and no sign of the past
	}
	return Unknown, false
}

// markersIn collects the signs of tense in the language of the expression and
// in all others.
func (m *matcher) markersIn(c clause, from, to int, lang uint8) (mine, others markers) {
	be := -3 // where "is" or the like stood
	for i := c.from; i < c.to; i++ {
		if i >= from && i < to {
			continue
		}
		t := &m.toks[i]
		if t.kind != tokWord {
			continue
		}
		mine.words = mine.words || i > c.from
		length := 1
		for l := range m.g.langs {
			k := &others
			if l == int(lang) {
				k = &mine
			}
			kind, n := m.marker(i, c.to, uint8(l))
			length = max(length, n)
			switch kind {
			case clsBe:
				k.present, be = true, i
			case clsPast:
				// "is planned", "am now married" tell of the present.
				k.past = k.past || i-be > 2
			case clsFuture:
				k.future = true
			case clsPresent:
				k.present = true
			case clsEither:
				k.either = true
			case clsSubject:
				k.subject = true
			}
		}
		i += length - 1
	}
	return mine, others
}

// marker returns the class of tense of the word at i, by the lexicon, a phrase
// that begins there, or its ending, and how many words it has. end is that of
// the clause.
func (m *matcher) marker(i, end int, lang uint8) (c class, length int) {
	t := &m.toks[i]
	if t.entry >= 0 {
		for _, p := range m.g.entries[t.entry].phrases {
			if p.sense.lang == lang && m.hasWords(i, end, p.words) {
				return p.sense.class, len(p.words)
			}
		}
	}
	known := false
	if t.entry >= 0 {
		known = m.g.entries[t.entry].known
		for _, s := range m.g.entries[t.entry].senses {
			final := s.weak && i+1 < end // "^the" counts at the end of a clause
			if s.lang == lang && s.class.isTense() && s.class < clsClause && !final {
				return s.class, 1
			}
		}
	}
	if known {
		return clsNone, 1
	}
	word := m.line[t.start:t.end]
	for _, s := range m.g.langs[lang].suffixes {
		if n := len(word) - len(s.text); n >= 1 && strings.EqualFold(word[n:], s.text) {
			return s.class, 1
		}
	}
	return clsNone, 1
}

func (m *matcher) hasWords(i, end int, words []int32) bool {
	if i+len(words) > end {
		return false
	}
	for k, w := range words {
		if m.toks[i+k].entry != w {
			return false
		}
	}
	return true
}
