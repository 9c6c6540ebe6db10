package pack

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleaner makes text from memory fit to stand inside one line of a block.
type cleaner struct {
	stray bool // turn brackets that close nothing: the line itself ends with one
}

// text cleans what someone said, or a value. What it does not need to touch it
// returns as it is: quotes, C#, a[0], emoji.
func (c cleaner) text(s string) string {
	if isPlain(s) {
		return s
	}
	lines := strings.FieldsFunc(visible(s), isBreak)
	kept := lines[:0]
	for _, l := range lines {
		if l = spaces(l); l != "" {
			kept = append(kept, lineStart(l))
		}
	}
	s = strings.Join(kept, " / ")
	s = fenceRE.ReplaceAllStringFunc(s, func(m string) string { _, n := utf8.DecodeRuneInString(m); return m[:n] })
	s = tagRE.ReplaceAllStringFunc(s, func(m string) string { _, n := utf8.DecodeRuneInString(m); return m[:n] + " " + m[n:] })
	return brackets(s, c.stray)
}

// name cleans a short field that stands before a colon: a speaker, a subject, an
// attribute, a condition. It has no brackets, bars or separators of ours, and no
// colon that could end it.
func (c cleaner) name(s string) string {
	s = c.text(s)
	if !strings.ContainsAny(s, "[]［］|·;:：→>") {
		return s
	}
	s = strings.NewReplacer("[", "(", "]", ")", "［", "(", "］", ")", "|", "/", "·", "-", ";", ",", "：", ":", "->", "-", "→", "-").Replace(s)
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], ":")) // colons here
		if end := i + n; n > 0 && (end == len(s) || s[end] == ' ') {
			i = end
			continue
		}
		n = max(n, 1)
		b.WriteString(s[i : i+n])
		i += n
	}
	return strings.TrimSpace(b.String())
}

// suspect are the ASCII characters that may begin something: controls, brackets,
// fences, tags.
var suspect = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c < 0x20 || c == 0x7f || c == '[' || c == ']' || c == '`' || c == '~' || c == '<'
	}
	return t
}()

// isPlain reports whether s needs no cleaning. It is what nearly all text is.
func isPlain(s string) bool {
	if s == "" {
		return true
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if suspect[c] || c == ' ' && strings.HasPrefix(s[i:], "     ") {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r <= 0xa0 || r == 0xad || r >= 0x300 && (r == utf8.RuneError || r >= 0xff00 && r < 0xff60 || isBreak(r) || isHidden(r) || unicode.IsSpace(r)) {
			return false
		}
		i += n
	}
	return s[0] != ' ' && s[len(s)-1] != ' ' && lineStart(s) == s
}

// spaces trims a line and folds long runs of space, which cost no tokens in some
// vocabularies and could push text out of sight.
func spaces(s string) string {
	s = strings.TrimFunc(s, unicode.IsSpace)
	var b strings.Builder
	b.Grow(len(s))
	run := 0
	for i, r := range s {
		if unicode.IsSpace(r) {
			if run++; run > 1 {
				continue
			}
			if n := strings.IndexFunc(s[i:], func(r rune) bool { return !unicode.IsSpace(r) }); n > 4 {
				r = ' '
			} else {
				b.WriteString(s[i : i+n])
				continue
			}
		} else {
			run = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}
