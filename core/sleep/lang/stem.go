package lang

import (
	"strings"
	"unicode"

	"github.com/orma-memory/orma/core/text"
)

// Stem returns what a word is compared by: folded, without the endings of
// English; a number in its plain digits.
func Stem(word string) string {
	var st stemmer
	return st.stem(word)
}

// stemmer stems words one after the other.
type stemmer struct{ terms text.Terms }

func (st *stemmer) stem(word string) string {
	if d, ok := numberWords[word]; ok {
		return d
	}
	if strings.Contains(word, "://") {
		return word // an address is one word, whole
	}
	st.terms.Tokenize(word)
	for term := range st.terms.All() {
		if term.Class != text.Word && term.Class != text.Compound {
			continue
		}
		if string(term.Text) == word {
			return word
		}
		return string(term.Text)
	}
	return text.Fold(word)
}

var numberWords = map[string]string{
	"zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
	"seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
	"sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}

// HasDigit reports whether a word has a digit of any script.
func HasDigit(word string) bool {
	return strings.IndexFunc(word, unicode.IsDigit) >= 0
}

// unspaced reports whether a text has letters of a script that puts no spaces
// between words.
func unspaced(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}) >= 0
}
