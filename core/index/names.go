package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/text"
)

// maxNames bounds the names taken from one passage: a list of names is about none of
// them.
const maxNames = 12

// eachName calls f with the names in a text: runs of capitalised words that do not
// begin a sentence, with titles ("Dr. Rao"), and words with a capital inside or of
// capitals alone. f gets the name as written.
func eachName(body string, f func(name string)) {
	found := 0
	start, end := -1, 0 // of the run being read
	fresh := true       // a sentence begins
	flush := func() {
		if start >= 0 && found < maxNames && !isCalendar(body[start:end]) {
			f(strings.TrimRight(body[start:end], "."))
			found++
		}
		start = -1
	}
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRuneInString(body[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if start >= 0 && !joins(r, body[:i]) {
				flush()
			}
			if ends(r) && !abbreviates(body[:i]) {
				flush()
				fresh = true
			}
			i += n
			continue
		}
		j := i
		for j < len(body) {
			r, n := utf8.DecodeRuneInString(body[j:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				break
			}
			j += n
		}
		word := body[i:j]
		switch {
		case isName(word) && (!fresh || start >= 0), isInitial(word, body[j:]):
			if start < 0 {
				start = i
			}
			end = j
		case fresh && isTitle(word):
			start, end = i, j
		default:
			flush()
		}
		fresh = false
		i = j
	}
	flush()
}

// joins reports whether a rune may stand between the words of one name.
func joins(r rune, before string) bool {
	return r == ' ' || r == '.' && abbreviates(before) || r == '-' || r == '\'' || r == '’'
}

// ends reports whether a rune ends a sentence, or a line.
func ends(r rune) bool { return strings.ContainsRune(".!?:\n\"“(", r) }

// abbreviates reports whether a full stop after this text belongs to a title or an
// initial.
func abbreviates(before string) bool {
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	word := before[i+1:]
	return isTitle(word) || utf8.RuneCountInString(word) == 1 && strings.ToUpper(word) == word && word != "I"
}

// isCalendar reports whether a name is one of a day or a month and of nobody: a row is
// not about a Monday. April, May and June are people too.
func isCalendar(name string) bool {
	switch strings.TrimSuffix(name, "s") {
	case "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
		"January", "February", "March", "July", "August", "September", "October", "November", "December":
		return true
	}
	return false
}

func isTitle(w string) bool {
	switch w {
	case "Dr", "Mr", "Mrs", "Ms", "Prof", "St", "Sr", "Jr", "Mx", "Fr":
		return true
	}
	return false
}

// isInitial reports whether a word is a capital with a full stop after it.
func isInitial(w, after string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return len(w) == n && unicode.IsUpper(r) && w != "I" && len(after) > 1 && after[0] == '.'
}

// isName reports whether a word is written as a name: a capital first and no function
// word.
func isName(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	if !unicode.IsUpper(r) || len(w) == n {
		return false
	}
	return !text.IsStopWord(strings.ToLower(w))
}
