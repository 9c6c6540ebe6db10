package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lines reads the text line by line and hands paragraphs to sentences, code
// to emit.
func (p *splitter) lines() {
	for at := 0; at < len(p.text); {
		end, next := lineEnd(p.text, at)
		line := strings.TrimFunc(p.text[at:end], unicode.IsSpace)
		if p.fence != "" {
			p.code(at, end, line)
		} else {
			p.prose(at, end, line)
		}
		at = next
	}
	p.flush()
}

// prose takes in a line outside code.
func (p *splitter) prose(at, end int, line string) {
	kind := lineKind(line)
	switch {
	case kind == blank:
		p.flush()
		return
	case kind == fenceLine:
		p.flush()
		p.fence = line[:fenceLen(line)]
		p.open, p.start, p.end = true, at, end
		return
	case p.open && (kind != plain || !p.wraps(line)):
		p.flush()
	}
	if !p.open {
		p.open, p.start = true, at
	}
	p.end, p.last = end, Span{at, end}
	if kind == single {
		p.flush()
	}
}

// code takes in a line inside a fence. Lines are put together as long as they
// fit one passage; an empty line ends it.
func (p *splitter) code(at, end int, line string) {
	closing := strings.HasPrefix(line, p.fence) && strings.Trim(line, p.fence[:1]) == ""
	switch {
	case !p.open:
		p.open, p.start = true, at
	case line == "" || !fits(strings.TrimFunc(p.text[p.start:end], unicode.IsSpace)):
		p.flush()
		p.open, p.start = true, at
	}
	p.end = end
	if closing {
		p.flush()
		p.fence = ""
	}
}

// flush ends the paragraph or piece of code that is being read.
func (p *splitter) flush() {
	if !p.open {
		return
	}
	p.open = false
	if p.fence != "" {
		p.emit(p.start, p.end)
		return
	}
	p.sentences(p.start, p.end)
}

// lineClass tells how a line stands to its neighbours.
type lineClass uint8

const (
	plain     lineClass = iota // may go on a paragraph
	blank                      // ends one
	opener                     // begins one: list item, quotation
	single                     // is one: heading, row of a table, rule
	fenceLine                  // begins code
)

// lineKind classes a line without the white space around it, by Markdown's
// marks.
func lineKind(line string) lineClass {
	if line == "" {
		return blank
	}
	switch c := line[0]; c {
	case '`', '~':
		if fenceLen(line) > 0 {
			return fenceLine
		}
	case '#':
		if rest := strings.TrimLeft(line, "#"); rest == "" || rest[0] == ' ' {
			return single
		}
	case '|':
		return single
	case '>':
		return opener
	case '-', '*', '+':
		if len(line) == 1 || line[1] == ' ' || line[1] == '\t' {
			return opener
		}
		if strings.Trim(line, string(c)+" ") == "" {
			return single
		}
	case '=', '_':
		if strings.Trim(line, string(c)) == "" {
			return single
		}
	default:
		if isBullet(line) {
			return opener
		}
	}
	return plain
}

// isBullet tells whether the line begins with a round bullet or the number or
// letter of a list: "• ", "12. ", "3) ", "a) ".
func isBullet(line string) bool {
	if r, n := utf8.DecodeRuneInString(line); strings.ContainsRune("•◦‣▪–—", r) {
		return n < len(line) && line[n] == ' '
	}
	n := 0
	for n < len(line) && n < 4 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == 0 && len(line) > 2 && line[1] == ')' && unicode.IsLetter(rune(line[0])) {
		n = 1
	}
	return n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' '
}

// fenceLen returns the length of the row of three or more back-ticks or tildes
// that begins a line of code, or 0. A line that closes it again (```x```) is
// none.
func fenceLen(line string) int {
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return 0
	}
	return n
}

// wraps tells whether the line goes on with the sentence of the line before
// it: that one is long and ends in the middle, as in a letter set to a width.
func (p *splitter) wraps(line string) bool {
	const least, most = 50, 110
	before := strings.TrimFunc(p.text[p.last.Start:p.last.End], unicode.IsSpace)
	chars := utf8.RuneCountInString(before)
	if chars < least {
		return false
	}
	end, _ := utf8.DecodeLastRuneInString(before)
	begin, _ := utf8.DecodeRuneInString(line)
	switch {
	case end == ':' || isEnd(end) || isCloser(end) && end != ')':
		return false
	case unicode.IsLower(begin):
		return true
	case end == ',' || end == ';' || end == '-':
		return true
	}
	return chars >= least+10 && chars <= most
}

// lineEnd returns where the line that begins at i ends, and where the next
// one begins. Any Unicode line break ends a line.
func lineEnd(s string, i int) (end, next int) {
	for ; i < len(s); i++ {
		switch s[i] {
		case '\n', '\v', '\f':
			return i, i + 1
		case '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				return i, i + 2
			}
			return i, i + 1
		case 0xC2:
			if strings.HasPrefix(s[i:], "\u0085") {
				return i, i + 2
			}
		case 0xE2:
			if strings.HasPrefix(s[i:], "\u2028") || strings.HasPrefix(s[i:], "\u2029") {
				return i, i + 3
			}
		}
	}
	return i, i
}
