package lang

import "strings"

// Tense is the time that a verb group speaks of.
type Tense uint8

// The tenses. A perfect is Present with [Verb.Perfect] set.
const (
	NoTense Tense = iota
	Past
	Present
	Future
)

// Verb is a verb group: "do not really like", "has just moved", "am".
type Verb struct {
	Lemma    string // of the main verb; empty when there is no verb
	Tense    Tense
	Perfect  bool
	Prog     bool
	Passive  bool
	Modal    bool // would, could, should, may, might
	Can      bool // can, must
	Negated  bool
	Ended    bool // no longer, used to
	Used     bool // "used to"
	Hedged   bool
	Guessed  bool // the main verb is not a known one
	Bare     bool // base form without auxiliary: an order, if it has no subject
	From, To int  // tokens
}

// groupAt reads a verb group at i. With must set, an unknown word there is taken
// for a verb, since a subject stands before it.
func (l *Lang) groupAt(toks []Token, i int, must bool) (Verb, bool) {
	v := Verb{From: i}
	last := "" // the auxiliary before: be, have, do, modal
	j := i
	for j < len(toks) && (toks[j].Word || v.Negated && toks[j].Norm == "," && j+1 < len(toks) && toks[j+1].Norm == "ever") {
		w := toks[j].Norm
		if !toks[j].Word {
			j++
			continue
		}
		if n := l.phraseAt("enders", toks[:min(j+2, len(toks))], j); n > 0 {
			v.Ended, j = true, j+n
			continue
		}
		if l.has("negators", w) && w != "no" && w != "without" && w != "none" {
			v.Negated, j = true, j+1
			continue
		}
		if n := l.phraseAt("hedges", toks, j); n > 0 {
			v.Hedged, j = true, j+n
			continue
		}
		if l.has("near misses", w) && j+1 < len(toks) && toks[j+1].Word {
			v.Hedged, j = true, j+1
			continue
		}
		if n := l.adverbAt(toks, j); n > 0 {
			j += n
			continue
		}
		kind, tense := l.auxKind(w, last, toks[j])
		if kind == "" {
			break
		}
		if w == "had" && last == "" && j+2 < len(toks) && toks[j+1].Norm == "to" {
			if _, _, ok := l.verb(toks[j+2].Norm, fBase); ok {
				v.Tense, last, j = Past, "do", j+2 // "had to give up": it happened
				continue
			}
		}
		if kind == "have" && last != "have" || kind == "do" {
			if !l.auxGoesOn(toks, j+1, kind) {
				break // a main verb
			}
		}
		if v.Tense == NoTense {
			v.Tense = tense
		}
		switch kind {
		case "modal":
			v.Modal = true
		case "can":
			v.Can = true
		case "be":
			if last == "have" {
				v.Perfect = true
			}
		}
		last, j = kind, j+1
		if kind == "be" && j+2 < len(toks) && toks[j].Norm == "going" && toks[j+1].Norm == "to" {
			if _, _, ok := l.verb(toks[j+2].Norm, fBase); ok || toks[j+2].Norm == "be" {
				v.Tense, last, j = Future, "do", j+2
			}
		}
	}
	return l.mainVerb(toks, j, last, v, must)
}

// adverbAt returns how many tokens an adverb takes; a word that is followed by
// nothing a verb group could go on with is none ("I like it so", "I only").
func (l *Lang) adverbAt(toks []Token, j int) int {
	n := l.phraseAt("adverbs", toks, j)
	if n == 0 || j+n >= len(toks) || !toks[j+n].Word {
		return 0
	}
	return n
}

func (l *Lang) auxKind(w, last string, t Token) (kind string, tense Tense) {
	if w == "'s" {
		return "be", Present
	}
	if v, ok := l.value("be", w); ok {
		switch {
		case v == "present":
			return "be", Present
		case v == "past":
			return "be", Past
		case last != "" && v != "ing": // have been, will be
			return "be", NoTense
		case v == "base" && last == "":
			return "", NoTense // an order: "be quiet"
		case v == "ing" && last == "be":
			return "be", NoTense
		}
		return "", NoTense
	}
	for _, s := range []string{"have", "do"} {
		if v, ok := l.value(s, w); ok {
			switch v {
			case "present", "base":
				return s, Present
			case "past":
				return s, Past
			}
			return "", NoTense
		}
	}
	switch {
	case l.has("future", w):
		return "modal-future", Future
	case l.has("modal", w):
		return "modal", Present
	case l.has("can", w):
		return "can", Present
	}
	return "", NoTense
}

// auxGoesOn reports whether have or do is followed by its main verb.
func (l *Lang) auxGoesOn(toks []Token, j int, kind string) bool {
	for j < len(toks) && toks[j].Word {
		w := toks[j].Norm
		if n := l.phraseAt("enders", toks[:min(j+2, len(toks))], j); n > 0 {
			j += n
			continue
		}
		if l.has("negators", w) && w != "no" || l.has("adverbs", w) && w != "no" && w != "more" {
			if kind == "do" && w == "not" {
				return true
			}
			j++
			continue
		}
		break
	}
	if j >= len(toks) {
		return false
	}
	w := toks[j].Norm
	if kind == "have" {
		_, _, done := l.verb(w, fDone)
		return done || w == "been" || w == "had" || w == "done" || l.verbs[w] == nil && strings.HasSuffix(w, "ed") && len(w) > 4
	}
	_, _, base := l.verb(w, fBase)
	return base || w == "have" || w == "be"
}

func (l *Lang) mainVerb(toks []Token, j int, last string, v Verb, must bool) (Verb, bool) {
	v.To = j
	w, next := "", ""
	if j < len(toks) && toks[j].Word {
		w = toks[j].Norm
	}
	if j+1 < len(toks) {
		next = toks[j+1].Norm
	}
	take := func(lemma string, guess bool) (Verb, bool) {
		v.Lemma, v.To, v.Guessed = lemma, j+1, guess
		return v, true
	}
	switch last {
	case "be":
		if lemma, _, ok := l.verb(w, fIng); ok {
			v.Prog = true
			return take(lemma, false)
		}
		if lemma, _, ok := l.verb(w, fDone); ok {
			v.Passive = true
			return take(lemma, false)
		}
		v.Lemma = "be"
		return v, true
	case "have":
		if w == "got" && next != "to" && v.Tense == Present {
			if _, _, done := l.verb(next, fDone); !done {
				return take("have", false) // "I have got a dog"
			}
		}
		if lemma, _, ok := l.verb(w, fDone); ok {
			v.Perfect = true
			return take(lemma, false)
		}
		if w == "been" {
			v.Perfect = true
			return take("be", false)
		}
		v.Perfect = true
		if strings.HasSuffix(w, "ed") {
			return take(strings.TrimSuffix(w, "ed"), true)
		}
		return v, false
	case "do", "modal", "modal-future", "can":
		if lemma, _, ok := l.verb(w, fBase); ok {
			return take(lemma, false)
		}
		if w == "be" || w == "have" || w == "do" {
			return take(w, false)
		}
		if w == "" || l.has("common", w) {
			return v, false
		}
		return take(w, true)
	}
	if w == "used" && next == "to" && j+2 < len(toks) {
		lemma, _, ok := l.verb(toks[j+2].Norm, fBase)
		if b := toks[j+2].Norm; !ok && (b == "be" || b == "have" || b == "do") {
			lemma, ok = b, true
		}
		if ok {
			v.Ended, v.Used, v.Tense, j = true, true, Past, j+2
			return take(lemma, false)
		}
	}
	for _, s := range []string{"have", "do"} {
		if f, ok := l.value(s, w); ok && f != "ing" && f != "done" {
			v.Tense = Present
			if f == "past" {
				v.Tense = Past
			}
			v.Bare = f == "base"
			return take(s, false)
		}
	}
	if w == "be" {
		v.Bare, v.Tense = true, Present
		return take("be", false)
	}
	if lemma, f, ok := l.verb(w, fFinite); ok {
		v.Tense, v.Bare = Present, f&fBase != 0
		if f&(fBase|fThird) == 0 {
			v.Tense = Past
		}
		if must && f&(fBase|fPast) == fBase|fPast && l.has("past", lemma) {
			v.Tense, v.Bare = Past, false // "I quit Brightwell"
		}
		return take(lemma, false)
	}
	if !must || w == "" {
		return v, false
	}
	return l.guess(w, take, &v)
}

// guess takes an unknown word for a verb by its ending.
func (l *Lang) guess(w string, take func(string, bool) (Verb, bool), v *Verb) (Verb, bool) {
	switch {
	case l.has("common", w) || l.has("light", w) || len(w) < 3:
		return *v, false
	case strings.HasSuffix(w, "ed"):
		v.Tense = Past
		return take(strings.TrimSuffix(w, "ed"), true)
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		v.Tense = Present
		return take(strings.TrimSuffix(w, "s"), true)
	case strings.HasSuffix(w, "ing"), strings.HasSuffix(w, "ly"):
		return *v, false
	}
	v.Tense, v.Bare = Present, true
	return take(w, true)
}
