package clock

import (
	"strings"
	"unicode/utf8"
)

// The forms of dates in digits; parts hold the numbers as they stand.
const (
	formISO     byte = 'i' // 2026-05-03, with or without a time of day
	formInstant byte = 'z' // 2026-05-03T10:00Z: an instant, so a day by zone
	formMonth   byte = 'm' // 2026-05
	formYearDay byte = 'y' // 2026/05/03
	formFull    byte = 'f' // 3.5.2026, 05/03/26: by order
	formPair    byte = 'p' // 08/10: by order, and only in a context
	formPadded  byte = 'q' // 08/10 with a zero, so hardly a fraction
)

// number appends what begins with the digit at i: a number, an ordinal, a time
// of day, a date, or something opaque.
func (g *grammar) number(dst []token, line string, i int) ([]token, int) {
	t := token{start: int32(i), kind: tokOpaque, entry: -1}
	end := i
	for end < len(line) && (isDigit(line[end]) || end+1 < len(line) && isJoint(line[end]) && isDigit(line[end+1])) {
		end++
	}
	run := line[i:end]
	glued := i > 0 && strings.IndexByte("/\\#$@.", line[i-1]) >= 0
	if n := isoTime(line[end:]); n > 0 && isISODate(run) {
		t.kind, t.form = tokDate, formISO
		if hasZone(line[end : end+n]) {
			t.form = formInstant
		}
		t.parts = isoParts(run)
		end += n
	} else if !glued {
		// A number with letters or signs stuck to it is itself only if they are known.
		if tail := tailEnd(line, end); tail > end {
			return g.withTail(dst, line, i, end, tail)
		}
		g.classify(&t, run)
		if t.kind == tokOpaque && strings.Trim(run, "-0123456789") == "" {
			return g.split(dst, line, i, end)
		}
	} else {
		end = tailEnd(line, end)
	}
	t.end = int32(end)
	return append(dst, t), end
}

func isJoint(c byte) bool { return c == '.' || c == '/' || c == ':' || c == '-' || c == ',' }

// tailEnd returns the end of what is stuck to a number that ends at i.
func tailEnd(line string, i int) int {
	for i < len(line) {
		c, size := utf8.DecodeRuneInString(line[i:])
		stuck := isWordRune(c) || strings.ContainsRune("%°€£$/\\@", c)
		if c == '.' && i+1 < len(line) && isLetter(line[i+1]) { // a file name
			stuck = true
		}
		if !stuck {
			return i
		}
		i += size
	}
	return i
}

// withTail appends a number with letters after it: "3rd", "5pm", "2weeks".
func (g *grammar) withTail(dst []token, line string, i, end, tail int) ([]token, int) {
	t := token{start: int32(i), end: int32(tail), kind: tokOpaque, entry: -1}
	val, isInt := smallInt(line[i:end])
	word := g.lookup(line[end:tail])
	switch {
	case isInt && word >= 0 && g.entries[word].ordinal:
		t.kind, t.val = tokOrd, val
	case word >= 0 && g.entries[word].glue:
		head := token{start: int32(i), end: int32(end), kind: tokOpaque, entry: -1}
		g.classify(&head, line[i:end])
		t = token{start: int32(end), end: int32(tail), kind: tokWord, entry: word}
		return append(dst, head, t), tail
	}
	return append(dst, t), tail
}

// split appends "3-5" as three tokens.
func (g *grammar) split(dst []token, line string, i, end int) ([]token, int) {
	for i < end {
		t := token{start: int32(i), end: int32(i + 1), kind: tokMark, entry: g.marks['-']}
		if n := strings.IndexByte(line[i:end], '-'); n != 0 {
			if n < 0 {
				n = end - i
			}
			t = token{start: int32(i), end: int32(i + n), kind: tokOpaque, entry: -1}
			g.classify(&t, line[i:i+n])
		}
		dst = append(dst, t)
		i = int(t.end)
	}
	return dst, end
}

// classify sets the kind of a run of digits and joints.
func (g *grammar) classify(t *token, run string) {
	if v, ok := smallInt(run); ok {
		t.kind, t.val = tokInt, v
		return
	}
	at := strings.IndexAny(run, "./:-,")
	if at < 0 { // more digits than any number here has
		return
	}
	sep := run[at]
	var n [3]int32
	count, widths := 0, [3]int{}
	for part := range strings.SplitSeq(run, string(sep)) {
		v, ok := smallInt(part)
		if count == 3 || !ok || strings.ContainsAny(part, ",") {
			return
		}
		n[count], widths[count] = v, len(part)
		count++
	}
	short := func(i int) bool { return widths[i] <= 2 && n[i] >= 1 && n[i] <= 31 }
	switch {
	case sep == ':':
		if n[0] <= 24 && count >= 2 && widths[1] == 2 && n[1] < 60 {
			t.kind = tokClock
		}
		return
	case sep == ',':
		return
	case count == 3 && widths[0] == 4 && short(1) && short(2):
		t.kind, t.form = tokDate, formYearDay
		if sep == '-' {
			t.form = formISO
		}
	case count == 3 && short(0) && short(1) && (widths[2] == 4 || widths[2] == 2 && sep == '/'):
		t.kind, t.form = tokDate, formFull
	case count == 3 && sep == '/' && widths[0] == 2 && short(1) && short(2):
		t.kind, t.form = tokDate, formFull
	case count == 2 && sep == '-' && widths[0] == 4 && widths[1] == 2 && n[1] >= 1 && n[1] <= 12:
		t.kind, t.form = tokDate, formMonth
	case count == 2 && sep == '/' && short(0) && short(1):
		t.kind, t.form = tokDate, formPair
		if run[0] == '0' || widths[1] == 2 && strings.Contains(run, "/0") {
			t.form = formPadded
		}
	}
	t.parts = n
}

// smallInt reads 0 to 99,999, also with a comma between thousands.
func smallInt(s string) (int32, bool) {
	if len(s) > 4 && s[len(s)-4] == ',' {
		s = s[:len(s)-4] + s[len(s)-3:]
	}
	if s == "" || len(s) > 5 {
		return 0, false
	}
	v := int32(0)
	for _, c := range []byte(s) {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int32(c-'0')
	}
	return v, true
}

func isISODate(s string) bool {
	return len(s) == len("2006-01-02") && s[4] == '-' && s[7] == '-'
}

func isoParts(s string) [3]int32 {
	y, _ := smallInt(s[:4])
	m, _ := smallInt(s[5:7])
	d, _ := smallInt(s[8:10])
	return [3]int32{y, m, d}
}

// isoTime returns the length of the time of day that s begins with as it
// follows an ISO date: T10:00, T10:00:00.5+05:30, or 0.
func isoTime(s string) int {
	if len(s) < len("T10:00") || s[0]|0x20 != 't' || !isDigit(s[1]) {
		return 0
	}
	n := 1
	for n < len(s) && (isDigit(s[n]) || (s[n] == ':' || s[n] == '.' || s[n] == '+' || s[n] == '-') && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	if n < len(s) && s[n]|0x20 == 'z' {
		n++
	}
	if n < len(s) && isWordRune(rune(s[n])) {
		return 0
	}
	return n
}

func hasZone(s string) bool { return strings.ContainsAny(s, "Zz+-") }
