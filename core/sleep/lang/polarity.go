package lang

// Polarity says what a line does with a part of it.
type Polarity uint8

// The polarities.
const (
	Affirmed Polarity = iota
	Denied            // "not in Porto", "I don't live in Porto"
	Ended             // "no longer", "from Porto to Lisbon", "I left Acme"
)

// Polarity returns what the line does with the tokens of m.
func (s *Sentence) Polarity(m Match) Polarity {
	i := s.ClauseOf(m.From)
	if i < 0 {
		return Affirmed
	}
	c := &s.Clauses[i]
	if s.Lang == nil || s.Lang.verbs == nil {
		switch {
		case c.Verb.Ended:
			return Ended
		case c.Verb.Negated:
			return Denied
		}
		return Affirmed
	}
	if s.takenBack(m.From) {
		return Ended
	}
	if p := s.before(c, m.From); p != Affirmed {
		return p
	}
	inObject := m.From >= c.Verb.To
	switch {
	case c.Verb.Ended:
		return Ended
	case c.Verb.Negated && inObject && s.butBefore(c, m.From):
		return Affirmed
	case c.Verb.Negated:
		return Denied
	case inObject && s.endVerb(c, m.From):
		if c.Verb.Modal {
			return Denied
		}
		return Ended
	case s.notAfter(c, m.To):
		return Denied
	}
	return Affirmed
}

// takenBack reports whether a line tells the listener to forget what was said of a
// place in it: "forget what I said about jazz".
func (s *Sentence) takenBack(at int) bool {
	i := s.start
	if s.norm(i) == "please" {
		i++
	}
	switch s.norm(i) {
	case "forget", "ignore", "disregard", "scratch", "scrap":
	default:
		return false
	}
	if s.norm(i+1) != "what" || at <= i+1 {
		return false
	}
	for j := i; j < at; j++ {
		if s.norm(j) == "," || s.Tokens[j].breaks() {
			return false
		}
	}
	return true
}

// before looks at the words in front of a place for what takes it back.
func (s *Sentence) before(c *Clause, at int) Polarity {
	l := s.Lang
	for j := at - 1; j >= c.From && at-j <= 5; j-- {
		w := s.norm(j)
		if !s.Tokens[j].Word && w != "," {
			break
		}
		if j < c.Verb.To && j >= c.Verb.From {
			return Affirmed
		}
		switch w {
		case "not", "without", "neither", "nor", "except", "unlike", "non", "besides", "excluding", "minus", "never":
			if s.norm(j+1) == "only" {
				return Affirmed
			}
			return Denied
		case "no":
			return Denied
		case "than":
			switch s.norm(j - 1) {
			case "rather", "more", "less", "better", "worse", "other":
				return Denied
			}
			return Affirmed
		case "of":
			if s.norm(j-1) == "instead" || s.norm(j-1) == "out" && s.norm(j-2) == "moved" {
				return Denied
			}
		case "over", "to":
			if c.Verb.Lemma == "prefer" && j > c.Verb.To && s.norm(j+1) != "be" {
				if _, _, verb := l.verb(s.norm(j+1), fBase); !verb || w == "over" {
					return Denied
				}
			}
			if w == "to" {
				return Affirmed
			}
		case "from":
			switch c.Verb.Lemma {
			case "move", "switch", "change", "migrate", "relocate", "upgrade", "transfer", "convert", "shift", "return", "go":
				return Ended
			case "resign", "retire":
				return Ended
			}
		case "but", "and", "or", "by", "with", "for", "in", "at", "on":
			if w == "but" {
				return Affirmed
			}
		case ",":
			return Affirmed
		}
	}
	return Affirmed
}

// butBefore reports whether "but" stands between the verb and a place.
func (s *Sentence) butBefore(c *Clause, at int) bool {
	for j := c.Verb.To; j < at; j++ {
		if s.norm(j) == "but" {
			return true
		}
	}
	return false
}

// endVerb reports whether the verb of the clause ends its object.
func (s *Sentence) endVerb(c *Clause, at int) bool {
	l := s.Lang
	one := l.has("end verbs", c.Verb.Lemma)
	two := l.phraseAt("end verbs", plain(c.Verb.Lemma+" "+s.norm(c.Verb.To)), 0) == 2
	if !one && !two {
		return false
	}
	switch c.Subject.Who {
	case Mine, Thing, It, Owned:
		return false // "my flight leaves at 6:40"
	case Person, Third:
		if v := c.Verb; v.Tense == Present && !v.Perfect && !v.Prog {
			return false // "she sells it at the market"
		}
	}
	if _, f, ok := l.verb(s.norm(c.Verb.To), fIng); ok && f&fIng != 0 {
		return true // "stopped working at"
	}
	for j := c.Verb.To; j < at; j++ {
		switch s.norm(j) {
		case "for", "to":
			if c.Verb.Lemma == "leave" {
				return false // "I left for Quillfoot Games"
			}
			if s.norm(j) == "for" && j > c.Verb.To && s.exchange(c.Verb.Lemma) {
				return false // "we ditched Jenkins for Buildkite"
			}
		case "favour", "favor":
			return false
		case "in", "at", "by":
			if c.Verb.Lemma == "stop" || c.Verb.Lemma == "end" || c.Verb.Lemma == "finish" {
				return false // "we stopped at the bakery"
			}
		}
	}
	return true
}

// exchange reports whether what is dropped this way may be dropped for another.
func (s *Sentence) exchange(lemma string) bool {
	switch lemma {
	case "quit", "drop", "ditch", "abandon", "dump", "scrap", "sell":
		return true
	}
	return false
}

// notAfter reports whether "X is not true" follows.
func (s *Sentence) notAfter(c *Clause, to int) bool {
	return s.norm(to) == "is" && s.norm(to+1) == "not"
}

// HasWords reports whether a clause, or the whole line for -1, has an entry of a
// list.
func (s *Sentence) HasWords(list string, clause int) bool {
	if s.Lang == nil {
		return false
	}
	from, to := 0, len(s.Tokens)
	if clause >= 0 && clause < len(s.Clauses) {
		from, to = s.Clauses[clause].From, s.Clauses[clause].To
	}
	for j := from; j < to; j++ {
		if s.Lang.phraseAt(list, s.Tokens[:to], j) > 0 {
			return true
		}
	}
	return false
}

// Persons returns the mentions of persons in a line, in order.
func (s *Sentence) Persons() []Subject {
	if s.Lang == nil {
		return nil
	}
	var out []Subject
	for i := 0; i < len(s.Tokens); i++ {
		if s.Tokens[i].Quoted || !s.Tokens[i].Word {
			continue
		}
		p, j, ok := s.personAt(i)
		if !ok || j <= i {
			p, j, ok = s.introduced(i)
		}
		if !ok {
			continue
		}
		p.From, p.To = i, j
		out = append(out, p)
		i = j - 1
	}
	return out
}

// introduced reads whom the speaker has: "I have a sister called Runa", "we got a new
// manager, Rolf".
func (s *Sentence) introduced(i int) (Subject, int, bool) {
	if w := s.norm(i); w != "a" && w != "an" && w != "one" {
		return Subject{}, i, false
	}
	k := s.ClauseOf(i)
	if k < 0 || s.Clauses[k].Verb.To != i || s.Clauses[k].Verb.Negated {
		return Subject{}, i, false
	}
	who := s.Clauses[k].Subject
	if who.Who != First && who.Who != Third && who.Who != Person {
		return Subject{}, i, false
	}
	if v := s.Clauses[k].Verb.Lemma; v != "have" && v != "get" {
		return Subject{}, i, false
	}
	j := i + 1
	if s.norm(j) == "new" {
		j++
	}
	p, j, ok := s.kinAt(j)
	if !ok {
		return Subject{}, i, false
	}
	if e, _, named := s.nameAt(j + 1); named && s.norm(j) == "," && p.Proper == "" {
		p.Proper, j = s.text(j+1, e), e
		p.Name = p.Kin + " " + p.Proper
	}
	p.Mine = who.Who == First
	if !p.Mine {
		if p.Proper == "" {
			return Subject{}, i, false
		}
		p.Owner = &Subject{Who: Third, From: i, To: i + 1} // theirs
	}
	return p, j, true
}

// Slice returns the words of tokens from to to as the line has them.
func (s *Sentence) Slice(from, to int) string { return s.text(from, min(to, len(s.Tokens))) }

// Bytes returns the bytes of a match in the line.
func (s *Sentence) Bytes(m Match) (start, end int) {
	return s.Tokens[m.From].Start, s.Tokens[m.To-1].End
}

// Anaphor reports whether a subject's name stands for something said before: "it",
// "this".
func (s *Sentence) Anaphor(name string) bool {
	l := s.Lang
	if l == nil {
		l = Default().langs[0]
	}
	return l.has("it", norm(name))
}

// Pronoun reports whether a subject's name is a pronoun of a third person.
func (s *Sentence) Pronoun(name string) bool {
	l := s.Lang
	if l == nil {
		l = Default().langs[0]
	}
	w := norm(name)
	return l.has("pronouns", w) || l.has("possessives", w)
}

// SamePronoun reports whether a name is a pronoun that agrees with p.
func (s *Sentence) SamePronoun(name string, p Subject) bool {
	g, ok := s.Lang.value("pronouns", norm(name))
	if !ok {
		g, ok = s.Lang.value("possessives", norm(name))
	}
	return ok && (g == "" || p.Gender == 0 || g[0] == p.Gender)
}

// After reports whether the token at i is a mark.
func (s *Sentence) After(i int, mark string) bool { return s.norm(i) == mark }

// InClause reports whether the byte at lies in a clause; every byte does in a line
// without clauses.
func (s *Sentence) InClause(clause, at int) bool {
	if clause < 0 || s.Lang == nil {
		return true
	}
	for i, t := range s.Tokens {
		if t.End > at {
			return s.ClauseOf(i) == clause
		}
	}
	return true
}
