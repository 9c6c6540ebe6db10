package clock

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a number or a mark of a line.
type token struct {
	start, end int32 // bytes in the line
	kind       tokenKind
	capital    bool  // begins with a capital letter
	possessive bool  // "Monday's", looked up as "monday"
	entry      int32 // in the lexicon; -1 for words it does not have
	val        int32 // of a number
	parts      [3]int32
	form       byte // of a date in digits, see number.go
}

type tokenKind uint8

const (
	tokWord   tokenKind = iota
	tokMark             // punctuation
	tokInt              // 12; 1,000
	tokOrd              // 3rd
	tokClock            // 17:30
	tokDate             // a date in digits
	tokOpaque           // any other thing with digits: 2.5, v2, 90s, 4471B, 12%
)

// tokenize appends the tokens of line to dst.
func (g *grammar) tokenize(dst []token, line string) []token {
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case unicode.IsSpace(c):
			end := i
			for end < len(line) && isSpaceAt(line, end) {
				_, n := utf8.DecodeRuneInString(line[end:])
				end += n
			}
			if strings.Count(line[i:end], "\n") > 1 { // a new paragraph
				dst = append(dst, token{start: int32(i), end: int32(i), kind: tokMark, entry: -1})
			}
			i = end
		case c >= '0' && c <= '9':
			dst, i = g.number(dst, line, i)
		case isWordRune(c):
			dst, i = g.word(dst, line, i)
		case c == '\'' || c == '’':
			i += size // a quotation mark, or the end of "two weeks'"
		default:
			t := token{start: int32(i), end: int32(i + size), kind: tokMark, entry: -1}
			if c == '–' || c == '—' || c == '‐' || c == '‑' {
				c = '-'
			}
			if c < utf8.RuneSelf {
				t.entry = g.marks[c]
			}
			dst = append(dst, t)
			i += size
		}
	}
	return dst
}

// word appends the word that begins at i. An address or a path is one word.
func (g *grammar) word(dst []token, line string, i int) ([]token, int) {
	end := wordEnd(line, i)
	if isAddress(line, end) {
		for end < len(line) && !isSpaceAt(line, end) {
			_, n := utf8.DecodeRuneInString(line[end:])
			end += n
		}
		return append(dst, token{start: int32(i), end: int32(end), kind: tokOpaque, entry: -1}), end
	}
	c, _ := utf8.DecodeRuneInString(line[i:])
	t := token{start: int32(i), end: int32(end), kind: tokWord, capital: unicode.IsUpper(c)}
	t.entry = g.lookup(line[i:end])
	if t.entry < 0 {
		if base, ok := possessive(line[i:end]); ok {
			t.entry = g.lookup(base)
			t.possessive = t.entry >= 0
		}
	}
	if t.entry >= 0 && g.entries[t.entry].dot && end < len(line) && line[end] == '.' && !endsSentence(line[end+1:]) {
		t.end++ // "Jan. 5"
		end++
	}
	return append(dst, t), end
}

// wordEnd returns where the word that begins at i ends: letters, marks and
// digits, apostrophes between letters, and dots as in "a.m.".
func wordEnd(line string, i int) int {
	dotted := i+3 < len(line) && line[i+1] == '.' && isLetter(line[i]) && isLetter(line[i+2]) && line[i+3] == '.'
	if dotted {
		return i + 4
	}
	for i < len(line) {
		c, size := utf8.DecodeRuneInString(line[i:])
		if c == '\'' || c == '’' {
			next, _ := utf8.DecodeRuneInString(line[i+size:])
			if !unicode.IsLetter(next) {
				return i
			}
		} else if !isWordRune(c) {
			return i
		}
		i += size
	}
	return i
}

// isAddress reports whether what follows the word that ends at i makes it the
// beginning of an address, as in "https://" or "mail@".
func isAddress(line string, i int) bool {
	rest := line[i:]
	return strings.HasPrefix(rest, "://") || len(rest) > 1 && (rest[0] == '@' || rest[0] == '\\') && !isSpaceAt(rest, 1)
}

// endsSentence reports whether the dot before rest is a full stop and not that
// of an abbreviation.
func endsSentence(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	if rest == "" {
		return true
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsDigit(c) && !unicode.IsLower(c) && c != ','
}

// lookup returns the entry of a word, or -1. It does not allocate.
func (g *grammar) lookup(word string) int32 {
	const longest = 48 // bytes; no word of a language file is longer
	if len(word) > longest {
		return -1
	}
	var buf [2 * longest]byte
	low := buf[:0]
	for _, c := range word {
		switch {
		case c >= 'A' && c <= 'Z':
			low = append(low, byte(c)+'a'-'A')
		case c < utf8.RuneSelf:
			low = append(low, byte(c))
		case c == '’':
			low = append(low, '\'')
		default:
			low = utf8.AppendRune(low, unicode.ToLower(c))
		}
	}
	if id, ok := g.words[string(low)]; ok {
		return id
	}
	return -1
}

// possessive cuts the ending of "Monday's".
func possessive(word string) (string, bool) {
	for _, end := range []string{"'s", "’s", "'S", "’S"} {
		if base, ok := strings.CutSuffix(word, end); ok && base != "" {
			return base, true
		}
	}
	return "", false
}

func isWordRune(c rune) bool {
	if c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSpaceAt(line string, i int) bool {
	c, _ := utf8.DecodeRuneInString(line[i:])
	return unicode.IsSpace(c)
}
