package lang

import (
	"slices"
	"strings"
)

// Sentence is one line with its grammar. It belongs to one goroutine.
type Sentence struct {
	Text       string
	Lang       *Lang // nil when no language was recognised
	Tokens     []Token
	Clauses    []Clause
	Question   bool // ends in a question mark
	Correction bool // begins with a correcting word
	Opens      bool // the lines after it are text to work on, or play

	first int      // the first word: its capital letter says nothing
	start int      // the first word after openers
	caps  bool     // written in capitals
	small bool     // written without any
	stems []string // of the tokens, once asked for
}

// Clause is a part of a line with one verb: tokens From to To.
type Clause struct {
	From, To int
	Lead     string // the word that joins it to what is before: "and", "because", "that"
	Subject  Subject
	Verb     Verb
	Carried  bool // the subject is the one of the clause before
	Elided   bool // the speaker is left out: "Sold the car."

	Question  bool
	Supposed  bool // a supposition, or what would follow from one
	Wish      bool // wanted, hoped or planned
	Hedged    bool // maybe, I think
	Reported  bool // somebody else's words
	Said      bool // these, said rather than thought
	Condition bool // itself the condition of others
	Relative  bool // "who lives in Rome"

	Governed int    // index of the clause that is its condition, or -1
	Prefix   [2]int // tokens of a phrase before the subject: "with a sore throat"
}

// States reports whether the clause claims that something is so. It may still
// deny or end it.
func (c *Clause) States() bool {
	return !c.Question && !c.Supposed && !c.Wish && !c.Hedged && !c.Reported && !c.Condition && !c.Verb.Modal
}

// Analyse reads one line.
func (s *Set) Analyse(line string) *Sentence { return s.AnalyseIn(line, 0, nil) }

// AnalyseIn reads one line that begins at byte start of a text with quotations.
func (s *Set) AnalyseIn(line string, start int, q Quotes) *Sentence {
	raw := Tokens(line)
	l := s.detect(raw)
	out := &Sentence{Text: line, Lang: l}
	if l == nil {
		quote(raw)
		q.mark(raw, start, start+len(line))
		out.Tokens = raw
		out.Question = ends(raw, "?")
		if len(raw) > 0 {
			c := Clause{To: len(raw), Question: out.Question, Governed: -1}
			c.Verb.Negated = s.denies(raw)
			out.Clauses = []Clause{c}
		}
		return out
	}
	out.Tokens = l.tokens(line, raw)
	q.mark(out.Tokens, start, start+len(line))
	out.Question = ends(out.Tokens, "?")
	out.prepare()
	if l.verbs == nil {
		out.plainClauses()
	} else {
		out.clauses()
		s.foreign(out)
	}
	out.govern()
	out.frames()
	return out
}

// foreign lets a line in Latin letters that the grammar did not understand be denied
// by the words of other languages.
func (s *Set) foreign(out *Sentence) {
	n := 0
	for _, t := range out.Tokens {
		if out.Lang.has("common", t.Norm) {
			n++
		}
	}
	if n > 1 || slices.ContainsFunc(out.Clauses, func(c Clause) bool { return c.Verb.Lemma != "" }) || !s.denies(out.Tokens) {
		return
	}
	for i := range out.Clauses {
		out.Clauses[i].Verb.Negated = true
	}
}

// denies reports whether words of no known language say "not".
func (s *Set) denies(toks []Token) bool {
	for _, t := range toks {
		if s.any.has("negators", t.Norm) {
			return true
		}
		for _, p := range s.any.lists["inside"].all {
			if strings.Contains(t.Norm, p.words[0]) {
				return true
			}
		}
	}
	return false
}

// detect picks the language with the most common words in the line. A line in
// Latin letters without any is taken for the first language; one in another
// script for none.
func (s *Set) detect(toks []Token) *Lang {
	best, most := -1, 0
	latin, words := 0, 0
	for _, t := range toks {
		if t.Word {
			words++
			if t.Norm[0] < 0x80 || strings.IndexFunc(t.Norm, func(r rune) bool { return r > 0x24F && r < 0x1E00 || r >= 0x1F00 && r != '’' }) < 0 {
				latin++
			}
		}
	}
	for i, l := range s.langs {
		n := 0
		for _, t := range toks {
			if l.has("common", t.Norm) || l.has("contractions", t.Norm) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 {
		if latin*2 < words || words == 0 {
			return nil
		}
		best = 0
	}
	return s.langs[best]
}

func ends(toks []Token, mark string) bool {
	for i := len(toks) - 1; i >= 0 && !toks[i].Word; i-- {
		if toks[i].Norm == mark {
			return true
		}
	}
	return false
}

// prepare finds the first word, skips openers and looks at the capitals.
func (s *Sentence) prepare() {
	l := s.Lang
	words, caps := 0, 0
	s.first = -1
	for i, t := range s.Tokens {
		if !t.Word || t.Half {
			continue
		}
		if s.first < 0 {
			s.first = i
		}
		raw := s.Text[t.Start:t.End]
		words++
		if len(raw) > 1 && raw == strings.ToUpper(raw) && raw != strings.ToLower(raw) {
			caps++
		}
	}
	s.small = !slices.ContainsFunc(s.Tokens, func(t Token) bool { return t.Cap })
	s.caps = words >= 3 && caps*3 >= words*2
	if s.first < 0 {
		s.first = 0
	}
	i := 0
	for i < len(s.Tokens) {
		t := s.Tokens[i]
		if !t.Word {
			if t.Norm == `"` || t.Norm == "'" || t.Quoted || t.Norm == "(" || t.Norm == "[" {
				break
			}
			i++
			continue
		}
		n := l.phraseAt("openers", s.Tokens, i)
		if n == 0 || !s.opens(i, n) {
			break
		}
		if l.phraseAt("corrections", s.Tokens, i) > 0 {
			s.Correction = true
		}
		i += n
	}
	s.start = i
}

// opens reports whether the n tokens at i are an opener and not the beginning of
// the statement itself.
func (s *Sentence) opens(i, n int) bool {
	j := i + n
	if j >= len(s.Tokens) {
		return false
	}
	t := s.Tokens[j]
	if !t.Word {
		switch t.Norm {
		case ",", ":", "!", "-", "–", "—", ".", ";", "…":
			return true
		}
		return false
	}
	if n > 1 && (s.norm(j-1) == "that" || s.norm(j-1) == "this") {
		return true
	}
	if s.Lang.verbs == nil {
		return true
	}
	if _, _, ok := s.Lang.verb(s.norm(i), fBase); ok && n == 1 && s.norm(i) != "remember" && s.norm(i) != "note" && s.norm(i) != "look" && s.norm(i) != "listen" && s.norm(i) != "see" {
		return false
	}
	if s.order(j) || s.Lang.phraseAt("when", s.Tokens, j) > 0 || s.norm(j) == "if" {
		return true
	}
	if sub, k, ok := s.subjectAt(j); ok {
		_, ok = s.Lang.groupAt(s.Tokens, k, sub.Who == First)
		return ok
	}
	return s.Lang.phraseAt("openers", s.Tokens, j) > 0 && s.opens(j, s.Lang.phraseAt("openers", s.Tokens, j))
}

// order reports whether an order that forbids begins at i.
func (s *Sentence) order(i int) bool {
	switch s.norm(i) {
	case "please", "never", "avoid":
		return true
	case "do":
		return s.norm(i+1) == "not"
	}
	return false
}
