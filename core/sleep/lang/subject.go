package lang

import "strings"

// Who says what kind of thing a clause is about.
type Who uint8

// The kinds of subjects.
const (
	Nobody Who = iota // none: an order or a fragment
	First             // the speaker: I, we, my wife and I
	Second            // the listener
	Third             // he, she, they
	It                // it, this, there
	Person            // somebody named or known by a relation
	Mine              // a thing of the speaker's: "my locker number"
	Owned             // somebody's thing: "Wanda's office", "her office"
	Thing             // anything else: "the boiler"
)

// Subject is who or what a clause is about.
type Subject struct {
	Who      Who
	From, To int    // tokens; equal when it is carried over from the clause before
	Name     string // of a Person as the line has it, without "my": "sister Noemi"
	Proper   string // the name in it: "Noemi"
	Kin      string // the relation in it: "sister"
	Noun     string // of a thing: "locker number"
	Gender   byte   // 'm', 'f', 'p' for several, or 0
	Plural   bool
	Mine     bool     // a Person in relation to the speaker
	Owner    *Subject // of Owned, and of a Person in relation to somebody else
	Unsure   bool     // a Person by nothing but the first capital letter of the line
}

// text joins the words of tokens as the line has them.
func (s *Sentence) text(from, to int) string {
	if from >= to {
		return ""
	}
	return s.Text[s.Tokens[from].Start:s.Tokens[to-1].End]
}

// subjectAt reads a noun phrase at i that may be a subject, and returns the token
// after it.
func (s *Sentence) subjectAt(i int) (Subject, int, bool) {
	l, toks := s.Lang, s.Tokens
	if i >= len(toks) || !toks[i].Word || toks[i].Quoted {
		return Subject{}, i, false
	}
	w := toks[i].Norm
	one := func(who Who) (Subject, int, bool) {
		return s.joined(Subject{Who: who, From: i, To: i + 1})
	}
	switch {
	case l.has("first", w):
		return one(First)
	case w == "me" && s.norm(i+1) == "and":
		return one(First)
	case w == "you":
		return one(Second)
	case l.has("it", w) && !s.nounFollows(i):
		return Subject{Who: It, From: i, To: i + 1}, i + 1, true
	}
	if g, ok := l.value("pronouns", w); ok && (w == "he" || w == "she" || w == "they") {
		return s.joined(Subject{Who: Third, From: i, To: i + 1, Gender: g[0], Plural: g == "p"})
	}
	if p, j, ok := s.personAt(i); ok {
		if _, verb := l.groupAt(s.Tokens, j, false); p.Unsure && !verb && s.norm(j) != "'s" && s.norm(j) != "and" && s.norm(j) != "," {
			if b, k, ok := s.bareNoun(i); ok {
				return b, k, true
			}
		}
		if s.norm(j) == "'s" && !s.verbS(j) {
			return s.owned(p, i, j+1)
		}
		p.From, p.To = i, j
		return s.joined(p)
	}
	if l.has("my", w) {
		if j, ok := s.nounTo(i + 1); ok {
			return Subject{Who: Mine, From: i, To: j, Noun: s.text(i+1, j)}, j, true
		}
		return Subject{}, i, false
	}
	if g, ok := l.value("possessives", w); ok {
		return s.owned(Subject{Who: Third, From: i, To: i + 1, Gender: g[0], Plural: g == "p"}, i, i+1)
	}
	if w == "the" || w == "a" || w == "an" || w == "your" || w == "this" || w == "that" || w == "these" || w == "those" || w == "another" || w == "every" || w == "each" || w == "all" || w == "some" || w == "both" {
		if j, ok := s.nounTo(i + 1); ok {
			if s.norm(j) == "'s" && !s.verbS(j) {
				return s.owned(Subject{Who: Thing, Noun: s.text(i+1, j)}, i, j+1)
			}
			who := Thing
			if w == "your" {
				who = Second
			}
			return Subject{Who: who, From: i, To: j, Noun: s.text(i+1, j)}, j, true
		}
	}
	return s.bareNoun(i)
}

// bareNoun reads a noun without an article before "is" or "are": "Morning flights
// are fine again".
func (s *Sentence) bareNoun(i int) (Subject, int, bool) {
	l := s.Lang
	if i >= len(s.Tokens) || HasDigit(s.norm(i)) || s.known(s.norm(i)) || l.has("adverbs", s.norm(i)) || l.has("reports", s.norm(i)) || l.has("prohibitions", s.norm(i)) {
		return Subject{}, i, false
	}
	for j := i + 1; j < len(s.Tokens) && j-i <= 4 && s.Tokens[j].Word && !s.Tokens[j].Quoted; j++ {
		w := s.norm(j)
		if v, ok := l.value("be", w); ok && (v == "present" || v == "past") && w != "am" {
			return Subject{Who: Thing, From: i, To: j, Noun: s.text(i, j)}, j, true
		}
		if s.known(w) && w != "of" && w != "in" && w != "for" || w == "'s" {
			break
		}
	}
	return Subject{}, i, false
}

func (s *Sentence) norm(i int) string {
	if i < 0 || i >= len(s.Tokens) {
		return ""
	}
	return s.Tokens[i].Norm
}

// joined takes in "and I", "and Wanda": with the speaker among them, it is the
// speaker's.
func (s *Sentence) joined(a Subject) (Subject, int, bool) {
	j := a.To
	if s.norm(j) == "," || s.norm(j) != "and" {
		return a, j, true
	}
	k := j + 1
	if s.Lang.has("first", s.norm(k)) || s.norm(k) == "me" {
		if _, ok := s.Lang.groupAt(s.Tokens, k+1, false); ok && a.Who != First {
			return Subject{Who: First, From: a.From, To: k + 1, Plural: true}, k + 1, true
		}
		return a, j, true
	}
	p, n, ok := s.personAt(k)
	if !ok {
		return a, j, true
	}
	v, ok := s.Lang.groupAt(s.Tokens, n, false)
	if !ok || v.Tense == Present && !v.Bare && s.norm(v.From) != "are" && s.norm(v.From) != "'re" && s.norm(v.From) != "have" {
		return a, j, true // "… and Wanda lives in Split": a clause of its own
	}
	if a.Who == First || a.Who == Nobody {
		if v.Bare || s.norm(v.From) == "are" || s.norm(v.From) == "have" || s.norm(v.From) == "were" || a.To == a.From+1 && s.norm(a.From) == "me" {
			a.Plural, a.To = true, n
			return a, n, true
		}
		return a, j, true
	}
	if v.Tense == Past && s.norm(v.From) != "were" {
		// "Wanda and Tom moved": both, unless the first has a clause already.
		a.Plural = true
	}
	return Subject{Who: Person, From: a.From, To: n, Name: s.text(a.From, n), Gender: 'p', Plural: true, Mine: a.Mine && p.Mine}, n, true
}

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
		return s.chained(p, i, i+1)
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
	for n := 0; n < 3 && l.has("kin adjectives", s.norm(i)) && l.phraseAt("kin", s.Tokens, i) == 0; n++ {
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
	if g, _ := l.value("kin", s.norm(i)); s.nounish(j) && !(s.small && (g == "m" || g == "f")) {
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
	if e, g, ok := s.nameAt(k); ok && (k == j || s.norm(e) == "," || s.norm(k-1) == "called" || s.norm(k-1) == "named") {
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
	if k == j && k+1 < len(s.Tokens) && s.Tokens[k].Word && !s.known(s.norm(k)) {
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

// owned reads somebody's thing: the noun begins at j.
func (s *Sentence) owned(owner Subject, i, j int) (Subject, int, bool) {
	k, ok := s.nounTo(j)
	if !ok {
		return Subject{}, i, false
	}
	return Subject{Who: Owned, From: i, To: k, Noun: s.text(j, k), Owner: &owner, Gender: owner.Gender}, k, true
}

// verbS reports whether the "'s" at i is "is" or "has".
func (s *Sentence) verbS(i int) bool {
	l := s.Lang
	if s.norm(i) != "'s" {
		return false
	}
	if i > 0 && (l.has("it", s.norm(i-1)) || l.has("pronouns", s.norm(i-1)) || l.has("question words", s.norm(i-1))) {
		return true
	}
	w := s.norm(i + 1)
	if w == "" || !s.Tokens[i+1].Word {
		return w == ""
	}
	if _, _, ok := l.verb(w, fIng|fDone); ok && s.norm(i+2) != "is" {
		return true
	}
	return w == "a" || w == "an" || w == "the" || w == "not" || w == "no" || w == "in" || w == "at" || w == "on" || w == "from" || w == "my" || w == "been" ||
		w == "allergic" || w == "called" || w == "named" || l.has("adverbs", w) || strings.HasSuffix(w, "ing") && !s.nounThenVerb(i+1)
}

func (s *Sentence) nounThenVerb(i int) bool {
	_, ok := s.Lang.groupAt(s.Tokens, i+1, false)
	return ok
}

// nounFollows reports whether "this" or "that" at i belongs to a noun.
func (s *Sentence) nounFollows(i int) bool {
	switch s.norm(i) {
	case "this", "that", "these", "those":
	default:
		return false
	}
	w := s.norm(i + 1)
	if w == "" || !s.Tokens[i+1].Word || w == "'s" || s.Lang.aux(w) {
		return false
	}
	if s.Lang.has("first", w) || s.Lang.has("adverbs", w) || s.Lang.has("pronouns", w) || s.known(w) {
		return false
	}
	_, _, verb := s.Lang.verb(w, fThird|fPast)
	return !verb || s.nounThenVerb(i+1)
}

// maxNoun is how many words the noun of a subject may have.
const maxNoun = 9

// nounTo returns the token at which a noun phrase that begins at i ends, because
// a verb group begins there.
func (s *Sentence) nounTo(i int) (int, bool) {
	l := s.Lang
	guess, apostrophe := -1, -1
	for j := i; j < len(s.Tokens) && j-i <= maxNoun; j++ {
		t := s.Tokens[j]
		w := t.Norm
		if t.Quoted || !t.Word {
			break
		}
		if w == "'s" {
			if s.verbS(j) {
				return j, j > i
			}
			if j > i {
				// "my dog's name is": part of the noun.
				apostrophe = j
				continue
			}
			break
		}
		if j > i && l.aux(w) && (!s.modal(w) || s.modalVerb(j)) {
			return j, true
		}
		if l.has("first", w) || w == "he" || w == "she" || w == "they" || l.has("because", w) && w != "so" || l.phraseAt("when", s.Tokens, j) > 0 && w != "once" || w == "if" || w == "but" {
			break
		}
		if j > i && guess < 0 {
			if n := l.adverbAt(s.Tokens, j); n > 0 && !l.has("kin adjectives", w) {
				if _, ok := l.groupAt(s.Tokens, j, false); ok && !s.prepositional(j) {
					guess = j
					continue
				}
			}
			if _, _, ok := l.verb(w, fThird|fPast); ok && !s.prepositional(j) && w != "called" && w != "named" {
				guess = j
			}
		}
	}
	if guess > i {
		return guess, true
	}
	if apostrophe > i && apostrophe+1 < len(s.Tokens) && s.Tokens[apostrophe+1].Cap {
		return apostrophe, true // "my name's Sahil"
	}
	return i, false
}

func (s *Sentence) modal(w string) bool {
	return s.Lang.has("future", w) || s.Lang.has("modal", w) || s.Lang.has("can", w)
}

// modalVerb reports whether the modal at i is followed by a verb, unlike the month
// in "on 3 May" and the name in "my brother Will".
func (s *Sentence) modalVerb(i int) bool {
	v, ok := s.Lang.groupAt(s.Tokens, i, false)
	return ok && v.Lemma != "" && !v.Guessed && (v.Modal || v.Can || v.Tense == Future)
}

// prepositional reports whether the word before i governs it, as in "out of use".
func (s *Sentence) prepositional(i int) bool {
	switch s.norm(i - 1) {
	case "of", "to", "for", "with", "at", "in", "on", "by", "from", "a", "an", "the", "my":
		return true
	}
	return false
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
	if s.known(w) || l.has("openers", w) || l.has("kin", w) || l.has("prohibitions", w) || l.has("condition prepositions", w) || l.has("likings", w) {
		return true
	}
	if _, _, ok := l.verb(w, fBase|fIng|fDone|fPast); ok {
		// "Rob", "Mark", "Grace": a verb at the beginning unless a verb follows.
		if j+1 < len(s.Tokens) {
			if s.Tokens[j+1].Cap && s.Tokens[j+1].Word {
				return false
			}
			if v, ok := l.groupAt(s.Tokens, j+1, false); ok && (!v.Bare || v.Lemma == "be") && s.norm(j+1) != "'s" {
				return false
			}
		}
		return true
	}
	return false
}
