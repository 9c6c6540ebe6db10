package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NFC returns s in Unicode normalisation form C. Bytes that are not UTF-8 stay
// as they are.
func NFC(s string) string {
	return norm.NFC.String(s)
}

// Fold returns s as the tokeniser compares letters: NFKC, lower case, without
// accents, points and invisible characters. Spaces and punctuation stay; bytes
// that are not UTF-8 become U+FFFD. Equal folds are not equal texts: numbers,
// names and accents may differ in ways that matter.
func Fold(s string) string {
	if isPrintable(s) {
		return strings.ToLower(s)
	}
	src := new(normaliser).appendTo(make([]byte, 0, len(s)+len(s)/4), s)
	dst := make([]byte, 0, len(src))
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		src = src[n:]
		class := classOf(r)
		switch class {
		case classIgnore:
		case classBreak:
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendFolded(dst, r, class)
		}
	}
	return string(dst)
}

// compatible spells out characters whose NFKC form would glue a symbol to the
// word beside it ("Orma™" is no ormatm, "2½" no 21/2).
var compatible = strings.NewReplacer(
	"™", " ", "℠", " ",
	"½", " 1/2", "⅓", " 1/3", "⅔", " 2/3", "¼", " 1/4", "¾", " 3/4", "⅕", " 1/5", "⅛", " 1/8",
)

// normaliser appends normal forms without allocating.
type normaliser struct{ iter norm.Iter }

// appendTo appends the NFKC form of s to dst. ASCII and text that is already
// normal is copied.
func (n *normaliser) appendTo(dst []byte, s string) []byte {
	if isASCII(s) || norm.NFKC.QuickSpanString(s) == len(s) {
		return append(dst, s...)
	}
	if hasCompatible(s) {
		s = compatible.Replace(s)
	}
	n.iter.InitString(norm.NFKC, s)
	for !n.iter.Done() {
		dst = append(dst, n.iter.Next()...)
	}
	return dst
}

// hasCompatible tells whether s may hold a key of compatible; all of them
// begin with one of these pairs of bytes.
func hasCompatible(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == 0xC2 && s[i+1] >= 0xBC && s[i+1] <= 0xBE, s[i] == 0xE2 && (s[i+1] == 0x84 || s[i+1] == 0x85):
			return true
		}
	}
	return false
}

// isPrintable reports whether s is of visible ASCII and spaces, in which nothing but
// capitals is folded.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
