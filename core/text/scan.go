package text

import "unicode/utf8"

// atom is a run of letters and digits of one word, folded.
type atom struct {
	start, end int  // in Terms.fold
	sep        byte // what stands before it in the compound: one of -_.&'/:@, or 0
	ascii      bool // letters and digits are ASCII once folded
	letters    bool // nothing but letters
	digits     bool // nothing but digits
	symbol     bool // ends in + or #
	indic      bool // has letters of an Indic script
	runes      int
	upper      int // capitals, ASCII only
	title      bool
	cuts       [2]int // its camel-case cuts in Terms.cuts
}

// scan splits src into runs and hands each to its kind's reader.
func (t *Terms) scan() {
	src := t.src
	for i := 0; i < len(src); {
		if c := src[i]; c < utf8.RuneSelf {
			switch {
			case asciiClass[c] != classBreak:
				i = t.compound(i, false)
			case c == '.' && t.leadsName(i):
				i = t.compound(i+1, true)
			default:
				i++
			}
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		switch classOf(r) {
		case classLetter, classDigit, classIndic:
			i = t.compound(i, false)
		case classGram:
			i = t.grams(i)
		case classHangul:
			i = t.hangul(i)
		case classEmoji:
			i = t.emoji(i)
		default: // also a mark with nothing before it
			i += n
		}
	}
}

// leadsName tells whether the dot at i begins a name such as .NET or .bashrc.
func (t *Terms) leadsName(i int) bool {
	if i+1 >= len(t.src) || asciiClass[t.src[i+1]&0x7F] != classLetter || t.src[i+1] >= utf8.RuneSelf {
		return false
	}
	if i == 0 {
		return true
	}
	switch t.src[i-1] {
	case ' ', '\t', '\n', '\r', '(', '[', '{', '"', '\'', '`', '/', '\\', '=', ',', ':', '*':
		return true
	}
	return false
}

// compound reads the word that begins at i with all its connected pieces,
// emits its terms and returns where it ends. With lead the word has a dot
// before it.
func (t *Terms) compound(i int, lead bool) int {
	const maxAtoms, maxBytes = 32, 4 * maxTermBytes
	t.fold, t.atoms, t.cuts = t.fold[:0], t.atoms[:0], t.cuts[:0]
	if lead {
		t.fold = append(t.fold, '.')
	}
	i = t.atom(i, 0)
	for len(t.atoms) < maxAtoms && len(t.fold) < maxBytes {
		sep, n := t.connector(i)
		if n == 0 {
			break
		}
		if sep != '\'' {
			t.fold = append(t.fold, sep)
		}
		i = t.atom(i+n, sep)
	}
	t.emitCompound(lead)
	return i
}

// connector returns the normal form and the length of the sign at i if it
// joins what was read to another letter or digit, else length 0.
func (t *Terms) connector(i int) (sep byte, n int) {
	src := t.src
	if i >= len(src) {
		return 0, 0
	}
	switch c := src[i]; c {
	case '-', '_', '.', '/', ':', '@', '&', '\'':
		sep, n = c, 1
	case '\\':
		sep, n = '/', 1
	default:
		if c < utf8.RuneSelf {
			return 0, 0
		}
		var r rune
		r, n = utf8.DecodeRune(src[i:])
		switch r {
		case '’', '‘', 'ʼ', '′', '՚':
			sep = '\''
		case '‐', '־': // hyphen, maqaf
			sep = '-'
		case '٫': // Arabic decimal separator
			sep = '.'
		default:
			return 0, 0
		}
	}
	if i+n >= len(src) {
		return 0, 0
	}
	r, _ := utf8.DecodeRune(src[i+n:])
	switch classOf(r) {
	case classLetter, classDigit, classIndic:
		return sep, n
	}
	return 0, 0
}

// atom reads letters and digits from i on into fold and atoms, and returns
// where they end.
func (t *Terms) atom(i int, sep byte) int {
	src := t.src
	a := atom{start: len(t.fold), sep: sep, ascii: true, letters: true, digits: true}
	a.cuts[0] = len(t.cuts)
	if end := groupedDigits(src, i); end > 0 {
		for ; i < end; i++ {
			if src[i] != ',' {
				t.fold = append(t.fold, src[i])
				a.runes++
			}
		}
		a.letters = false
	}
	var before, last byte // the two ASCII letters read last
	for i < len(src) && len(t.fold)-a.start < maxTermBytes-2*utf8.UTFMax {
		c := src[i]
		if c >= utf8.RuneSelf {
			n := t.atomRune(i, &a)
			if n == 0 {
				break
			}
			before, last = 0, 0
			i += n
			continue
		}
		class := asciiClass[c]
		if class == classBreak {
			break
		}
		if class == classDigit {
			a.letters = false
		} else {
			a.digits = false
			if c <= 'Z' {
				a.upper++
				a.title = a.title || a.runes == 0
				if last >= 'a' {
					t.cuts = append(t.cuts, len(t.fold))
				}
				c += 'a' - 'A'
				before, last = last, 'A'
			} else {
				if last == 'A' && before == 'A' {
					t.cuts = append(t.cuts, len(t.fold)-1)
				}
				before, last = last, 'a'
			}
		}
		t.fold = append(t.fold, c)
		a.runes++
		i++
	}
	i = t.symbol(i, &a)
	a.end = len(t.fold)
	a.cuts[1] = len(t.cuts)
	t.atoms = append(t.atoms, a)
	return i
}

// atomRune reads the rune beyond ASCII at i into the atom and returns its
// length, or 0 if it does not belong to it.
func (t *Terms) atomRune(i int, a *atom) int {
	r, n := utf8.DecodeRune(t.src[i:])
	class := classOf(r)
	if r == '٬' && a.digits { // Arabic thousands separator
		class = classIgnore
	}
	switch class {
	case classIgnore:
		return n
	case classDigit:
		a.letters = false
	case classLetter, classMark, classIndic:
		a.digits = false
		a.indic = a.indic || class == classIndic
	default:
		return 0
	}
	from := len(t.fold)
	t.fold = appendFolded(t.fold, r, class)
	a.ascii = a.ascii && len(t.fold) > from && t.fold[from] < utf8.RuneSelf
	a.runes++
	return n
}

// symbol takes in the + or # that ends names like C++, A+, F#, and returns
// where the word ends.
func (t *Terms) symbol(i int, a *atom) int {
	rest := t.src[i:]
	if len(rest) == 0 || !a.letters || !a.ascii || a.runes == 0 {
		return i
	}
	after := func(n int) byte {
		if n < len(rest) {
			return rest[n]
		}
		return ' '
	}
	switch {
	case rest[0] == '+' && after(1) == '+' && after(2) != '+':
		t.fold = append(t.fold, "++"...)
		i += 2
	case rest[0] == '+' && endsName(after(1)):
		t.fold = append(t.fold, '+')
		i++
	case rest[0] == '#' && a.runes <= 3 && endsName(after(1)):
		t.fold = append(t.fold, '#')
		i++
	case a.runes <= 3 && len(rest) >= 3 && string(rest[:3]) == "♯" && endsName(after(3)):
		t.fold = append(t.fold, '#')
		i += 3
	default:
		return i
	}
	a.symbol = true
	return i
}

// endsName tells whether a name ending in + or # may be followed by c.
func endsName(c byte) bool {
	return asciiClass[c&0x7F] == classBreak && c != '+' && c != '#' && c != '=' && c != '(' || c >= utf8.RuneSelf
}

// groupedDigits returns the end of a number with commas between its groups
// (12,000 or 1,00,000) that begins at i, or 0.
func groupedDigits(src []byte, i int) int {
	group := func(i int) int { // digits from i on
		n := 0
		for i+n < len(src) && src[i+n]-'0' <= 9 {
			n++
		}
		return n
	}
	n := group(i)
	if n == 0 || n > 3 {
		return 0
	}
	end, last := i+n, 0
	for end < len(src) && src[end] == ',' {
		n = group(end + 1)
		if n != 2 && n != 3 || last == 3 && n == 2 {
			break
		}
		end, last = end+1+n, n
	}
	if last != 3 {
		return 0
	}
	return end
}
