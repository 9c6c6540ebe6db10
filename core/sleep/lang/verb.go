package lang

import "strings"

// form is a set of the ways in which a word may be a form of a verb.
type form uint8

// The forms.
const (
	fBase   form = 1 << iota // live
	fThird                   // lives
	fPast                    // lived
	fDone                    // lived, the participle
	fIng                     // living
	fFinite = fBase | fThird | fPast
)

type verbForm struct {
	lemma string
	forms form
}

// conjugate lists all forms of verbs that are given as "base past participle".
func conjugate(verbs []phrase) map[string][]verbForm {
	m := map[string][]verbForm{}
	put := func(word, lemma string, f form) {
		for i, v := range m[word] {
			if v.lemma == lemma {
				m[word][i].forms |= f
				return
			}
		}
		m[word] = append(m[word], verbForm{lemma, f})
	}
	for _, v := range verbs {
		w := v.words[0]
		put(w, w, fBase)
		put(third(w), w, fThird)
		put(ing(w), w, fIng)
		past := past(w)
		if len(v.words) > 1 {
			put(v.words[1], w, fPast)
			for _, done := range v.words[min(2, len(v.words)-1):] {
				put(done, w, fDone)
			}
			continue
		}
		put(past, w, fPast|fDone)
		if strings.HasSuffix(w, "l") && past != w+"ed" {
			put(w+"ed", w, fPast|fDone) // traveled
			put(w+"ing", w, fIng)
		}
	}
	return m
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }

func third(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "sh"), strings.HasSuffix(w, "ch"), strings.HasSuffix(w, "x"), strings.HasSuffix(w, "z"), w == "go", w == "do":
		return w + "es"
	case n > 1 && w[n-1] == 'y' && !isVowel(w[n-2]):
		return w[:n-1] + "ies"
	}
	return w + "s"
}

// doubles reports whether the last letter is doubled before an ending: stop, plan,
// and travel, whose double letter is one of two spellings.
func doubles(w string) bool {
	n := len(w)
	if n < 3 || isVowel(w[n-1]) || strings.IndexByte("wxyh", w[n-1]) >= 0 || !isVowel(w[n-2]) || isVowel(w[n-3]) && w[n-3:n-1] != "ui" {
		return false
	}
	vowels := 0
	for i := range n {
		if isVowel(w[i]) && (i == 0 || !isVowel(w[i-1])) {
			vowels++
		}
	}
	switch w {
	case "prefer", "refer", "transfer", "commit", "refrain":
		return w != "refrain"
	}
	return vowels == 1 || w[n-1] == 'l' && strings.HasSuffix(w, "el")
}

func past(w string) string {
	n := len(w)
	switch {
	case w[n-1] == 'e':
		return w + "d"
	case n > 1 && w[n-1] == 'y' && !isVowel(w[n-2]):
		return w[:n-1] + "ied"
	case doubles(w):
		return w + w[n-1:] + "ed"
	}
	return w + "ed"
}

func ing(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "ie"):
		return w[:n-2] + "ying"
	case w[n-1] == 'e' && !strings.HasSuffix(w, "ee") && !strings.HasSuffix(w, "ye"):
		return w[:n-1] + "ing"
	case doubles(w):
		return w + w[n-1:] + "ing"
	}
	return w + "ing"
}

// verb returns the lemma of a word that is a verb in one of the wanted forms.
func (l *Lang) verb(word string, want form) (string, form, bool) {
	for _, v := range l.verbs[word] {
		if v.forms&want != 0 {
			return v.lemma, v.forms, true
		}
	}
	return "", 0, false
}

// aux reports whether a word is an auxiliary that can begin a verb group.
func (l *Lang) aux(word string) bool {
	for _, s := range []string{"be", "have", "do"} {
		if v, ok := l.value(s, word); ok && (v == "present" || v == "past" || v == "base" && s != "be") {
			return true
		}
	}
	return l.has("future", word) || l.has("modal", word) || l.has("can", word)
}

// HasVerbs reports whether the language is read with verb groups.
func (l *Lang) HasVerbs() bool { return l.verbs != nil }

// Verb reports whether a word is a form of a known verb.
func (l *Lang) Verb(word string) bool { return len(l.verbs[word]) > 0 }

// VerbBase reports whether a word is the base form of a known verb.
func (l *Lang) VerbBase(word string) bool {
	_, _, ok := l.verb(word, fBase)
	return ok
}

// ThirdPerson returns the form of "she …s".
func (l *Lang) ThirdPerson(lemma string) string { return third(lemma) }

// FiniteThird reports whether a word is the form of a known verb for "she".
func (l *Lang) FiniteThird(word string) bool {
	_, _, ok := l.verb(word, fThird)
	return ok
}

// Reports reports whether a word is a form of a verb of saying or thinking.
func (l *Lang) Reports(word string) bool {
	lemma, _, ok := l.verb(word, fThird|fPast)
	return ok && l.has("reports", lemma)
}

// Lemma returns the base form of a known verb, or the word itself.
func (l *Lang) Lemma(word string) string {
	if lemma, _, ok := l.verb(word, fBase|fThird|fPast|fDone|fIng); ok {
		return lemma
	}
	return word
}
