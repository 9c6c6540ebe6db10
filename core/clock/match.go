package clock

// A matcher holds the work on one line. It is reused; see [Reader].
type matcher struct {
	g     *grammar
	line  string
	toks  []token
	exprs []expr
	caps  [(maxDepth + 1) * (maxLength + 1)]capture
	steps int
	whole bool // the line is one phrase, not a text that holds some
}

// A capture is a value found on the way through a pattern.
type capture struct {
	class class // clsNone for a date inside
	isDom bool  // of <dom>, not <ord>
	val   int32 // or the index of the date's expression
}

const (
	maxDepth = 4    // expressions in expressions: "from the end of last May to …"
	maxSteps = 4000 // at one place, so that no text takes long
)

// A search looks for the longest pattern from one place.
type search struct {
	depth int
	base  int // of its captures
	skip  bareKind
	end   int // of the best so far
	order int32
	expr  int32

	bareEnd   int // of the best that does not count by itself here
	bareExpr  int32
	tail      bool // what goes on after a date
	afterBare bool // that does not count by itself
}

// parse returns the longest expression from token pos on and where it ends.
func (m *matcher) parse(pos, depth, base int, skip bareKind) (expr int32, end int, ok bool) {
	if depth > maxDepth || base+maxLength >= len(m.caps) {
		return 0, 0, false
	}
	s := search{depth: depth, base: base, skip: skip, expr: -1}
	m.digits(&s, pos)
	t := &m.toks[pos]
	root := &m.g.nodes[rootNode]
	switch {
	case t.entry >= 0:
		for _, i := range m.g.entries[t.entry].begins {
			m.take(&s, &root.edges[i], pos, 0)
		}
	case t.kind == tokInt || t.kind == tokOrd || t.kind == tokClock:
		for _, i := range m.g.numeric {
			m.take(&s, &root.edges[i], pos, 0)
		}
	}
	// What follows may add to it: "… morning", "… to Friday".
	if skip&bareTail != 0 {
		return s.expr, s.end, s.expr >= 0
	}
	m.follow(&s, capture{val: s.bareExpr}, s.bareEnd, s.bareEnd > s.end)
	for range maxDepth {
		if s.expr < 0 || !m.follow(&s, capture{val: s.expr}, s.end, false) {
			break
		}
	}
	return s.expr, s.end, s.expr >= 0
}

// follow looks for a pattern that goes on after a date; after a bare one that
// does not count by itself only patterns marked with "?" do.
func (m *matcher) follow(s *search, date capture, pos int, bare bool) bool {
	if pos == 0 || pos >= len(m.toks) || pos < s.end {
		return false
	}
	more := search{depth: s.depth, base: s.base, skip: s.skip, tail: true, afterBare: bare, expr: -1}
	m.caps[s.base] = date
	m.walk(&more, tailNode, pos, 1)
	if more.expr < 0 {
		return false
	}
	s.end, s.expr, s.order = more.end, more.expr, more.order
	return true
}

// digits offers a date in digits.
func (m *matcher) digits(s *search, pos int) {
	t := &m.toks[pos]
	if t.kind != tokDate {
		return
	}
	tm := term{op: opDigits, order: -1, arg: [2]int32{int32(pos)}}
	if t.form == formPair || t.form == formMonth {
		tm.bare = bareAny
	}
	m.offer(s, &tm, pos+1, 0)
}

// walk follows every edge of a node that the token at pos takes.
func (m *matcher) walk(s *search, at int32, pos, n int) {
	if m.steps++; m.steps > maxSteps || n >= maxLength {
		return
	}
	nd := &m.g.nodes[at]
	for i := range nd.terms {
		m.offer(s, &nd.terms[i], pos, n)
	}
	if pos >= len(m.toks) {
		return
	}
	for i := range nd.edges {
		m.take(s, &nd.edges[i], pos, n)
	}
}

// take goes along an edge if the tokens at pos allow it.
func (m *matcher) take(s *search, e *edge, pos, n int) {
	t := &m.toks[pos]
	c, next, ok := capture{}, pos+1, false
	switch e.kind {
	case edgeWord:
		ok = t.entry == e.word
		c = capture{class: e.set.class, val: e.set.val}
		if e.set.class == clsNone {
			if ok {
				m.walk(s, e.to, next, n)
			}
			return
		}
	case edgeClass:
		c.class = e.class
		c.val, ok = m.sense(t, e.class, e.langs, e.strict && s.depth == 0 && !m.whole || s.skip&bareWeak != 0)
	case edgeNumber:
		c.class = clsNumber
		c.val, next, ok = m.readNumber(pos, e.langs)
	case edgeOrd, edgeDom:
		c.class, c.isDom = clsOrdinal, e.kind == edgeDom
		c.val, next, ok = m.readOrdinal(pos, e.langs)
		if c.isDom && !ok && t.kind == tokInt && t.end-t.start <= 2 {
			c.val, next, ok = t.val, pos+1, true
		}
		ok = ok && (c.isDom || !e.strict || t.kind == tokOrd)
		ok = ok && (!c.isDom || c.val >= 1 && c.val <= 31)
	case edgeYear:
		c.class, c.val = clsYear, t.val
		ok = t.kind == tokInt && t.end-t.start == 4 && t.val >= 1800 && t.val < 2200
	case edgeInt, edgeClock:
		if t.kind == tokClock || t.kind == tokInt && e.kind == edgeInt {
			m.walk(s, e.to, next, n)
		}
		return
	case edgeDate:
		c.val, next, ok = m.parse(pos, s.depth+1, s.base+n+1, e.skip|s.skip&bareWeak)
		ok = ok && m.exprs[c.val].op != opNone
	}
	if ok {
		m.caps[s.base+n] = c
		m.walk(s, e.to, next, n+1)
	}
}

// offer keeps a pattern that ended at pos if it is the best so far.
func (m *matcher) offer(s *search, t *term, pos, n int) {
	if pos < s.end || pos == s.end && s.expr >= 0 && t.order >= s.order {
		return
	}
	bare := t.bare != 0 && !s.tail && s.depth == 0 && !m.whole
	switch {
	case s.afterBare && t.bare == 0, s.depth > 0 && !s.tail && t.bare&s.skip != 0, bare && t.bare&bareOrd != 0:
		return
	}
	if t.boundary && !m.boundary(pos) || len(m.exprs) >= cap(m.exprs) {
		return
	}
	e, ok := build(t, m.caps[s.base:s.base+n], m.toks)
	if !ok {
		return
	}
	e.lang = t.lang
	m.exprs = append(m.exprs, e)
	if bare {
		if pos > s.bareEnd {
			s.bareEnd, s.bareExpr = pos, int32(len(m.exprs)-1)
		}
		return
	}
	s.end, s.order, s.expr = pos, t.order, int32(len(m.exprs)-1)
}

// boundary reports whether the tokens before pos stand for themselves there
// and do not describe a noun that follows.
func (m *matcher) boundary(pos int) bool {
	if pos >= len(m.toks) || m.toks[pos-1].possessive {
		return true
	}
	t, last := &m.toks[pos], &m.toks[pos-1]
	switch t.kind {
	case tokMark:
		glued := t.entry >= 0 && t.entry == m.g.marks['-'] && t.start == last.end
		return !glued || pos+1 < len(m.toks) && m.toks[pos+1].kind != tokWord
	case tokWord:
		// A name may follow a number: "In 2019 Priya left".
		return t.entry >= 0 && m.g.entries[t.entry].known || t.capital && last.kind == tokInt
	case tokClock, tokDate:
		return true
	default:
		return false
	}
}

// sense returns the value a token has in a class.
func (m *matcher) sense(t *token, c class, langs uint32, strict bool) (int32, bool) {
	if t.kind != tokWord || t.entry < 0 {
		return 0, false
	}
	for _, s := range m.g.entries[t.entry].senses {
		if s.class == c && langs&(1<<s.lang) != 0 && (!s.weak || !strict || t.capital) {
			return s.val, true
		}
	}
	return 0, false
}

// mayBegin reports whether a word may be the first of what an edge takes.
func (g *grammar) mayBegin(e edge, t token) bool {
	m := matcher{g: g}
	var ok bool
	switch e.kind {
	case edgeWord:
		return t.entry == e.word
	case edgeClass:
		_, ok = m.sense(&t, e.class, e.langs, false)
	case edgeNumber:
		_, ok = m.sense(&t, clsNumber, e.langs, false)
	case edgeDom, edgeOrd:
		_, number := m.sense(&t, clsNumber, e.langs, false) // "twenty" in "twenty-third"
		_, ok = m.sense(&t, clsOrdinal, e.langs, false)
		ok = ok || number
	}
	return ok
}
