// Package sentence cuts a text into passages: sentences, lines of code, rows
// of tables, and pieces of what is too long.
//
// Passages never overlap, stand in the order of the text, and between them is
// nothing but white space, so that no word of the text is lost.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The size of a passage is bounded by both.
const (
	MaxChars = 400 // runes
	MaxWords = 80  // words between white space
)

// Span is a passage of a text: its bytes from Start up to End.
type Span struct{ Start, End int }

// Split appends the passages of s to dst and returns it. It accepts any
// string and cuts UTF-8 at grapheme boundaries. Text inside a code fence is
// cut at lines and empty lines, never inside a short line, also if the fence
// is not closed. A fragment without letters, digits or symbols ("---") goes
// with a neighbour that has room for it.
func Split(s string, dst []Span) []Span {
	p := splitter{text: s, spans: dst, first: len(dst), pending: -1}
	p.lines()
	if p.pending >= 0 {
		p.spans = append(p.spans, Span{p.pending, p.pendingEnd})
	}
	return p.spans
}

// splitter holds the state of one Split.
type splitter struct {
	text  string
	spans []Span
	first int // where this text's spans begin

	open       bool // a paragraph is being read
	start, end int  // its bytes so far
	last       Span // its last line

	fence      string // what closes the code being read, or ""
	pending    int    // where a fragment without words begins that found no passage before it, or -1
	pendingEnd int
}

// emit adds the passage from start to end, less the white space around it and
// cut to size.
func (p *splitter) emit(start, end int) {
	start += len(p.text[start:end]) - len(strings.TrimLeftFunc(p.text[start:end], unicode.IsSpace))
	end = start + len(strings.TrimRightFunc(p.text[start:end], unicode.IsSpace))
	for start < end {
		cut := p.cut(start, end)
		stop := start + len(strings.TrimRightFunc(p.text[start:cut], unicode.IsSpace))
		p.add(Span{start, stop})
		start = cut + len(p.text[cut:end]) - len(strings.TrimLeftFunc(p.text[cut:end], unicode.IsSpace))
	}
}

// add appends one passage, or joins a fragment without words to a neighbour.
func (p *splitter) add(sp Span) {
	if p.pending >= 0 {
		if joined := (Span{p.pending, sp.End}); fits(p.text[joined.Start:joined.End]) {
			sp = joined
		} else {
			p.spans = append(p.spans, Span{p.pending, p.pendingEnd})
		}
		p.pending = -1
	}
	if hasWord(p.text[sp.Start:sp.End]) {
		p.spans = append(p.spans, sp)
		return
	}
	if n := len(p.spans); n > p.first {
		if prev := &p.spans[n-1]; fits(p.text[prev.Start:sp.End]) {
			prev.End = sp.End
			return
		}
	}
	p.pending, p.pendingEnd = sp.Start, sp.End
}

// hasWord tells whether s has something to read.
func hasWord(s string) bool {
	for _, r := range s {
		if r < utf8.RuneSelf {
			if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return true
			}
			continue
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) {
			return true
		}
	}
	return false
}

// fits tells whether s is small enough for a passage.
func fits(s string) bool {
	return len(s) < 2*MaxWords || limit(s) == len(s)
}

// limit returns the length of the longest beginning of s that fits.
func limit(s string) int {
	chars, words := 0, 0
	inWord := false
	for i, r := range s {
		if chars++; chars > MaxChars {
			return i
		}
		if space := unicode.IsSpace(r); space {
			inWord = false
		} else if !inWord {
			if words++; words > MaxWords {
				return i
			}
			inWord = true
		}
	}
	return len(s)
}
