package wordpiece

import "unicode"

// What a character does to words.
const (
	classDrop  = iota // nothing: control characters and accents
	classSpace        // ends a word
	classAlone        // is a word of its own: punctuation, Han
	classWord         // is part of a word
)

// ascii classifies the first 128 characters.
var ascii = func() (t [128]uint8) {
	for c := range t {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			t[c] = classSpace
		case c < ' ' || c == 0x7F:
			t[c] = classDrop
		case c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			t[c] = classWord
		default:
			t[c] = classAlone
		}
	}
	return t
}()

// class classifies all others.
func class(r rune) uint8 {
	switch {
	case r == unicode.ReplacementChar:
		return classDrop
	case isHan(r):
		return classAlone
	case r == 0x1FEF || r == 0x2260 || r == 0x226E || r == 0x226F: // come apart into ` = < >
		return classAlone
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return classWord
	case unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp):
		return classSpace
	case unicode.In(r, unicode.Mn, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return classDrop
	case unicode.IsPunct(r):
		return classAlone
	}
	return classWord
}

// isHan reports whether r is in one of the blocks that BERT calls Chinese characters. Kana and Hangul
// are not.
func isHan(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF:
		return true
	case r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}
