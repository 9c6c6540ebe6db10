package lang

// plainClauses cuts a line of a language that is read without verb groups. A
// clause ends at a mark or a joining word; its subject is the first person or
// thing in it.
func (s *Sentence) plainClauses() {
	l := s.Lang
	i := s.start
	lead := ""
	for i < len(s.Tokens) {
		t := s.Tokens[i]
		if !t.Word && !t.Quoted || l.has("and", t.Norm) || l.has("because", t.Norm) {
			if t.Word {
				lead = t.Norm
			}
			i++
			continue
		}
		c := Clause{From: i, Lead: lead, Governed: -1}
		lead = ""
		j := i + 1
		for ; j < len(s.Tokens); j++ {
			u := s.Tokens[j]
			if u.Quoted != t.Quoted || u.breaks() || u.Norm == "," && !u.Word || !u.Quoted && (l.has("and", u.Norm) && s.plainSplits(i, j) || l.has("because", u.Norm)) {
				break
			}
		}
		c.To, c.Reported = j, t.Quoted
		if !t.Quoted {
			s.plainClause(&c)
		}
		s.Clauses = append(s.Clauses, c)
		i = j
	}
	for i := range s.Clauses {
		if c := &s.Clauses[i]; c.Condition && i+1 < len(s.Clauses) {
			s.Clauses[i+1].Governed = i
		}
	}
}

// plainSplits reports whether both sides of the joining word at j can be clauses:
// each has a word that ends one.
func (s *Sentence) plainSplits(i, j int) bool {
	return s.Lang.has("be", s.norm(j-1)) || s.Lang.has("endings", s.norm(j-1))
}

func (s *Sentence) plainClause(c *Clause) {
	l := s.Lang
	c.Verb.From, c.Verb.To = c.From, c.To
	for j := c.From; j < c.To; j++ {
		w := s.norm(j)
		switch {
		case l.has("negators", w):
			c.Verb.Negated = true
		case l.has("question words", w):
			c.Question = true
		case l.has("if", w):
			c.Condition, c.Lead = true, "if"
		case l.has("when", w):
			c.Condition, c.Lead = true, "when"
		case l.has("suppositions", w):
			c.Supposed = true
		case l.has("wishes", w):
			c.Wish = true
		case l.has("past", w):
			c.Verb.Tense = Past
		case l.has("future", w):
			c.Verb.Tense = Future
		case l.has("present", w) && c.Verb.Tense == NoTense:
			c.Verb.Tense = Present
		}
		if c.Subject.Who == Nobody {
			s.plainSubject(c, j)
		}
		if l.has("first verbs", w) && c.Subject.Who != Mine {
			c.Subject = Subject{Who: First, From: c.From, To: c.From, Unsure: false}
		}
	}
}

func (s *Sentence) plainSubject(c *Clause, j int) {
	l, w := s.Lang, s.norm(j)
	sub := Subject{From: j, To: j + 1}
	switch {
	case l.has("first", w):
		sub.Who = First
	case l.has("you", w):
		sub.Who = Second
	case l.has("my", w):
		if p, k, ok := s.kinAt(j + 1); ok {
			p.From, p.To, p.Mine = j, k, true
			c.Subject = p
			return
		}
		sub.Who, sub.To, sub.Noun = Mine, min(j+2, len(s.Tokens)), s.norm(j+1)
	default:
		if g, ok := l.value("pronouns", w); ok {
			sub.Who = Third
			if g != "" {
				sub.Gender = g[0]
			}
			break
		}
		if l.has("it", w) {
			sub.Who = It
			break
		}
		if e, g, ok := s.nameAt(j); ok && (j != s.first || l.has("ergative", s.norm(e)) || e > j+1) {
			sub = Subject{Who: Person, From: j, To: e, Name: s.text(j, e), Proper: s.text(j, e), Gender: g}
		} else {
			return
		}
	}
	c.Subject = sub
}
