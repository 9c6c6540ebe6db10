package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quotes are the stretches of a text, in bytes, that are somebody's words: what
// quotation marks enclose over several sentences, and lines that begin with ">".
type Quotes [][2]int

// QuotesIn finds the quotations of a text that one sentence alone would not show.
func QuotesIn(text string) Quotes {
	var out Quotes
	if strings.Contains(text, ">") {
		out = quotedLines(text)
	}
	open, mark, prev := -1, rune(0), ' '
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+n:])
		switch {
		case open >= 0 && r == '\n' && strings.HasPrefix(strings.TrimLeft(text[i+1:], " \t\r"), "\n"):
			open = -1 // no quotation reaches over a paragraph
		case open >= 0 && closes(mark, r, prev, next):
			out = append(out, [2]int{open, i})
			open = -1
		case open < 0 && opensQuote(r, prev, next):
			open, mark = i, r
		}
		prev = r
		i += n
	}
	return out
}

// closings are the marks that end what a mark begins.
var closings = map[rune]string{'"': `"`, '“': `”"`, '„': `“”"`, '«': `»`, '»': `«`, '「': `」`, '『': `』`, '‘': `’'`, '\'': `'`}

func opensQuote(r, prev, next rune) bool {
	switch r {
	case '"':
		return !unicode.IsDigit(prev) // an inch
	case '\'', '‘':
		return !isWord(prev) && isWord(next)
	}
	_, ok := closings[r]
	return ok
}

// closes reports whether r ends what mark began. A single mark inside a word, or
// after one, may be an apostrophe.
func closes(mark, r, prev, next rune) bool {
	if !strings.ContainsRune(closings[mark], r) {
		return false
	}
	if mark == '\'' || mark == '‘' {
		return strings.ContainsRune(".!?,…", prev) && !isWord(next)
	}
	return true
}

// quotedLines finds the lines that begin with ">", as mail quotes them.
func quotedLines(text string) Quotes {
	var out Quotes
	at := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			out = append(out, [2]int{at, at + len(line)})
		}
		at += len(line)
	}
	return out
}

// mark sets the tokens of a sentence that lie in quotations; the sentence is bytes
// start to end of the text. What lies wholly inside it was marked before.
func (q Quotes) mark(toks []Token, start, end int) {
	for _, span := range q {
		if start <= span[0] && span[1] < end {
			continue
		}
		for i := range toks {
			if span[0] <= start+toks[i].Start && start+toks[i].End <= span[1] {
				toks[i].Quoted = true
			}
		}
	}
}
