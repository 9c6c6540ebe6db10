package o200k

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is what the splitting rules know of a rune.
type class uint8

const (
	upper  class = 1 << iota // may stand in the first run of a word: Lu Lt Lm Lo M
	lower                    // may stand in the second run: Ll Lm Lo M
	letter                   // L
	number                   // N
	space                    // White_Space
	line                     // CR or LF
)

// ascii holds the classes of the first 128 runes.
var ascii = func() (t [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		t[r] = classify(r)
	}
	return t
}()

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return ascii[r]
	}
	return classify(r)
}

func classify(r rune) (c class) {
	switch {
	case unicode.Is(unicode.Ll, r):
		return letter | lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | upper
	case unicode.IsLetter(r): // Lm, Lo
		return letter | upper | lower
	case unicode.IsMark(r):
		return upper | lower
	case unicode.IsNumber(r):
		return number
	case r == '\n' || r == '\r':
		return line | space
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// split returns the length of the first piece of text, which is not empty. Merges
// never cross the end of a piece. The rules are those of the o200k_base pattern, in
// its order: a word with one mark before it and a contraction after it, up to three
// digits, other marks with the line ends after them, line ends with the space before
// them, space.
func split(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	c := classOf(r)
	bare, weakBare := word(text, 0)
	if c&(letter|number|line) == 0 { // may stand before a word
		led, weak := word(text, n)
		bare, weakBare = cmp.Or(led, bare), cmp.Or(weak, weakBare)
	}
	if end := cmp.Or(bare, weakBare); end > 0 {
		return end
	}
	switch {
	case c&number != 0:
		return digits(text)
	case c&space == 0 || r == ' ' && hasMark(text[1:]):
		return marks(text, n)
	}
	return spaces(text)
}

// word returns where the word that starts at byte at ends: strong if its second run
// is not empty, weak if it has only a first one; 0 if none does.
func word(text string, at int) (strong, weak int) {
	// The first run takes all it can; the last of it that may also stand in the
	// second run is where the second one starts if nothing follows.
	end, turn := at, 0
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		c := classOf(r)
		if c&upper == 0 {
			break
		}
		end += n
		if c&lower != 0 {
			turn = end
		}
	}
	first := end
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if classOf(r)&lower == 0 {
			break
		}
		end += n
	}
	switch {
	case end > first:
		return end + contraction(text[end:]), 0
	case turn > 0:
		return turn + contraction(text[turn:]), 0
	case first > at:
		return 0, first + contraction(text[first:])
	}
	return 0, 0
}

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd at the start of
// text, in any case, or 0.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	if strings.HasPrefix(text[1:], "ſ") { // folds to s
		return 1 + len("ſ")
	}
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(text) > 2 && text[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(text) > 2 && text[2]|0x20 == 'l' {
			return 3
		}
	}
	return 0
}

func digits(text string) int {
	end := 0
	for range 3 {
		r, n := utf8.DecodeRuneInString(text[end:])
		if n == 0 || classOf(r)&number == 0 {
			break
		}
		end += n
	}
	return end
}

func hasMark(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n > 0 && classOf(r)&(space|letter|number) == 0
}

// marks returns the end of a run of what is neither space, letter nor number, and of
// the line ends and slashes behind it. The first rune, of n bytes, is taken.
func marks(text string, n int) int {
	end := n
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if classOf(r)&(space|letter|number) != 0 {
			break
		}
		end += n
	}
	for end < len(text) && (text[end] == '\r' || text[end] == '\n' || text[end] == '/') {
		end++
	}
	return end
}

// spaces returns the end of a run of space: after its last line end if it has one,
// else before the last space if something follows.
func spaces(text string) int {
	end, last, lineEnd := 0, 0, 0
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		c := classOf(r)
		if c&space == 0 {
			break
		}
		last = end
		end += n
		if c&line != 0 {
			lineEnd = end
		}
	}
	switch {
	case lineEnd > 0:
		return lineEnd
	case end < len(text) && last > 0:
		return last
	}
	return end
}
