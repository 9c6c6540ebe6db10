package pack

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// isBreak reports whether some reader takes r for the end of a line.
func isBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isHidden reports whether r shows nothing and may carry hidden text or change
// the direction of what follows: controls, bidi and zero-width characters, tags,
// fillers. Joiners and variation selectors are hidden too; visible decides where
// they stay.
func isHidden(r rune) bool {
	switch {
	case r < 0x20 || r == 0x7f:
		return true
	case r < 0x300:
		return r >= 0x80 && r < 0xa0 || r == 0xad
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true
	case isSelector(r):
		return true
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe: // noncharacters
		return true
	case unicode.In(r, unicode.Cc):
		return true
	case unicode.In(r, unicode.Cf):
		return !unicode.In(r, unicode.Prepended_Concatenation_Mark)
	}
	return false
}

func isSelector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// visible returns s without what is hidden. Tabs become spaces; line breaks stay.
// Bytes that are not UTF-8 become the replacement character.
func visible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last rune kept, with joiners and selectors
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next := s[i+n:]
		switch {
		case r == '\t':
			r = ' '
		case isBreak(r) || !isHidden(r):
		case (r == zwj || r == zwnj) && joins(last, next):
		case isSelector(r) && selects(last, r):
		default:
			i += n
			continue
		}
		b.WriteRune(r)
		last = r
		i += n
		if r == 0x1f3f4 {
			tags := flagTags(s[i:])
			b.WriteString(s[i : i+tags])
			i += tags
		}
	}
	return b.String()
}

// joins reports whether a joiner between last and the text next has work to do: in
// a script that uses joiners, or inside an emoji.
func joins(last rune, next string) bool {
	if isCursive(last) {
		return true
	}
	n, _ := utf8.DecodeRuneInString(next)
	return isPictograph(last) && isPictograph(n)
}

// isCursive reports whether r is a letter or mark of a script in which joiners
// change how a word is written or read.
func isCursive(r rune) bool {
	if r < 0x0600 || !unicode.In(r, unicode.L, unicode.M) {
		return false
	}
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Inherited, unicode.Common)
}

// isPictograph reports whether r may be part of an emoji sequence.
func isPictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r == 0x20e3
}

// selects reports whether a variation selector may follow last: one a base
// character, emoji and text style anywhere, ideographic ones after ideographs.
func selects(last, r rune) bool {
	if last == 0 || last == ' ' || isSelector(last) || last == zwj || last == zwnj {
		return false
	}
	return r == 0xfe0e || r == 0xfe0f || r >= 0xe0100 && unicode.Is(unicode.Han, last)
}

// flagTags returns the length of the tag sequence that makes a black flag the flag
// of a region, or 0.
func flagTags(s string) int {
	const end = 0xe007f
	for i, n := 0, 0; n < 7; n++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == end && n >= 3:
			return i + size
		case r < 0xe0030 || r > 0xe007a:
			return 0
		}
		i += size
	}
	return 0
}
