package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/text"
)

// sentences cuts a paragraph at the ends of its sentences.
func (p *splitter) sentences(start, end int) {
	from := start
	for i := start; i < end; {
		c := p.text[i]
		if c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(p.text[i:end])
		if !isEnd(r) {
			i += n
			continue
		}
		after, marks := ends(p.text, i, end)
		if p.isBoundary(from, i, after, end, marks) {
			p.emit(from, after)
			from = after
		}
		i = after
	}
	p.emit(from, end)
}

// endMarks is what stands at the end of a sentence.
type endMarks struct {
	dots   int  // full stops
	other  bool // ! ? and others that end a sentence wherever they stand before a space
	wide   bool // an end of a script that needs no space after it
	closed bool // a closing quotation mark or bracket follows
}

// ends reads the run of end marks at i and the closing marks after it.
func ends(s string, i, end int) (after int, m endMarks) {
	for i < end {
		r, n := utf8.DecodeRuneInString(s[i:end])
		switch {
		case isEnd(r) && !m.closed:
			switch {
			case r == '.':
				m.dots++
			case r == '…':
				m.dots += 3
			case r == '!' || r == '?':
				m.other = true
			default:
				m.wide = true
			}
		case isCloser(r):
			m.closed = true
		default:
			return i, m
		}
		i += n
	}
	return i, m
}

// isBoundary tells whether the marks between at and after end the sentence
// that began at from.
func (p *splitter) isBoundary(from, at, after, end int, m endMarks) bool {
	rest := p.text[after:end]
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if next == "" {
		return true
	}
	if m.wide {
		return true
	}
	if len(next) == len(rest) { // no space: 3.5, example.com, ?x=1
		r, _ := utf8.DecodeRuneInString(rest)
		return (m.other || m.dots > 1) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	r, _ := utf8.DecodeRuneInString(next)
	if unicode.IsLower(r) && (m.closed || !m.other && m.dots > 1) {
		return false // "Stop!" he said. Well… not now.
	}
	if m.other || m.dots > 1 {
		return true
	}
	return p.stopEnds(from, at, next)
}

// stopEnds tells whether the single full stop at i ends the sentence that
// began at from, next being what follows the space after it.
func (p *splitter) stopEnds(from, i int, next string) bool {
	word := p.text[from:i]
	if j := strings.LastIndexFunc(word, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("([{\"'“‘«/", r)
	}); j >= 0 {
		_, n := utf8.DecodeRuneInString(word[j:])
		word = word[j+n:]
	}
	begin, _ := utf8.DecodeRuneInString(next)
	switch {
	case word == "":
		return true
	case isNumber(word):
		// "1. Open the lid", "am 3. Mai", but "in 2020. Then"
		return len(word) > 2 || !unicode.IsUpper(begin) && !unicode.IsLower(begin) || starts(next)
	}
	switch abbreviation(word) {
	case titleAbbreviation:
		return false
	case numberAbbreviation:
		return !(begin >= '0' && begin <= '9')
	case anyAbbreviation:
		return starts(next)
	}
	return true
}

// starts tells whether s begins with a function word in a capital: after an
// abbreviation that is a new sentence ("in the U.S. The"), other capitals may
// go on with the old one ("U.S. Navy").
func starts(s string) bool {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n > 0 && s[0] < 'a' && text.IsStopWord(strings.ToLower(s[:n]))
}

func isNumber(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// isEnd tells whether r can end a sentence.
func isEnd(r rune) bool {
	switch r {
	case '.', '!', '?', '…',
		'。', '！', '？', '｡', '．', '‼', '⁇', '⁈', '⁉', // East Asian
		'।', '॥', // danda
		'؟', '۔', '܀', '܁', // Arabic, Urdu, Syriac
		'။', '។', '៕', '៚', // Burmese, Khmer
		'།', '༎', // Tibetan
		'።', '፧', '፨', // Ethiopic
		'։', '᠃', '᠉', '෴', '᙮': // Armenian, Mongolian, Sinhala, Canadian syllabics
		return true
	}
	return false
}

// isCloser tells whether r closes a quotation, bracket or emphasis.
func isCloser(r rune) bool {
	switch r {
	case ')', ']', '}', '"', '\'', '”', '’', '»', '›', '*', '_', '`',
		'」', '』', '】', '）', '〉', '》', '］', '｝', '〕', '＂':
		return true
	}
	return false
}
