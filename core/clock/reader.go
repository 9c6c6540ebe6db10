package clock

import (
	"strings"
	"sync"
	"time"
)

// A Reader finds time expressions in lines and resolves them. It never changes
// and is safe for concurrent use.
type Reader struct {
	g    *grammar
	free sync.Pool
}

// NewReader returns a reader of the built-in languages, English and Hindi in
// Latin letters, and of those in extra. An error names the file and the line.
// It takes some milliseconds: make one and keep it.
func NewReader(extra ...File) (*Reader, error) {
	files, err := builtinFiles()
	if err != nil {
		return nil, err
	}
	return newReader(append(files, extra...))
}

func newReader(files []File) (*Reader, error) {
	g, err := newGrammar(files)
	if err != nil {
		return nil, err
	}
	r := &Reader{g: g}
	r.free.New = func() any {
		const perPlace = 256 // expressions tried at one place of a line
		return &matcher{g: g, exprs: make([]expr, 0, perPlace)}
	}
	return r, nil
}

// A Found is a time expression in a line.
type Found struct {
	Start, End             int // its bytes, with the word before it: "on 3 May", "since March"
	ClauseStart, ClauseEnd int // the bytes of the clause that it stands in

	// Span is its days; they count only if Resolved. A habit, an uncertain time
	// ("a few days ago") and one before or after a date ("before Christmas") are
	// found and not resolved.
	Span     Span
	Resolved bool
	Tense    Tense // of the clause, or of the nearest that has one
}

// Find returns the time expressions of a line that was said at a time, in
// order. Each is resolved by the tense of its clause. Cost is linear in the
// line; one without expressions costs no allocation.
func (r *Reader) Find(line string, said time.Time, o Options) []Found {
	m := r.begin(line, false)
	defer r.end(m)
	at := o.moment(said)
	if at.said.IsZero() {
		return nil
	}
	var out []Found
	for pos := 0; pos < len(m.toks); {
		m.exprs, m.steps = m.exprs[:0], 0
		e, end, ok := m.parse(pos, 0, 0, 0)
		if !ok {
			pos++
			continue
		}
		out = append(out, m.found(pos, end, e, at))
		pos = end
	}
	return out
}

// Resolve returns the days of a phrase that is one time expression as a whole,
// such as "last week" or "08/10", said at a time in a clause of a tense. It is
// false, never a guess, where the phrase is something else, where its days
// depend on what it does not say, and for times before or after a date.
func (r *Reader) Resolve(phrase string, said time.Time, tense Tense, o Options) (Span, bool) {
	m := r.begin(phrase, true)
	defer r.end(m)
	at := o.moment(said)
	at.tense, at.own = tense, true
	for n := len(m.toks); n > 0 && m.toks[n-1].kind == tokMark; n-- {
		m.toks = m.toks[:n-1]
	}
	for len(m.toks) > 0 && m.toks[0].kind == tokMark {
		m.toks = m.toks[1:]
	}
	if at.said.IsZero() || len(m.toks) == 0 {
		return Span{}, false
	}
	e, end, ok := m.parse(0, 0, 0, 0)
	if !ok || end < len(m.toks) {
		return Span{}, false
	}
	s, ok := m.resolve(e, at)
	if !ok || s.Rel == Before || s.Rel == After {
		return Span{}, false
	}
	return s, true
}

// Locate resolves a phrase that someone read in a line, by the line's own
// words: the expression that holds the phrase, or the only one in it, or the
// phrase itself by the tense of its clause there. It is false if the line does
// not have the phrase, word for word but for case and spacing, or the days are
// not known.
func (r *Reader) Locate(line, phrase string, said time.Time, o Options) (Found, bool) {
	start, end, ok := r.position(line, phrase)
	if !ok {
		return Found{}, false
	}
	inside, count := Found{}, 0
	for _, f := range r.Find(line, said, o) {
		if f.Start <= start && end <= f.End {
			return f, f.Resolved
		}
		if start <= f.Start && f.End <= end {
			inside = f
			count++
		}
	}
	if count > 0 {
		return inside, count == 1 && inside.Resolved
	}
	f := Found{Start: start, End: end}
	f.Tense, f.ClauseStart, f.ClauseEnd = r.tenseOf(line, start, end)
	f.Span, f.Resolved = r.Resolve(line[start:end], said, f.Tense, o)
	return f, f.Resolved
}

// Tense returns the tense of a line, by its first clause that has one.
func (r *Reader) Tense(line string) Tense {
	t, _, _ := r.tenseOf(line, 0, 0)
	return t
}

func (r *Reader) tenseOf(line string, start, end int) (t Tense, clauseStart, clauseEnd int) {
	m := r.begin(line, false)
	defer r.end(m)
	from := 0
	for from < len(m.toks) && int(m.toks[from].start) < start {
		from++
	}
	to := from
	for to < len(m.toks) && int(m.toks[to].start) < end {
		to++
	}
	t, _, c := m.tenseAround(from, to, 0)
	clauseStart, clauseEnd = m.bytes(c)
	return t, clauseStart, clauseEnd
}

// position returns the bytes of a phrase in a line, comparing words.
func (r *Reader) position(line, phrase string) (start, end int, ok bool) {
	m, p := r.begin(line, false), r.begin(phrase, false)
	defer r.end(m)
	defer r.end(p)
	n := len(p.toks)
	if n == 0 || n > maxClause {
		return 0, 0, false
	}
	same := func(a, b token) bool {
		return strings.EqualFold(line[a.start:a.end], phrase[b.start:b.end])
	}
	for i := 0; i+n <= len(m.toks); i++ {
		k := 0
		for k < n && same(m.toks[i+k], p.toks[k]) {
			k++
		}
		if k == n {
			return int(m.toks[i].start), int(m.toks[i+n-1].end), true
		}
	}
	return 0, 0, false
}

func (r *Reader) begin(line string, whole bool) *matcher {
	m := r.free.Get().(*matcher)
	m.line, m.whole, m.steps = line, whole, 0
	m.toks = r.g.tokenize(m.toks[:0], line)
	m.exprs = m.exprs[:0]
	return m
}

func (r *Reader) end(m *matcher) {
	m.line = "" // may be large
	r.free.Put(m)
}

func (o Options) moment(said time.Time) moment {
	return moment{instant: said, said: DateOf(said, o.Zone), zone: o.zone(), order: o.Order}
}

// found resolves the expression of tokens from to end by its clause.
func (m *matcher) found(from, end int, e int32, at moment) Found {
	f := Found{Start: int(m.toks[from].start), End: int(m.toks[end-1].end)}
	var c clause
	f.Tense, at.own, c = m.tenseAround(from, end, m.exprs[e].lang)
	at.tense = f.Tense
	f.ClauseStart, f.ClauseEnd = m.bytes(c)
	f.Span, f.Resolved = m.resolve(e, at)
	f.Resolved = f.Resolved && f.Span.Rel != Before && f.Span.Rel != After
	return f
}

func (m *matcher) bytes(c clause) (start, end int) {
	if c.from >= len(m.toks) || c.to <= c.from {
		return 0, 0
	}
	return int(m.toks[c.from].start), int(m.toks[c.to-1].end)
}
