package lang

import "strings"

// frames finds what is not said in earnest: text that somebody asks for or gives to
// be worked on ("write a poem in which I …", "translate: I …"), examples, parts that
// are played, jokes. Their clauses suppose what they say; [Sentence.Opens] tells
// that the lines after this one do so too.
func (s *Sentence) frames() {
	l := s.Lang
	if l.verbs == nil {
		return
	}
	if s.HasWords("jokes", -1) || l.phraseAt("examples", s.Tokens, s.firstWord()) > 0 || s.irony() {
		s.supposeFrom(0)
	}
	if t := strings.TrimSpace(s.Text); strings.HasPrefix(t, "//") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "<!--") {
		s.supposeFrom(0) // a comment in code
	}
	if w := s.norm(0); s.norm(1) == ":" && (w == "subject" || w == "from") && s.norm(2) != "" {
		s.Opens = true // a mail that somebody wrote
		s.supposeFrom(0)
	}
	if i := s.playing(); i >= 0 {
		s.Opens = true
		s.supposeFrom(0)
	}
	if colon := s.framed(); colon >= 0 {
		s.Opens = true
		s.supposeFrom(colon)
	}
	for i := range s.Clauses {
		s.task(i)
	}
}

// firstWord returns the first token that is a word.
func (s *Sentence) firstWord() int {
	for i, t := range s.Tokens {
		if t.Word {
			return i
		}
	}
	return 0
}

// supposeFrom marks the clauses that begin at or after token i.
func (s *Sentence) supposeFrom(i int) {
	for k := range s.Clauses {
		if s.Clauses[k].From >= i {
			s.Clauses[k].Supposed = true
		}
	}
}

// irony reports whether a line begins as only a joke does: "sure, and I'm the Pope".
func (s *Sentence) irony() bool {
	i := s.firstWord()
	return s.norm(i) == "sure" && (s.norm(i+1) == "and" || s.norm(i+1) == "," && s.norm(i+2) == "and")
}

// playing returns where a line sets up a game of make-believe, or -1.
func (s *Sentence) playing() int {
	for i := range s.Tokens {
		if s.Tokens[i].Quoted {
			continue
		}
		if s.Lang.phraseAt("make believe", s.Tokens, i) > 0 {
			return i
		}
	}
	return -1
}

// framed returns the first token after the colon of "the lyrics go:", "sample bio:",
// or -1.
func (s *Sentence) framed() int {
	noun := false
	for i, t := range s.Tokens {
		switch {
		case t.Norm == ":" && noun:
			return i + 1
		case t.breaks() || i > 12:
			return -1
		case !t.Quoted && s.Lang.phraseAt("frame nouns", s.Tokens, i) > 0:
			noun = true
		}
	}
	return -1
}

// task reads an order, or a request, for text, and marks the clauses that are part
// of the text.
func (s *Sentence) task(i int) {
	l, c := s.Lang, &s.Clauses[i]
	at := c.Verb.To - 1
	if c.Verb.Lemma == "" || c.Verb.Negated || c.Subject.Who != Nobody && c.Subject.Who != Second || c.Subject.Who == Second && !(c.Verb.Can || c.Verb.Modal || c.Verb.Tense == Future) {
		if !(i == 0 && l.has("reworking", s.norm(s.start))) {
			return
		}
		at = s.start
	}
	making := l.phraseAt("making", s.Tokens, at) > 0
	reworking := l.phraseAt("reworking", s.Tokens, at) > 0
	if !making && !reworking {
		return
	}
	colon, comma := -1, -1
	for j := at; j < len(s.Tokens); j++ {
		t := s.Tokens[j]
		if t.Norm == ":" {
			colon = j
			break
		}
		if t.breaks() {
			break
		}
		if t.Norm == "," && comma < 0 {
			comma = j
		}
		if reworking && !making && (t.Norm == "following" || t.Norm == "below") {
			s.Opens = true
		}
	}
	switch {
	case colon >= 0:
		s.Opens = true
		s.supposeFrom(colon)
	default:
		// "write a plan, I'm vegan" and "… because I'm vegan" state; "write a poem in
		// which I'm vegan and live in Rome" does not.
		for k := i + 1; k < len(s.Clauses); k++ {
			d := &s.Clauses[k]
			w := d.Lead
			inside := k > i+1 && s.Clauses[k-1].Supposed && l.has("and", w) && w != "but" && w != "so"
			if s.breakBefore(k) || l.has("because", w) && !relatives[w] || comma >= 0 && d.From > comma && !relatives[w] && !inside {
				break
			}
			if d.Subject.Who != Nobody && d.Subject.Who != Second {
				d.Supposed = true
			}
		}
	}
}

// relatives join what a text is about to the order for it.
var relatives = map[string]bool{"which": true, "where": true, "that": true, "who": true, "whose": true, "whom": true}

// Frame marks a line that stands inside text which an earlier line of its record
// opened: it supposes what it says.
func (s *Sentence) Frame() {
	for k := range s.Clauses {
		s.Clauses[k].Supposed = true
	}
}
