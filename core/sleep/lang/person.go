package lang

import "strings"

// personAt reads a mention of a person at i.
func (s *Sentence) personAt(i int) (Subject, int, bool) {
	l := s.Lang
	w := s.norm(i)
	if i >= len(s.Tokens) || !s.Tokens[i].Word {
		return Subject{}, i, false
	}
	_, theirs := l.value("possessives", w)
	if l.has("my", w) || theirs {
		p, j, ok := s.kinAt(i + 1)
		if !ok {
			return Subject{}, i, false
		}
		p.Mine = !theirs
		if theirs {
			g, _ := l.value("possessives", w)
			p.Owner = &Subject{Who: Third, From: i, To: i + 1, Gender: g[0], Plural: g == "p"}
		}
		return s.chained(p, i, j)
	}
	if g, ok := l.value("kin", w); ok && l.has("kin names", w) && !s.nounish(i+1) {
		p := Subject{Who: Person, Name: s.text(i, i+1), Kin: w, Mine: true}
		if g != "" {
			p.Gender = g[0]
		}
		j := i + 1
		if e, _, ok := s.nameAt(j); ok && l.verbs != nil { // "Grandma Odette"
			p.Name, p.Proper, j = s.text(i, e), s.text(j, e), e
		}
		return s.chained(p, i, j)
	}
	j, gender, ok := s.nameAt(i)
	if !ok {
		return Subject{}, i, false
	}
	p := Subject{Who: Person, Name: s.text(i, j), Gender: gender}
	p.Proper = p.Name
	p.Unsure = j == i+1 && i == s.first
	if s.norm(j) == "," && l.has("my", s.norm(j+1)) { // "Wanda, my neighbour, lives"
		if q, k, ok := s.kinAt(j + 2); ok && q.Proper == "" && s.norm(k) == "," {
			p.Kin, p.Mine, p.Unsure, p.Name = q.Kin, true, false, q.Kin+" "+p.Proper
			return p, k + 1, true
		}
	}
	return s.chained(p, i, j)
}

// chained goes on to "my sister's husband Tom" and "Wanda's manager".
func (s *Sentence) chained(p Subject, i, j int) (Subject, int, bool) {
	for s.norm(j) == "'s" && !s.verbS(j) {
		q, k, ok := s.kinAt(j + 1)
		if !ok {
			break
		}
		owner := p
		owner.From, owner.To = i, j
		q.Owner = &owner
		q.Name = owner.Name + "'s " + q.Name
		p, j = q, k
	}
	return p, j, true
}

// kinAt reads "older sister Noemi" at i.
func (s *Sentence) kinAt(i int) (Subject, int, bool) {
	l := s.Lang
	start := i
	for n := 0; n < 3 && l.has("kin adjectives", s.norm(i)) && (l.phraseAt("kin", s.Tokens, i) == 0 || l.phraseAt("kin", s.Tokens, i+1) > 0); n++ {
		i++
	}
	n := l.phraseAt("kin", s.Tokens, i)
	if n == 0 {
		return Subject{}, i, false
	}
	j := i + n
	for s.norm(j) == "in" && s.norm(j+1) == "law" { // written without hyphens
		j += 2
	}
	if s.initials(j) {
		return Subject{}, i, false // "my employee ID"
	}
	if g, _ := l.value("kin", s.norm(i)); l.verbs != nil && s.nounish(j) && !(s.small && (g == "m" || g == "f")) {
		return Subject{}, i, false // "my doctor appointment"
	}
	kin := strings.ToLower(s.text(i, j))
	p := Subject{Who: Person, Kin: kin}
	if g, ok := l.value("kin", kin); ok && g != "" {
		p.Gender = g[0]
	} else if g, ok := l.value("kin", s.norm(i)); ok && g != "" {
		p.Gender = g[0]
	}
	p.Plural = p.Gender == 'p'
	k := j
	if s.norm(k) == "," {
		k++
	}
	if s.norm(k) == "called" || s.norm(k) == "named" {
		k++
	}
	if e, g, ok := s.nameAt(k); ok && !l.has("place marks", s.norm(k+1)) && (k == j || s.norm(e) == "," || s.norm(k-1) == "called" || s.norm(k-1) == "named") {
		if l.verbs == nil {
			e = k + 1 // the place may follow at once: "behen Asha Delhi mein"
		}
		p.Proper = s.text(k, e)
		p.Name = kin + " " + p.Proper
		if p.Gender == 0 {
			p.Gender = g
		}
		if k > j && s.norm(e) == "," {
			e++
		}
		return p, e, true
	}
	// A name in small letters: "my sister noemi lives".
	if k == j && l.verbs != nil && k+1 < len(s.Tokens) && s.Tokens[k].Word && !s.known(s.norm(k)) {
		if _, ok := l.groupAt(s.Tokens, k+1, false); ok && s.norm(k+1) != "'s" {
			if _, verb := l.groupAt(s.Tokens, k, false); !verb {
				p.Proper = s.text(k, k+1)
				p.Name = kin + " " + p.Proper
				return p, k + 1, true
			}
		}
	}
	p.Name = strings.ToLower(s.text(start, j))
	return p, j, true
}

// initials reports whether the word at i is a noun in capitals: "ID", "GP", "TV".
func (s *Sentence) initials(i int) bool {
	if i >= len(s.Tokens) || s.caps || !s.Tokens[i].Word || s.Tokens[i].Half {
		return false
	}
	raw := s.Text[s.Tokens[i].Start:s.Tokens[i].End]
	if len(raw) < 2 || len(raw) > 3 || raw != strings.ToUpper(raw) || raw == strings.ToLower(raw) {
		return false
	}
	_, verb := s.Lang.groupAt(s.Tokens, i+1, false)
	return verb && s.Lang.has("no names", s.norm(i)) || s.norm(i+1) == "number"
}

// nounish reports whether the word at i makes the one before it part of a
// compound noun: "my doctor appointment".
func (s *Sentence) nounish(i int) bool {
	if i >= len(s.Tokens) || !s.Tokens[i].Word || s.Tokens[i].Cap {
		return false
	}
	w := s.norm(i)
	if w == "'s" || s.known(w) || s.Lang.aux(w) {
		return false
	}
	if _, _, ok := s.Lang.verb(w, fFinite|fDone|fIng); ok {
		return false
	}
	if strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ly") {
		return false // may be a verb that is not known
	}
	_, ok := s.Lang.groupAt(s.Tokens, i+1, false)
	return ok && !s.Lang.has("adverbs", w)
}

// known reports whether a word has a place in the grammar.
func (s *Sentence) known(w string) bool {
	l := s.Lang
	for _, sec := range [...]string{"common", "first", "me", "my", "you", "pronouns", "possessives", "it", "adverbs", "negators", "and", "because", "when", "if", "hedges", "questions", "light"} {
		if l.has(sec, w) {
			return true
		}
	}
	return l.aux(w)
}

// nameAt reads a proper name at i: capitalised words, with a title.
func (s *Sentence) nameAt(i int) (end int, gender byte, ok bool) {
	l, toks := s.Lang, s.Tokens
	j, last := i, i
	titled := false
	if i < len(toks) && toks[i].Word && toks[i].Cap {
		if g, is := l.value("titles", toks[i].Norm); is && i+1 < len(toks) && toks[i+1].Cap && toks[i+1].Word && !s.nounThing(i+1) {
			titled = true
			if g == "m" || g == "f" {
				gender = g[0]
			}
			j, last = i+1, i+1
		}
	}
	n := 0
	for j < len(toks) && toks[j].Word && !toks[j].Half && n < 7 {
		w := toks[j].Norm
		switch {
		case toks[j].Cap && w != "i" && !s.plainWord(j, n == 0 && !titled):
			j++
			n++
			last = j
			if toks[j-1].End > toks[j-1].Start && j < len(toks) && toks[j].Norm == "." && len(toks[j-1].Norm) == 1 && j+1 < len(toks) && toks[j+1].Cap {
				j++ // an initial
			}
			continue
		case n > 0 && l.has("name joints", w) && j+1 < len(toks) && (toks[j+1].Cap || l.has("name joints", toks[j+1].Norm) && j+2 < len(toks) && toks[j+2].Cap):
			j++
			continue
		}
		break
	}
	if n == 0 {
		return i, 0, false
	}
	return last, gender, true
}

func (s *Sentence) nounThing(i int) bool { return s.plainWord(i, false) && s.norm(i+1) == "" }

// plainWord reports whether a capitalised word is an ordinary one.
func (s *Sentence) plainWord(j int, lead bool) bool {
	l, w := s.Lang, s.norm(j)
	if s.caps {
		return true // everything is in capitals
	}
	if l.has("no names", w) {
		return true
	}
	if j != s.first && !lead {
		return l.has("first", w)
	}
	if j != s.first {
		return s.known(w) && len(w) < 4 || l.has("first", w) || l.has("my", w)
	}
	if s.known(w) || l.has("time words", w) || l.has("openers", w) || l.has("kin", w) || l.has("prohibitions", w) || l.has("condition prepositions", w) || l.has("likings", w) {
		return true
	}
	if _, _, ok := l.verb(w, fBase|fIng|fDone|fPast); ok {
		// "Rob", "Mark", "Grace": a verb at the beginning unless a verb follows.
		if j+1 < len(s.Tokens) {
			if s.Tokens[j+1].Cap && s.Tokens[j+1].Word {
				if _, _, base := l.verb(w, fBase); base {
					return false
				}
				k := j + 1
				for k < len(s.Tokens) && s.Tokens[k].Cap && s.Tokens[k].Word {
					k++
				}
				_, named := l.groupAt(s.Tokens, k, false)
				return !named // "Saw Aunt May.", but "Drew Hart lives in Rome."
			}
			if v, ok := l.groupAt(s.Tokens, j+1, false); ok && (!v.Bare || v.Lemma == "be") && s.norm(j+1) != "'s" {
				return false
			}
		}
		return true
	}
	return false
}

// Kin returns the relation to one person that a noun names: "brother", and for "sons"
// "son".
func (l *Lang) Kin(noun string) (string, bool) {
	noun = strings.ToLower(noun)
	if !l.Has("kin", noun) {
		return "", false
	}
	if g, _ := l.value("kin", noun); g != "p" {
		return noun, true
	}
	one := strings.TrimSuffix(noun, "s")
	if noun == "children" {
		one = "child"
	}
	return one, one != noun && l.Has("kin", one)
}

// Family returns the family relation that a word names, one word for all that name the
// same: "mother" for "mum". It is "" for others.
func (l *Lang) Family(kin string) string {
	switch v, ok := l.value("family", kin); {
	case !ok:
		return ""
	case v != "":
		return v
	}
	return kin
}
