package lang

// start is a clause that begins at a token.
type begin struct {
	subject Subject
	verb    Verb
	next    int
}

// beginAt reads a subject and a verb group at i.
func (s *Sentence) beginAt(i int) (begin, bool) {
	for n := s.Lang.adverbAt(s.Tokens, i); n > 0 && s.norm(i) != "both" && s.norm(i) != "all"; n = s.Lang.adverbAt(s.Tokens, i) {
		i += n
	}
	sub, j, ok := s.subjectAt(i)
	if !ok {
		return begin{}, false
	}
	if k, ok := s.relativeAfter(sub, j); ok {
		j = k
	}
	must := sub.Who != Thing && sub.Who != Mine && sub.Who != Owned && !(sub.Who == Person && sub.Unsure)
	v, ok := s.Lang.groupAt(s.Tokens, j, must)
	if !ok || v.Bare && v.Lemma != "be" && (sub.Who == It || (sub.Who == Person || sub.Who == Third) && !sub.Plural && !s.pastForm(v)) {
		return begin{}, false
	}
	if v.Bare && s.pastForm(v) && sub.Who != First && sub.Who != Second && !sub.Plural {
		v.Tense, v.Bare = Past, false // "Wanda read it"
	}
	return begin{sub, v, v.To}, true
}

// relativeAfter skips ", who lives in Rome," after a person and returns where the
// verb of the main clause begins.
func (s *Sentence) relativeAfter(sub Subject, j int) (int, bool) {
	if sub.Who != Person {
		return 0, false
	}
	k := j
	if s.norm(k) == "," {
		k++
	}
	if s.norm(k) != "who" {
		return 0, false
	}
	v, ok := s.Lang.groupAt(s.Tokens, k+1, true)
	if !ok {
		return 0, false
	}
	for e := v.To; e < len(s.Tokens) && e < v.To+10; e++ {
		if s.Tokens[e].breaks() || s.Tokens[e].Quoted {
			return 0, false
		}
		at := e
		if s.norm(e) == "," {
			at = e + 1
		} else if _, ok := s.Lang.value("be", s.norm(e)); !ok && e == v.To {
			continue
		}
		if w, ok := s.Lang.groupAt(s.Tokens, at, false); ok && !w.Bare && at > v.To {
			return at, true
		}
		if at > e {
			return 0, false
		}
	}
	return 0, false
}

// pastForm reports whether a bare form may be a past tense too, as "put" may.
func (s *Sentence) pastForm(v Verb) bool {
	_, _, ok := s.Lang.verb(s.norm(v.To-1), fPast)
	return ok
}

// clauses cuts the line into clauses and reads the subject and verb of each.
func (s *Sentence) clauses() {
	i := s.start
	lead := ""
	for i < len(s.Tokens) {
		if !s.Tokens[i].Word && !s.Tokens[i].Quoted {
			i++
			continue
		}
		c, next := s.clauseAt(i, lead)
		if c.To > c.From {
			s.Clauses = append(s.Clauses, c)
		}
		lead, i = s.leadAt(next)
		if i <= c.From {
			i = c.From + 1
		}
	}
}

// leadAt skips marks and joining words at i and returns the last of them.
func (s *Sentence) leadAt(i int) (string, int) {
	lead := ""
	for i < len(s.Tokens) {
		t := s.Tokens[i]
		w := t.Norm
		switch {
		case t.Quoted:
			return lead, i
		case !t.Word:
			i++
		case s.Lang.has("and", w) || s.Lang.has("because", w):
			lead = w
			i++
		default:
			return lead, i
		}
	}
	return lead, i
}

// clauseAt reads the clause that begins at i.
func (s *Sentence) clauseAt(i int, lead string) (Clause, int) {
	c := Clause{From: i, Lead: lead, Governed: -1}
	l := s.Lang
	j := i
	if s.Tokens[i].Quoted {
		for j < len(s.Tokens) && s.Tokens[j].Quoted {
			j++
		}
		c.To, c.Reported = j, true
		return c, j
	}
	if n := l.phraseAt("when", s.Tokens, j); n > 0 && s.conditional(j, n) {
		c.Condition, c.Lead, j = true, "when", j+n
	} else if n := l.phraseAt("if", s.Tokens, j); n > 0 && s.supposing(j, n) {
		c.Condition, c.Lead, j = true, "if", j+n
		if w := s.norm(j - 1); n == 1 && (w == "had" || w == "were" || w == "should") {
			c.Supposed = true
		}
	}
	c.From = j
	switch b, ok := s.beginAt(j); {
	case ok:
		c.Subject, c.Verb, j = b.subject, b.verb, b.next
	case s.relative(lead, j, &c):
		j = c.Verb.To
	case s.prefixed(j, &c):
		j = c.Verb.To
	case s.shared(lead, j, &c):
		j = c.Verb.To
	default:
		if v, ok := s.bareAt(j); ok {
			c.Verb, j = v, v.To
		}
	}
	c.To = s.clauseEnd(&c, max(j, c.From))
	return c, c.To
}

// bareAt reads a verb group without a subject.
func (s *Sentence) bareAt(j int) (Verb, bool) {
	for s.norm(j) == "please" || s.norm(j) == "just" {
		j++
	}
	return s.Lang.groupAt(s.Tokens, j, false)
}

// relative reads "who lives in Rome".
func (s *Sentence) relative(lead string, j int, c *Clause) bool {
	if lead != "who" && lead != "which" && lead != "that" {
		return false
	}
	v, ok := s.Lang.groupAt(s.Tokens, j, false)
	if !ok {
		return false
	}
	c.Verb, c.Relative = v, true
	c.Subject = Subject{Who: Thing, From: j, To: j}
	if lead == "who" {
		c.Subject.Who = Third
		if p, ok := s.personBefore(j - 1); ok {
			c.Subject = p
			c.Subject.From, c.Subject.To = j, j
		}
	}
	return true
}

// personBefore finds a person whose mention ends just before i.
func (s *Sentence) personBefore(i int) (Subject, bool) {
	for i > 0 && !s.Tokens[i-1].Word {
		i--
	}
	for k := max(0, i-6); k < i; k++ {
		if p, end, ok := s.personAt(k); ok && end == i {
			return p, true
		}
	}
	return Subject{}, false
}

// prefixed reads "with a sore throat I drink", "in winter my desk is".
func (s *Sentence) prefixed(j int, c *Clause) bool {
	if !s.Lang.has("condition prepositions", s.norm(j)) && !s.Lang.has("time words", s.norm(j)) && s.Lang.phraseAt("adverbs", s.Tokens, j) == 0 {
		return false
	}
	for k := j + 1; k < len(s.Tokens) && k < j+10; k++ {
		t := s.Tokens[k]
		if t.Quoted || t.breaks() || s.Lang.has("because", t.Norm) {
			return false
		}
		comma := t.Norm == ","
		if !comma && !s.Lang.has("first", t.Norm) && !s.Lang.has("my", t.Norm) && t.Norm != "please" && t.Norm != "never" && t.Norm != "avoid" && t.Norm != "do" {
			continue
		}
		at := k
		if comma {
			at = k + 1
		} else if s.prepositional(k) && s.Lang.has("my", t.Norm) {
			continue
		}
		if b, ok := s.beginAt(at); ok {
			c.Subject, c.Verb, c.Prefix = b.subject, b.verb, [2]int{j, k}
			return true
		}
		if s.order(at) {
			if v, ok := s.bareAt(at); ok {
				c.Verb, c.Prefix = v, [2]int{j, k}
				return true
			}
		}
		if comma {
			return false
		}
	}
	return false
}

// shared reads a verb that has its subject from the clause before: "I live in
// Tartu and work as a baker".
func (s *Sentence) shared(lead string, j int, c *Clause) bool {
	if lead == "so" && s.order(j) { // "so never call": an order
		return false
	}
	if !s.Lang.has("and", lead) || len(s.Clauses) == 0 {
		return false
	}
	p := s.Clauses[len(s.Clauses)-1]
	v, ok := s.Lang.groupAt(s.Tokens, j, false)
	if !ok || p.Verb.Lemma == "" || p.Subject.Who == Nobody || !s.agrees(p, v) {
		return false
	}
	c.Subject, c.Verb, c.Carried = p.Subject, v, true
	c.Subject.From, c.Subject.To = j, j
	c.Hedged, c.Wish, c.Supposed, c.Reported = p.Verb.Hedged, false, p.Supposed || p.Verb.Modal, p.Reported
	return true
}

// agrees reports whether a verb group may share the subject of a clause.
func (s *Sentence) agrees(p Clause, v Verb) bool {
	switch {
	case v.Guessed:
		return false
	case p.Verb.Modal || p.Verb.Can || p.Verb.Tense == Future:
		return v.Bare
	case v.Tense == Past:
		return p.Verb.Tense == Past || p.Verb.Perfect
	case p.Subject.Who == First || p.Subject.Who == Second || p.Subject.Plural:
		return p.Verb.Tense != Past && (v.Bare || s.norm(v.From) == "am" || s.norm(v.From) == "are" || s.norm(v.From) == "have" || s.norm(v.From) == "do" || s.norm(v.From) == "no" || s.norm(v.From) == "can") && s.norm(v.To-1) != "is"
	}
	return p.Verb.Tense != Past && !v.Bare
}

// conditional reports whether the phrase at i begins a clause of time.
func (s *Sentence) conditional(i, n int) bool {
	if _, ok := s.beginAt(i + n); ok {
		return true
	}
	switch s.norm(i) {
	case "when", "whenever", "while":
		w := s.norm(i + n)
		if w == "" || !s.Tokens[i+n].Word || s.Lang.aux(w) {
			return false
		}
		return true
	case "every", "each", "any":
		return true
	}
	return false
}

func (s *Sentence) supposing(i, n int) bool {
	switch s.norm(i) {
	case "should", "had", "were":
		sub, _, ok := s.subjectAt(i + n)
		return ok && i == s.start && !s.Question && (sub.Who == First || sub.Who == Second || sub.Who == Third || sub.Who == It)
	}
	if _, ok := s.beginAt(i + n); ok {
		return true
	}
	return s.norm(i) == "if" || s.norm(i) == "unless" || n > 1
}

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
		if c.Condition && !hasVerb && l.has("first", w) && j > c.From {
			if _, ok := s.beginAt(j); ok {
				return j // "while travelling I use"
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

// interrogative reports whether a question begins at k.
func (s *Sentence) interrogative(k int) bool {
	l, w := s.Lang, s.norm(k)
	if !l.has("questions", w) {
		return false
	}
	n := s.norm(k + 1)
	if l.has("question words", w) {
		if w == "how" || w == "what" || w == "which" || w == "whose" {
			return l.aux(n) || n == "'s" || s.Question
		}
		return (l.aux(n) || n == "'s") && (w != "who" || s.Question || k == s.start)
	}
	if n == "not" {
		n = s.norm(k + 2)
		if w == "do" && (n != "you" && !l.has("first", n) || s.norm(k+3) == "ever") {
			return false
		}
	}
	switch {
	case l.has("first", n) || n == "you" || n == "he" || n == "she" || n == "they" || n == "it" || n == "there":
		return true
	case w == "do" || w == "have" || w == "had" || w == "can" && !s.Question:
		return s.Question || l.has("my", n)
	case l.has("my", n) || n == "your" || n == "the" || n == "this" || n == "that" || n == "his" || n == "her" || n == "their":
		return true
	}
	return s.Question
}
