package text

import "unicode"

// runeClass is what a normalised rune means to the scanner.
type runeClass uint8

const (
	classBreak  runeClass = iota // separates words
	classIgnore                  // neither text nor a break: joiners, accents, points
	classLetter                  // letter of a script that writes spaces
	classDigit                   // decimal digit of any script
	classMark                    // vowel sign or other mark that counts as a letter
	classIndic                   // letter of an Indic script
	classGram                    // character of a script that writes no spaces
	classHangul                  // Hangul syllable or jamo
	classEmoji                   // pictograph
)

// Unspaced reports whether r belongs to a script that writes no spaces between words.
func Unspaced(r rune) bool { return classOf(r) == classGram }

// runeRange gives one class to a range of runes.
type runeRange struct {
	lo, hi rune
	class  runeClass
}

// runeRanges lists, sorted, the runes whose class their Unicode category does
// not tell. In the Indic, gram and Hangul ranges it holds for letters and
// marks only; digits and punctuation there keep their category's class.
var runeRanges = []runeRange{
	{0x00AD, 0x00AD, classIgnore}, // soft hyphen
	{0x02B9, 0x02BF, classBreak},  // modifier apostrophes: the compound scanner knows them
	{0x0300, 0x036F, classIgnore}, // combining accents
	{0x0483, 0x0489, classIgnore}, // Cyrillic titlo and kin
	{0x0591, 0x05BD, classIgnore}, // Hebrew points, around maqaf and other punctuation
	{0x05BF, 0x05BF, classIgnore},
	{0x05C1, 0x05C2, classIgnore},
	{0x05C4, 0x05C5, classIgnore},
	{0x05C7, 0x05C7, classIgnore},
	{0x05F3, 0x05F4, classIgnore}, // geresh, gershayim
	{0x0610, 0x061C, classIgnore}, // Arabic signs
	{0x0640, 0x0640, classIgnore}, // tatweel
	{0x064B, 0x065F, classIgnore}, // harakat
	{0x0670, 0x0670, classIgnore}, // superscript alef
	{0x06D6, 0x06ED, classIgnore}, // Koranic signs
	{0x0711, 0x0711, classIgnore}, // Syriac points
	{0x0730, 0x074A, classIgnore},
	{0x0900, 0x0DFF, classIndic},
	{0x0E00, 0x0EFF, classGram}, // Thai, Lao
	{0x1000, 0x109F, classGram}, // Burmese
	{0x1100, 0x11FF, classHangul},
	{0x1780, 0x17FF, classGram},   // Khmer
	{0x180B, 0x180F, classIgnore}, // Mongolian selectors
	{0x1950, 0x19DF, classGram},   // Tai Le, New Tai Lue
	{0x1A20, 0x1AAF, classGram},   // Tai Tham
	{0x1AB0, 0x1AFF, classIgnore}, // more combining accents
	{0x1B00, 0x1B7F, classGram},   // Balinese
	{0x1CD0, 0x1CFF, classIgnore}, // Vedic signs
	{0x1DC0, 0x1DFF, classIgnore},
	{0x200C, 0x200F, classIgnore}, // joiners, direction marks
	{0x202A, 0x202E, classIgnore}, // direction embeddings
	{0x2060, 0x206F, classIgnore}, // word joiner, direction isolates
	{0x20D0, 0x20FF, classIgnore}, // enclosing marks, keycaps
	{0x231A, 0x231B, classEmoji},
	{0x2328, 0x2328, classEmoji},
	{0x23CF, 0x23CF, classEmoji},
	{0x23E9, 0x23FA, classEmoji},
	{0x2600, 0x266E, classEmoji},
	{0x2670, 0x2767, classEmoji}, // without the sharp sign
	{0x2795, 0x2797, classEmoji},
	{0x27A1, 0x27A1, classEmoji},
	{0x27B0, 0x27BF, classEmoji},
	{0x2B05, 0x2B07, classEmoji},
	{0x2B1B, 0x2B1C, classEmoji},
	{0x2B50, 0x2B55, classEmoji},
	{0x2E80, 0x2FDF, classGram}, // radicals
	{0x3005, 0x3007, classGram}, // iteration mark, closing mark, ideographic zero
	{0x3021, 0x3029, classGram},
	{0x302A, 0x302F, classIgnore},
	{0x3031, 0x3035, classGram},
	{0x3038, 0x303C, classGram},
	{0x3041, 0x3096, classGram}, // Hiragana
	{0x3099, 0x309A, classGram}, // voice marks without a composed form
	{0x309B, 0x309C, classBreak},
	{0x309D, 0x309F, classGram},
	{0x30A1, 0x30FA, classGram}, // Katakana
	{0x30FC, 0x30FF, classGram},
	{0x3105, 0x312F, classGram}, // Bopomofo
	{0x3131, 0x318E, classHangul},
	{0x31A0, 0x31BF, classGram},
	{0x31F0, 0x31FF, classGram},
	{0x3400, 0x4DBF, classGram},
	{0x4E00, 0x9FFF, classGram},
	{0xA000, 0xA4CF, classGram}, // Yi
	{0xA8E0, 0xA8FF, classIndic},
	{0xA960, 0xA97F, classHangul},
	{0xA980, 0xA9DF, classGram}, // Javanese
	{0xA9E0, 0xA9FF, classGram}, // Burmese extensions
	{0xAA60, 0xAA7F, classGram},
	{0xAA80, 0xAADF, classGram}, // Tai Viet
	{0xAC00, 0xD7FF, classHangul},
	{0xF900, 0xFAFF, classGram},
	{0xFE00, 0xFE0F, classIgnore}, // variation selectors
	{0xFE20, 0xFE2F, classIgnore},
	{0xFEFF, 0xFEFF, classIgnore}, // byte order mark
	{0x1B000, 0x1B16F, classGram},
	{0x1F000, 0x1F0FF, classEmoji},
	{0x1F10D, 0x1F1AD, classEmoji},
	{0x1F1E6, 0x1F1FF, classEmoji}, // regional indicators
	{0x1F201, 0x1F3FA, classEmoji},
	{0x1F3FB, 0x1F3FF, classIgnore}, // skin tones
	{0x1F400, 0x1FAFF, classEmoji},
	{0x20000, 0x3FFFD, classGram},
	{0xE0000, 0xE0FFF, classIgnore}, // tags, more variation selectors
}

// asciiClass is [classOf] for ASCII.
var asciiClass = func() (t [128]runeClass) {
	for c := '0'; c <= '9'; c++ {
		t[c] = classDigit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = classLetter, classLetter
	}
	return t
}()

// indicClass is [slowClass] for the Indic, Thai and Lao blocks, where nearly
// every word has to ask for letter or mark.
var indicClass = func() (t [indicEnd - indicStart]runeClass) {
	for i := range t {
		t[i] = slowClass(indicStart + rune(i))
	}
	return t
}()

const indicStart, indicEnd = 0x0900, 0x0F00

// classOf returns the class of a rune of NFKC text.
func classOf(r rune) runeClass {
	switch {
	case r < 0x80:
		return asciiClass[r]
	case r >= indicStart && r < indicEnd:
		return indicClass[r-indicStart]
	case r < 0x250 && r >= 0xC0 && r != '×' && r != '÷', r >= 0x48A && r < 0x530, r >= 0x400 && r < 0x482:
		return classLetter // Latin, Cyrillic
	case r >= 0x4E00 && r <= 0x9FFF:
		return classGram
	case r >= 0xAC00 && r <= 0xD7A3:
		return classHangul
	}
	return slowClass(r)
}

// slowClass is [classOf] without short cuts.
func slowClass(r rune) runeClass {
	class, listed := listedClass(r)
	if listed && class != classIndic && class != classGram {
		return class
	}
	switch {
	case unicode.IsLetter(r):
		if listed {
			return class
		}
		return classLetter
	case unicode.IsMark(r):
		return classMark
	case isDecimal(r):
		return classDigit
	case unicode.IsNumber(r): // Roman numerals, 〇, and other numbers without a decimal value
		if listed {
			return class
		}
		return classLetter
	}
	return classBreak
}

// listedClass looks r up in runeRanges.
func listedClass(r rune) (runeClass, bool) {
	lo, hi := 0, len(runeRanges)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if runeRanges[m].hi < r {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(runeRanges) && runeRanges[lo].lo <= r {
		return runeRanges[lo].class, true
	}
	return classBreak, false
}

func isDecimal(r rune) bool {
	_, ok := digitValue(r)
	return ok
}

// digitValue returns the value of a decimal digit of any script. Unicode keeps
// the ten digits of a script together, zero first.
func digitValue(r rune) (byte, bool) {
	if r < 0x80 {
		return byte(r - '0'), r >= '0' && r <= '9'
	}
	if r <= 0xFFFF {
		for _, rg := range unicode.Nd.R16 {
			if rune(rg.Lo) > r {
				break
			}
			if r <= rune(rg.Hi) {
				return byte((r - rune(rg.Lo)) % 10), true
			}
		}
		return 0, false
	}
	for _, rg := range unicode.Nd.R32 {
		if r >= rune(rg.Lo) && r <= rune(rg.Hi) {
			return byte((r - rune(rg.Lo)) % 10), true
		}
	}
	return 0, false
}
