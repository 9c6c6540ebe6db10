package lang

// govern works out what the clauses do to each other: conditions, suppositions,
// questions, and reports of other people's words.
func (s *Sentence) govern() {
	l := s.Lang
	if l.verbs != nil {
		s.suppose()
		s.conditions()
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		c.Hedged = c.Hedged || c.Verb.Hedged || s.hedged(c)
		if c.Verb.Lemma != "" && s.wishes(c) {
			c.Wish = true
		}
		if l.verbs != nil && i+1 < len(s.Clauses) {
			s.report(i)
		}
		if l.verbs != nil && c.Subject.Who == Nobody && i > 0 && l.has("reports", c.Verb.Lemma) && c.Verb.Tense == Past && c.Lead == "" {
			s.Clauses[i-1].Reported = true // "…, said Bogdan"
		}
		if l.verbs != nil && i > 0 && s.trailing(i) {
			s.Clauses[i-1].Hedged = true
		}
		s.endings(c)
	}
	s.ask()
}

// endings finds "not … any more" in a clause.
func (s *Sentence) endings(c *Clause) {
	for j := c.From; j < c.To; j++ {
		if s.Lang.phraseAt("enders", s.Tokens[:c.To], j) > 0 {
			c.Verb.Ended = true
		}
	}
}

func (s *Sentence) hedged(c *Clause) bool {
	for j := c.From; j < c.To; j++ {
		if !s.Tokens[j].Quoted && s.Lang.phraseAt("hedges", s.Tokens[:c.To], j) > 0 {
			return true
		}
	}
	return false
}

// wishes reports whether the clause is about something wanted.
func (s *Sentence) wishes(c *Clause) bool {
	l := s.Lang
	if l.has("wishes", c.Verb.Lemma) {
		return true
	}
	if c.Verb.Lemma != "" && c.Verb.To > 0 && c.Verb.To <= len(s.Tokens) {
		two := c.Verb.Lemma + " " + s.norm(c.Verb.To)
		return l.phraseAt("wishes", plain(two), 0) == 2
	}
	return false
}

// suppose spreads a supposition at the beginning over the whole line.
func (s *Sentence) suppose() {
	l := s.Lang
	n := l.phraseAt("suppositions", s.Tokens, s.start)
	if n == 0 {
		for i := range s.Clauses {
			// "imagine", "suppose" without a subject further on
			c := &s.Clauses[i]
			if c.Subject.Who == Nobody && l.phraseAt("suppositions", s.Tokens, c.From) > 0 && s.norm(c.From) != "say" {
				for k := i; k < len(s.Clauses); k++ {
					s.Clauses[k].Supposed = true
				}
			}
		}
		return
	}
	if s.norm(s.start) == "say" && n == 1 {
		if _, ok := s.beginAt(s.start + 1); !ok {
			return
		}
	}
	for i := range s.Clauses {
		s.Clauses[i].Supposed = true
	}
}

// conditions joins each condition to the clauses it governs: those after it when
// it leads, else the one before it.
func (s *Sentence) conditions() {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		if !c.Condition {
			continue
		}
		leads := i == 0 || s.Lang.has("and", s.joinBefore(i)) || i+1 < len(s.Clauses) && s.breakBefore(i)
		if leads {
			for k := i + 1; k < len(s.Clauses) && !s.breakBefore(k); k++ {
				s.bind(i, k)
			}
			continue
		}
		s.bind(i, i-1)
	}
}

// bind makes clause k hold only under clause i.
func (s *Sentence) bind(i, k int) {
	c, d := &s.Clauses[i], &s.Clauses[k]
	if d.Condition || d.Governed >= 0 {
		return
	}
	d.Governed = i
	if c.Supposed || c.Lead == "if" && c.Verb.Tense == Past {
		d.Supposed = true
	}
}

// joinBefore returns the word before a condition's leading word.
func (s *Sentence) joinBefore(i int) string {
	j := s.Clauses[i].From - 1
	for j > 0 && s.Clauses[i].From-j < 4 {
		w := s.norm(j)
		if s.Lang.has("and", w) {
			return w
		}
		if i > 0 && j < s.Clauses[i-1].To {
			break
		}
		j--
	}
	return ""
}

// breakBefore reports whether a full stop, semicolon or dash precedes clause i.
func (s *Sentence) breakBefore(i int) bool {
	if i == 0 {
		return true
	}
	for j := s.Clauses[i-1].To; j < s.Clauses[i].From; j++ {
		if t := s.Tokens[j]; t.breaks() || !t.Word && (t.Norm == "-" || t.Norm == "…") {
			return true
		}
	}
	return false
}

// report marks the clause after i when it is what i says or thinks.
func (s *Sentence) report(i int) {
	l := s.Lang
	c, d := &s.Clauses[i], &s.Clauses[i+1]
	if c.Verb.Lemma == "be" && d.Lead == "that" && (c.Subject.Who == It || c.Subject.Who == Nobody) && (c.Verb.Negated || s.HasWords("doubts", i)) {
		d.Supposed = true // "it is not true that …"
		return
	}
	if c.Verb.Lemma == "be" && c.Verb.Negated && c.Subject.Who == First && (s.norm(c.Verb.To) == "sure" || s.norm(c.Verb.To) == "certain" || s.norm(c.Verb.To) == "convinced" || s.norm(c.Verb.To) == "positive") && !s.breakBefore(i+1) {
		d.Supposed = true // "I'm not sure my badge is …"
		return
	}
	if s.quotes(c) {
		d.Reported = true // "he's like, I live in Vegas"
		return
	}
	if !l.has("reports", c.Verb.Lemma) && !c.Wish {
		return
	}
	if d.Lead != "that" && (d.Lead != "" || s.commaBetween(i) && !s.colonBetween(i)) && d.Subject.Who != Nobody || d.Condition {
		return
	}
	if d.Subject.Who == Nobody && d.Lead != "that" && !(s.colonBetween(i) && c.Subject.Who != First && c.Subject.Who != Nobody) {
		return
	}
	switch {
	case c.Wish || c.Supposed || c.Verb.Modal:
		d.Supposed = true
	case c.Subject.Who == First && l.has("vouches", c.Verb.Lemma) && !c.Verb.Negated:
	case s.found(c, d):
	case c.Subject.Who == First || c.Subject.Who == Nobody && l.has("vouches", c.Verb.Lemma):
		d.Hedged = d.Hedged || c.Subject.Who == First
	default:
		d.Reported, d.Said = true, l.has("sayings", c.Verb.Lemma) && !c.Verb.Negated
	}
	for k := i + 2; k < len(s.Clauses) && l.has("and", s.Clauses[k].Lead) && !s.breakBefore(k) && (s.Clauses[k].Carried || s.Clauses[k].Subject.Who == d.Subject.Who); k++ {
		s.Clauses[k].Reported = s.Clauses[k].Reported || d.Reported
		s.Clauses[k].Said = s.Clauses[k].Said || d.Said
		s.Clauses[k].Supposed = s.Clauses[k].Supposed || d.Supposed
		s.Clauses[k].Hedged = s.Clauses[k].Hedged || d.Hedged
	}
}

func (s *Sentence) commaBetween(i int) bool {
	for j := s.Clauses[i].To; j < s.Clauses[i+1].From; j++ {
		if !s.Tokens[j].Word {
			return true
		}
	}
	return false
}

func (s *Sentence) colonBetween(i int) bool {
	for j := s.Clauses[i].To; j < s.Clauses[i+1].From; j++ {
		if s.norm(j) == ":" {
			return true
		}
	}
	return false
}

// quotes reports whether a clause is nothing but "she's like", "and he goes".
func (s *Sentence) quotes(c *Clause) bool {
	switch v := c.Verb; v.Lemma {
	case "be":
		return s.norm(v.To) == "like" && c.To == v.To+1
	case "go":
		return v.To == c.To && !v.Negated && !v.Prog && (c.Subject.Who == Third || c.Subject.Who == Person)
	}
	return false
}

// found reports whether those who know tell the speaker what is so: "the test says I'm
// not allergic", "my doctor says I'm diabetic".
func (s *Sentence) found(c, d *Clause) bool {
	if d.Subject.Who != First || c.Verb.Negated || c.Verb.Modal || !s.Lang.has("sayings", c.Verb.Lemma) {
		return false
	}
	known := false
	for j := c.Subject.From; j < c.Subject.To; j++ {
		known = known || s.Lang.has("findings of", s.norm(j))
	}
	for j := d.From; known && j < d.To; j++ {
		if s.Lang.has("findings", s.norm(j)) {
			return true
		}
	}
	return false
}

// trailing reports whether a clause is nothing but "I think" behind what is said of another.
func (s *Sentence) trailing(i int) bool {
	c := &s.Clauses[i]
	if c.Subject.Who != First || s.Clauses[i-1].Subject.Who == First || c.Verb.To != c.To || c.Lead != "" || c.Verb.Negated || s.breakBefore(i) {
		return false
	}
	switch c.Verb.Lemma {
	case "think", "believe", "guess", "suppose", "assume", "reckon", "hope":
		return c.Verb.Tense == Present && !c.Verb.Modal
	}
	return false
}
