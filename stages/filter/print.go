package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// print is what of a text a cosine may not see.
type print struct {
	exact uint64 // of the words that must be equal, in their order
	seq   uint64 // of all words, in their order
	bag   uint64 // of all words, in any order
	words int    // how many there are
	from  int    // the other words' hashes, ascending, in an arena
	to    int
}

// mayBe reports whether two texts can say the same thing. A text without a word is
// like no other.
func (p *print) mayBe(o *print, arena []uint64) bool {
	if p.exact != o.exact || p.words == 0 || o.words == 0 {
		return false
	}
	if p.bag == o.bag && p.words == o.words {
		return p.seq == o.seq
	}
	a, b := arena[p.from:p.to], arena[o.from:o.to]
	return within(a, b) || within(b, a)
}

// sameWords reports whether two texts have the same words in the same order,
// whatever their capitals.
func (p *print) sameWords(o *print) bool {
	return p.words > 0 && p.words == o.words && p.seq == o.seq
}

// within reports whether every hash of a is in b; both are ascending.
func within(a, b []uint64) bool {
	i := 0
	for _, x := range a {
		for i < len(b) && b[i] < x {
			i++
		}
		if i == len(b) || b[i] != x {
			return false
		}
		i++
	}
	return true
}

// takePrint reads a text and puts the hashes of its plain words into the arena.
func takePrint(text string, arena *[]uint64) print {
	p := print{from: len(*arena)}
	for at := 0; at < len(text); {
		w, n := nextWord(text[at:])
		at += n
		if w.hash == 0 {
			continue
		}
		p.words++
		p.bag += w.hash
		p.seq = mixed(p.seq ^ w.hash)
		switch {
		case w.exact:
			p.exact = mixed(p.exact ^ w.hash)
		case !trivial[w.hash]: // articles and the like
			*arena = append(*arena, w.hash)
		}
	}
	p.to = len(*arena)
	slices.Sort((*arena)[p.from:])
	return p
}

// word is one word, number or symbol of a text.
type word struct {
	hash  uint64 // of its lower-case letters; 0 for none
	exact bool   // must be equal in texts that say the same thing
}

// nextWord reads one word, or one character that is none, and returns its length in
// bytes. An apostrophe inside a word belongs to it.
func nextWord(s string) (word, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case inWord(r):
		return wordAt(s)
	case unicode.IsSpace(r) || unicode.IsPunct(r) && !tells(r, s[n:]):
		return word{}, n
	}
	return word{hash: hashRune(offset, r), exact: true}, n
}

// tells reports whether punctuation changes what is said: a question is not its
// statement, and -5 is not 5.
func tells(r rune, rest string) bool {
	switch r {
	case '%', '#', '&', '@', '?', '？', '؟', '‰':
		return true
	case '-', '−':
		next, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsDigit(next)
	}
	return false
}

func wordAt(s string) (word, int) {
	w, h, at, capitals := word{}, offset, 0, 0
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if r == '\'' || r == '’' {
			next, _ := utf8.DecodeRuneInString(s[at+n:])
			if !unicode.IsLetter(next) {
				break
			}
			h = hashRune(h, '\'')
			at += n
			continue
		}
		if !inWord(r) {
			break
		}
		lower := unicode.ToLower(r)
		if lower != r {
			capitals++
		}
		w.exact = w.exact || lower != r || !unicode.IsLower(lower) && !unicode.IsMark(r)
		h = hashRune(h, lower)
		at += n
	}
	w.hash = h
	switch {
	case negations[h] || endsFold(s[:at], "n't") || endsFold(s[:at], "n’t"):
		return word{hash: negated, exact: true}, at
	case numbers[h]:
		w.exact = true
	case trivial[h] && capitals < 2: // "I" and "The" are no names, "US" is one
		w.exact = false
	}
	return w, at
}

func endsFold(s, end string) bool {
	return len(s) > len(end) && strings.EqualFold(s[len(s)-len(end):], end)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// FNV-1a over runes.
const (
	offset uint64 = 14695981039346656037
	prime  uint64 = 1099511628211
)

func hashRune(h uint64, r rune) uint64 { return (h ^ uint64(r)) * prime }

func hashWord(s string) uint64 {
	h := offset
	for _, r := range s {
		h = hashRune(h, r)
	}
	return h
}

// mixed spreads a sum of hashes, so that their order counts.
func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	return x ^ x>>27
}
