package lang

import "strings"

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
