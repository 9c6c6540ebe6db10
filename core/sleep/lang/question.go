package lang

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

// tag reports whether clause i only asks for agreement: "…, isn't it?"
func (s *Sentence) tag(i int) bool {
	c := s.Clauses[i]
	n, last := 0, ""
	for j := c.From; j < c.To; j++ {
		if s.Tokens[j].Word {
			n, last = n+1, s.norm(j)
		}
	}
	return n <= 3 && s.Lang.HasVerbs() && s.Lang.aux(s.norm(c.From)) && (s.Lang.has("first", last) || s.Lang.has("it", last) || s.Lang.has("pronouns", last))
}

// ask marks the clauses that are a question.
func (s *Sentence) ask() {
	if len(s.Clauses) == 0 {
		return
	}
	from := -1
	for i, c := range s.Clauses {
		if s.Tokens[c.From].Quoted {
			continue
		}
		at := c.From
		if i == 0 {
			at = s.start
		}
		if s.interrogative(at) && !c.Condition {
			from = i
			if i > 0 && s.Question && s.tag(i) {
				from = i - 1
			}
			break
		}
	}
	switch {
	case s.Question && from < 0:
		from = 0
		// A statement before the last full stop in the line is not asked.
		for i := len(s.Clauses) - 1; i > 0; i-- {
			if s.breakBefore(i) && s.sentenceEnd(i) {
				from = i
				break
			}
		}
	case !s.Question && from > 0:
		return
	case from < 0:
		return
	}
	for i := from; i < len(s.Clauses); i++ {
		if i > from && s.sentenceEnd(i) {
			break
		}
		s.Clauses[i].Question = true
	}
}

// sentenceEnd reports whether a full stop, exclamation or question mark precedes
// clause i.
func (s *Sentence) sentenceEnd(i int) bool {
	for j := s.Clauses[i-1].To; j < s.Clauses[i].From; j++ {
		switch s.norm(j) {
		case ".", "!", "?":
			if !s.Tokens[j].Word {
				return true
			}
		}
	}
	return false
}
