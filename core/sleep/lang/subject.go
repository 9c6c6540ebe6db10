package lang

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

// owned reads somebody's thing: the noun begins at j.
func (s *Sentence) owned(owner Subject, i, j int) (Subject, int, bool) {
	k, ok := s.nounTo(j)
	if !ok {
		return Subject{}, i, false
	}
	return Subject{Who: Owned, From: i, To: k, Noun: s.text(j, k), Owner: &owner, Gender: owner.Gender}, k, true
}
