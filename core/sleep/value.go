package sleep

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// meaning is what values are compared by.
type meaning struct {
	folded  string
	words   []string // stems of its content words, sorted, each once
	negated bool
	place   []string // the words before the first comma
	comma   bool
	named   bool     // what follows the comma has no number
	bare    []string // the words without digits
	numbers []string // the words with digits, in their order
	names   []string // the capitalised words, in their order
}

func meaningOf(set *lang.Set, value string) meaning {
	w, neg := set.Content(value)
	m := meaning{folded: strings.ToLower(strings.TrimSpace(value)), words: stems(w), negated: neg}
	head, rest, ok := strings.Cut(value, ",")
	m.comma, m.named, m.place = ok, !lang.HasDigit(rest), m.words
	if ok {
		h, _ := set.Content(head)
		m.place = stems(h)
	}
	var bare []lang.Word
	for _, x := range w {
		if x.Exact {
			m.numbers = append(m.numbers, x.Stem)
		} else {
			bare = append(bare, x)
		}
		if x.Name {
			m.names = append(m.names, x.Stem)
		}
	}
	m.bare = stems(bare)
	return m
}

// same reports whether two values are one: the same content words, those with
// digits and those in capitals in the same order among themselves. Numbers, dates, units, names and negation all count, so 12,000 is not 13,000
// and vegetarian is not non-vegetarian. A place may be given with what it lies in:
// "Turin" is "Turin, Italy".
func (m *meaning) same(o *meaning) bool {
	if m.folded == o.folded {
		return true
	}
	if m.negated != o.negated || len(m.words) == 0 || len(o.words) == 0 {
		return false
	}
	if slices.Equal(m.words, o.words) {
		return slices.Equal(m.numbers, o.numbers) && (len(m.names) != len(o.names) || slices.Equal(m.names, o.names))
	}
	return m.comma != o.comma && m.named && o.named && slices.Equal(m.place, o.place)
}

// sameButNumbers reports whether two values differ in numbers and nothing else,
// and both have some: "Postgres 15" and "Postgres 16".
func (m *meaning) sameButNumbers(o *meaning) bool {
	return m.negated == o.negated && len(m.numbers) > 0 && len(o.numbers) > 0 && len(m.bare) > 0 && slices.Equal(m.bare, o.bare)
}

// covers reports whether all content words of o are among those of m.
func (m *meaning) covers(o *meaning) bool {
	for _, w := range o.words {
		if !slices.Contains(m.words, w) {
			return false
		}
	}
	return len(o.words) > 0
}

// stems returns the stems of words, sorted, each once, without titles.
func stems(ws []lang.Word) []string {
	var out []string
	for _, w := range ws {
		switch w.Norm {
		case "dr", "mr", "mrs", "ms", "prof", "sir", "doctor", "professor":
			if len(ws) > 1 {
				continue
			}
		}
		out = append(out, w.Stem)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SameValue reports whether two values are one by their words.
func SameValue(a, b string) bool {
	x, y := meaningOf(lang.Default(), a), meaningOf(lang.Default(), b)
	return x.same(&y)
}

// SameKind reports whether two values are one, or differ in numbers only.
func SameKind(a, b string) bool {
	x, y := meaningOf(lang.Default(), a), meaningOf(lang.Default(), b)
	return x.same(&y) || x.sameButNumbers(&y)
}

// Names reports whether a phrase with a name or a number in it means a value in short:
// "the Octavia" where a Skoda Octavia is known.
func Names(phrase, value string) bool {
	x, y := meaningOf(lang.Default(), phrase), meaningOf(lang.Default(), value)
	return x.short(&y)
}

func (m *meaning) short(of *meaning) bool {
	return len(m.names)+len(m.numbers) > 0 && m.negated == of.negated && of.covers(m)
}
