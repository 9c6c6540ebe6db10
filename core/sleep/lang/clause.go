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
			c.Verb = v
			if s.elided(&c, j) {
				c.Subject, c.Elided = Subject{Who: First, From: j, To: j}, true
			}
			j = v.To
		}
	}
	if n := len(s.Clauses); lead == "" && n > 0 && c.Subject.Who == First && c.From == s.Clauses[n-1].To && !s.Clauses[n-1].Condition {
		p := s.Clauses[n-1].Verb.Lemma
		// "the food I like": without a joining word or a mark it describes a noun.
		c.Relative = !l.has("reports", p) && !l.has("wishes", p) && s.Clauses[n-1].Verb.Lemma != "" && c.Verb.To >= len(s.Tokens)-3
	}
	c.To = s.clauseEnd(&c, max(j, c.From))
	return c, c.To
}

// elided reports whether a past tense at the beginning of a line, or after another such
// clause, leaves out the speaker: "Sold the car, moved to Ulm."
func (s *Sentence) elided(c *Clause, j int) bool {
	v := &c.Verb
	if v.Tense != Past || v.Guessed || v.Perfect || c.Condition || c.Lead == "who" || c.Lead == "which" || c.Lead == "that" || !s.Lang.has("elided", v.Lemma) {
		return false
	}
	if n := len(s.Clauses); n > 0 {
		p := &s.Clauses[n-1]
		return p.Elided || p.Subject.Who == First && p.Verb.Tense == Past && s.norm(j-1) == ","
	}
	for k := s.start; k < j; k++ {
		if w := s.norm(k); s.Tokens[k].Word && !s.Lang.has("openers", w) && s.Lang.phraseAt("adverbs", s.Tokens, k) == 0 && !s.Lang.has("time words", w) {
			return false
		}
	}
	return s.norm(v.To) != "by" && v.To < len(s.Tokens)
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
	stretch := s.Lang.has("stretches", s.norm(j))
	if !stretch && !s.Lang.has("condition prepositions", s.norm(j)) && !s.Lang.has("time words", s.norm(j)) && s.Lang.phraseAt("adverbs", s.Tokens, j) == 0 {
		return false
	}
	if s.norm(j) == "always" && s.Lang.VerbBase(s.norm(j+1)) {
		return false // an order: "always reply in French when I …"
	}
	if s.norm(j) == "never" && s.order(j) {
		return false // "never touch that folder, it is …"
	}
	timed := (stretch || s.Lang.has("time words", s.norm(j))) && !s.Lang.has("condition prepositions", s.norm(j))
	before := s.norm(j) == "before" || s.norm(j) == "after" || s.norm(j) == "since"
	for k := j + 1; k < len(s.Tokens) && k < j+10; k++ {
		t := s.Tokens[k]
		if w := t.Norm; timed && t.Word && !HasDigit(w) && !s.Lang.has("time words", w) && !s.Lang.has("time units", w) && !(stretch && (w == "to" || w == "until" || w == "till" || w == "and")) && !s.Lang.has("first", w) && !s.Lang.has("my", w) && !s.order(k) && (k < 1 || s.norm(k-1) != ",") {
			return false // "this book I read" is no date
		}
		if t.Quoted || t.breaks() || s.Lang.has("because", t.Norm) && !(before && k == j+1 && t.Norm == "that") {
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
	if len(s.Clauses) == 0 {
		return false
	}
	p := s.Clauses[len(s.Clauses)-1]
	v, ok := s.Lang.groupAt(s.Tokens, j, false)
	if !s.Lang.has("and", lead) && !(ok && s.goesOn(lead, j, p, v)) {
		return false
	}
	if !ok || p.Verb.Lemma == "" || p.Subject.Who == Nobody || !s.agrees(p, v) {
		return false
	}
	c.Subject, c.Verb, c.Carried = p.Subject, v, true
	if p.Verb.Tense == Future {
		c.Verb.Tense, c.Verb.Bare = Future, false // "I will go … and exercise"
	}
	if lead == "nor" {
		c.Verb.Negated = true // "I neither … nor work at"
	}
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
		return (p.Verb.Tense != Past || s.standing(v)) && (v.Bare || s.norm(v.From) == "am" || s.norm(v.From) == "are" || s.norm(v.From) == "have" || s.norm(v.From) == "do" || s.norm(v.From) == "no" || s.norm(v.From) == "can") && s.norm(v.To-1) != "is"
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

// standing reports whether a verb tells how things are behind one that tells how they
// were: "I was born in Accra and live in Bonn".
func (s *Sentence) standing(v Verb) bool {
	for _, w := range []string{s.norm(v.From), s.norm(v.From - 1)} {
		if w == "now" || w == "currently" {
			return true
		}
	}
	return v.Bare && (v.Lemma == "live" || v.Lemma == "work" || v.Lemma == "speak" || v.Lemma == "teach") && (s.Lang.has("condition prepositions", s.norm(v.To)) || v.Lemma == "speak" || v.Lemma == "teach")
}

// goesOn reports whether behind a comma a list of verbs goes on that have one subject: "I
// grew up in Lagos, studied in Leeds and …".
func (s *Sentence) goesOn(lead string, j int, p Clause, v Verb) bool {
	if lead != "" || j == 0 || s.norm(j-1) != "," || v.Guessed || v.From != j || p.Condition || p.Subject.Who == Nobody || p.Subject.Who == It || p.Subject.Who == Second {
		return false
	}
	if v.Tense == Past {
		return p.Verb.Tense == Past
	}
	if p.Verb.Tense == Past || p.Verb.Lemma == "be" && p.Subject.Who == First && !s.Lang.has("stative", v.Lemma) {
		return false
	}
	return !v.Bare || s.Lang.has("stative", v.Lemma) && v.Lemma != "use" && v.Lemma != "keep"
}
