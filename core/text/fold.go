package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends what the rune r of the given class is compared as.
// r must come from NFKC text.
func appendFolded(dst []byte, r rune, class runeClass) []byte {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(dst, byte(r))
	}
	if class == classDigit {
		v, _ := digitValue(r)
		return append(dst, '0'+v)
	}
	switch {
	case r < 0x0530 || (r >= 0x1E00 && r < 0x2000) || (r >= 0x2C60 && r < 0x2E00) || (r >= 0xA640 && r < 0xA7FF):
		return appendAlphabetic(dst, r)
	case r >= 0x0600 && r < 0x0700:
		return utf8.AppendRune(dst, foldArabic(r))
	case class == classIndic || class == classMark:
		return appendIndic(dst, r)
	case class == classLetter:
		r = unicode.ToLower(r)
	}
	return utf8.AppendRune(dst, r)
}

// appendAlphabetic folds Latin, Greek and Cyrillic: lower case, the base letter
// of a decomposable one, and the usual spelling of letters that only look like
// accented ones.
func appendAlphabetic(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	var enc [utf8.UTFMax]byte
	if d := norm.NFD.Properties(enc[:utf8.EncodeRune(enc[:], r)]).Decomposition(); d != nil {
		r, _ = utf8.DecodeRune(d)
		r = unicode.ToLower(r)
	}
	if r < utf8.RuneSelf {
		return append(dst, byte(r))
	}
	switch r {
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'þ':
		return append(dst, "th"...)
	case 'ø':
		return append(dst, 'o')
	case 'đ', 'ð', 'ɖ':
		return append(dst, 'd')
	case 'ł':
		return append(dst, 'l')
	case 'ħ':
		return append(dst, 'h')
	case 'ŧ':
		return append(dst, 't')
	case 'ı':
		return append(dst, 'i')
	case 'ς':
		r = 'σ'
	}
	return utf8.AppendRune(dst, r)
}

// foldArabic maps letters that keyboards and habits interchange, and the Farsi
// and Urdu forms of kaf, yeh and heh.
func foldArabic(r rune) rune {
	switch r {
	case 'آ', 'أ', 'إ', 'ٱ':
		return 'ا'
	case 'ى', 'ی', 'ئ', 'ې':
		return 'ي'
	case 'ؤ':
		return 'و'
	case 'ک':
		return 'ك'
	case 'ة', 'ۀ', 'ہ', 'ھ', 'ە', 'ۂ':
		return 'ه'
	}
	return r
}

// appendIndic writes the Malayalam chillu letters as the consonant with virama
// that older text has (NFKC does not), chandrabindu as anusvara, and drops the
// nukta, which is often left out.
func appendIndic(dst []byte, r rune) []byte {
	const malayalamVirama = '\u0D4D'
	switch r {
	case '\u093C', '\u09BC', '\u0A3C', '\u0ABC', '\u0B3C', '\u0CBC':
		return dst
	case '\u0901', '\u0981', '\u0A01', '\u0A81', '\u0B01', '\u0C01', '\u0C81':
		r++
	case 'ൺ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ണ'), malayalamVirama)
	case 'ൻ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ന'), malayalamVirama)
	case 'ർ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ര'), malayalamVirama)
	case 'ൽ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ല'), malayalamVirama)
	case 'ൾ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ള'), malayalamVirama)
	case 'ൿ':
		return utf8.AppendRune(utf8.AppendRune(dst, 'ക'), malayalamVirama)
	}
	return utf8.AppendRune(dst, r)
}
