package lang

// clauseEnd returns the token at which the next clause begins.
func (s *Sentence) clauseEnd(c *Clause, j int) int {
	l := s.Lang
	for ; j < len(s.Tokens); j++ {
		t := s.Tokens[j]
		w := t.Norm
		if t.Quoted {
			return j
		}
		if !t.Word {
			if w == "," && s.commaSplits(c, j) || t.breaks() || (w == "-" || w == "…") && s.spaced(j) {
				return j
			}
			continue
		}
		if j <= c.From {
			continue
		}
		hasVerb := c.Verb.Lemma != "" && j >= c.Verb.To
		if n := l.phraseAt("if", s.Tokens, j); n > 0 && w != "had" && w != "were" && w != "should" && w != "supposing" && w != "assuming" && s.supposing(j, n) {
			return j
		}
		if n := l.phraseAt("when", s.Tokens, j); n > 0 && hasVerb && s.conditional(j, n) {
			return j
		}
		if l.has("and", w) && hasVerb && s.joins(c, j+1) {
			return j
		}
		if l.has("because", w) && hasVerb && s.subordinates(c, j) {
			return j
		}
		if c.Condition && l.has("first", w) && (!hasVerb && !s.described(c.From) || j == c.Verb.To && !l.has("reports", c.Verb.Lemma) && !l.has("wishes", c.Verb.Lemma)) {
			if _, ok := s.beginAt(j); ok {
				return j // "while travelling I use", "when it rains I take"
			}
		}
		if !hasVerb || j == c.Verb.To && !l.has("reports", c.Verb.Lemma) && !l.has("wishes", c.Verb.Lemma) {
			continue
		}
		if s.runsOn(c, j) {
			return j
		}
	}
	return len(s.Tokens)
}

// described reports whether a noun that the next words may describe begins at i: "if
// the book I read".
func (s *Sentence) described(i int) bool {
	switch s.norm(i) {
	case "the", "a", "an", "any", "this", "that", "these", "those", "some", "every", "each", "all", "what", "whatever":
		return true
	}
	return false
}

// spaced reports whether a hyphen at j stands between spaces.
func (s *Sentence) spaced(j int) bool {
	return j > 0 && j+1 < len(s.Tokens) && s.Tokens[j-1].End < s.Tokens[j].Start && s.Tokens[j].End < s.Tokens[j+1].Start
}

// commaSplits reports whether a new clause begins after the comma at j.
func (s *Sentence) commaSplits(c *Clause, j int) bool {
	l := s.Lang
	k := j + 1
	if k >= len(s.Tokens) {
		return true
	}
	if s.Tokens[k].Quoted {
		return true
	}
	for n := 0; n < 2 && (l.has("and", s.norm(k)) || l.has("because", s.norm(k))); n++ {
		if s.subordinates(c, k) && l.has("because", s.norm(k)) {
			return true
		}
		k++
	}
	if s.joins(c, k) || s.order(k) {
		return true
	}
	if n := l.phraseAt("when", s.Tokens, k); n > 0 && s.conditional(k, n) {
		return true
	}
	if n := l.phraseAt("if", s.Tokens, k); n > 0 && s.supposing(k, n) {
		return true
	}
	if c.Condition && c.Verb.Lemma != "" {
		return true // what follows a leading condition is the main clause
	}
	if s.interrogative(k) {
		return true
	}
	if n := l.phraseAt("tails", s.Tokens, k); n > 0 || l.phraseAt("question tails", s.Tokens, k) > 0 || l.phraseAt("hedges", s.Tokens, k) > 0 {
		return false
	}
	// "…, said Bogdan"
	if _, f, ok := l.verb(s.norm(k), fPast|fThird); ok && f&fBase == 0 {
		if lemma, _, _ := l.verb(s.norm(k), fPast|fThird); l.has("reports", lemma) {
			return true
		}
	}
	return false
}

// joins reports whether a clause, or a verb that shares the subject of c, begins
// at k.
func (s *Sentence) joins(c *Clause, k int) bool {
	for n := s.Lang.adverbAt(s.Tokens, k); n > 0; n = s.Lang.adverbAt(s.Tokens, k) {
		if s.norm(k) == "never" || s.norm(k) == "no" || s.norm(k) == "not" {
			break
		}
		k += n
	}
	if _, ok := s.beginAt(k); ok {
		return true
	}
	if s.order(k) {
		return true
	}
	// "and my sister in Zadar": the verb is left out.
	if p, end, ok := s.personAt(k); ok && p.Who == Person && p.Kin != "" && c.Subject.Who == First && s.Lang.has("condition prepositions", s.norm(end)) {
		return true
	}
	if c.Verb.Lemma == "" || c.Subject.Who == Nobody {
		return false
	}
	v, ok := s.Lang.groupAt(s.Tokens, k, false)
	if !ok || !s.agrees(*c, v) {
		return false
	}
	if v.Bare && s.infinitive(c, k) {
		return false // "I like to swim and run"
	}
	// A bare verb without anything after it is more likely a noun: "food and work".
	return !v.Bare || v.To < len(s.Tokens) && s.Tokens[v.To].Word && !s.Lang.has("and", s.norm(v.To))
}

// infinitive reports whether "to" and a verb stand between the verb of c and k.
func (s *Sentence) infinitive(c *Clause, k int) bool {
	for i := c.Verb.To; i+1 < k; i++ {
		if s.norm(i) == "to" {
			if _, _, ok := s.Lang.verb(s.norm(i+1), fBase); ok {
				return true
			}
		}
	}
	return false
}

// subordinates reports whether "because", "that", "who" … at j begins a clause.
func (s *Sentence) subordinates(c *Clause, j int) bool {
	if _, ok := s.beginAt(j + 1); ok {
		return s.norm(j) != "as" || c.Verb.Lemma == "be" || s.Tokens[max(j-1, 0)].Norm == ","
	}
	switch s.norm(j) {
	case "who", "which", "that":
		_, ok := s.Lang.groupAt(s.Tokens, j+1, false)
		return ok && j+1 < len(s.Tokens) && s.Tokens[j+1].Word
	case "but", "however", "though", "so":
		return s.joins(c, j+1)
	case "because":
		return true
	}
	return false
}

// runsOn reports whether a further clause begins at j without any joining word:
// "When I fly at night I prefer …", "I know she lives …".
func (s *Sentence) runsOn(c *Clause, j int) bool {
	l, w := s.Lang, s.norm(j)
	reporting := l.has("reports", c.Verb.Lemma) || l.has("wishes", c.Verb.Lemma) && !l.has("object wishes", c.Verb.Lemma)
	switch {
	case l.has("first", w) || w == "he" || w == "she" || w == "they":
	case l.has("my", w) || w == "it" || w == "the" || reporting:
		if !reporting && (s.prepositional(j) || !l.has("my", w)) {
			return false
		}
		if l.has("my", w) && !reporting && !c.Condition && c.Subject.Who != First && c.Subject.Who != Mine {
			return false
		}
	default:
		return false
	}
	b, ok := s.beginAt(j)
	if !ok {
		return false
	}
	// "the city I live in is Porto" has no verb before; here there is one.
	return b.subject.Who != Thing || reporting
}
