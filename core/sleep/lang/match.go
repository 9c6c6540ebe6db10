package lang

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/text"
)

// Match is a place in a line: tokens From to To.
type Match struct{ From, To int }

// Word is a content word of a value.
type Word struct {
	Norm  string // as written, folded to lower case
	Stem  string
	Name  bool // begins with a capital letter
	Exact bool // has a digit: it must be there as it is
}

// Content returns the words of a value that carry it, and whether negating
// words, which are left out, were among them. Without any content word all words
// are returned.
func (s *Set) Content(value string) (words []Word, negated bool) {
	toks := s.langs[0].tokens(value, Tokens(value))
	var all []Word
	var st stemmer
	for _, t := range toks {
		if !t.Word || t.Norm == "'s" {
			continue
		}
		stem := st.stem(t.Norm)
		w := Word{Norm: t.Norm, Stem: stem, Name: t.Cap && !t.Half, Exact: HasDigit(stem)}
		if s.langs[0].has("negators", t.Norm) {
			negated = true
			continue
		}
		all = append(all, w)
		if !s.langs[0].has("light", t.Norm) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = all
	}
	return words, negated
}

// maxSkip is how many content words of the line may stand between two words of
// a value.
const maxSkip = 2

// Locate finds where a line has the words of a value: in their order, with few
// others between, or in any order when none is a number and all stand together.
// missing are the words that the line has nowhere; a value that is there has
// matches and none missing.
func (s *Sentence) Locate(words []Word) (places []Match, missing []Word) {
	if len(words) == 0 {
		return nil, nil
	}
	stems := s.stemmed()
	for _, w := range words {
		if !slices.ContainsFunc(s.Tokens, func(t Token) bool { return t.Norm == w.Norm }) && !slices.Contains(stems, w.Stem) {
			missing = append(missing, w)
		}
	}
	if len(missing) > 0 {
		return s.unspacedPlaces(words, missing)
	}
	for i := range s.Tokens {
		if s.is(i, stems, words[0]) {
			if end, ok := s.inOrder(i, stems, words); ok {
				places = append(places, Match{i, end})
			}
		}
	}
	if len(places) == 0 && !slices.ContainsFunc(words, func(w Word) bool { return w.Exact }) {
		places = s.together(stems, words)
	}
	return places, nil
}

// stemmed returns the stems of the tokens, which are worked out once.
func (s *Sentence) stemmed() []string {
	if s.stems == nil {
		var st stemmer
		s.stems = make([]string, len(s.Tokens))
		for i, t := range s.Tokens {
			if t.Word && t.Norm != "'s" {
				s.stems[i] = st.stem(t.Norm)
			}
		}
	}
	return s.stems
}

func (s *Sentence) is(i int, stems []string, w Word) bool {
	return s.Tokens[i].Word && (s.Tokens[i].Norm == w.Norm || stems[i] == w.Stem && stems[i] != "" && !w.Exact || w.Exact && stems[i] == w.Stem)
}

// light reports whether a token carries nothing.
func (s *Sentence) light(i int) bool {
	t := s.Tokens[i]
	return !t.Word || s.Lang != nil && s.Lang.has("light", t.Norm) || t.Norm == "'s"
}

func (s *Sentence) inOrder(i int, stems []string, words []Word) (end int, ok bool) {
	j := i + 1
	for k := 1; k < len(words); k++ {
		skipped := 0
		for ; j < len(s.Tokens); j++ {
			if s.is(j, stems, words[k]) {
				break
			}
			if s.Tokens[j].breaks() {
				return 0, false
			}
			if !s.light(j) {
				skipped++
			}
			if skipped > maxSkip || skipped > 0 && (words[k].Exact || words[k-1].Exact) {
				return 0, false
			}
		}
		if j == len(s.Tokens) {
			return 0, false
		}
		j++
	}
	return j, true
}

// together finds the shortest stretch that holds all words, if it holds little
// else.
func (s *Sentence) together(stems []string, words []Word) []Match {
	best := Match{}
	for i := range s.Tokens {
		left := slices.Clone(words)
		skipped := 0
		for j := i; j < len(s.Tokens) && skipped <= maxSkip; j++ {
			k := slices.IndexFunc(left, func(w Word) bool { return s.is(j, stems, w) })
			switch {
			case k >= 0:
				left = slices.Delete(left, k, k+1)
			case j == i:
				skipped = maxSkip + 1
			case s.Tokens[j].breaks():
				skipped = maxSkip + 1
			case !s.light(j):
				skipped++
			}
			if len(left) == 0 {
				if best.To == 0 || j+1-i < best.To-best.From {
					best = Match{i, j + 1}
				}
				break
			}
		}
	}
	if best.To == 0 {
		return nil
	}
	return []Match{best}
}

// unspacedPlaces looks for a value of a script without spaces inside the words
// of the line.
func (s *Sentence) unspacedPlaces(words, missing []Word) ([]Match, []Word) {
	if !unspaced(s.Text) {
		return nil, missing
	}
	var still []Word
	place := Match{-1, 0}
	for _, w := range words {
		found := false
		for i, t := range s.Tokens {
			if strings.Contains(text.Fold(t.Norm), text.Fold(w.Norm)) {
				found = true
				if place.From < 0 || i < place.From {
					place.From = i
				}
				place.To = max(place.To, i+1)
				break
			}
		}
		if !found {
			still = append(still, w)
		}
	}
	if len(still) > 0 || place.From < 0 {
		return nil, still
	}
	return []Match{place}, nil
}

// ClauseOf returns the index of the clause a token is in; a token between two
// belongs to the one before. It is -1 in a line without clauses.
func (s *Sentence) ClauseOf(tok int) int {
	at := -1
	for i, c := range s.Clauses {
		from := c.From
		if c.Prefix[1] > c.Prefix[0] {
			from = min(from, c.Prefix[0])
		}
		if from <= tok {
			at = i
		}
	}
	if at < 0 && len(s.Clauses) > 0 {
		at = 0
	}
	return at
}
