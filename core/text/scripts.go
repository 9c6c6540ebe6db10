package text

import (
	"bytes"
	"unicode/utf8"
)

// emitForeign emits a word that is not ASCII and the shorter forms by which
// another inflection of it is found.
func (t *Terms) emitForeign(a *atom, word []byte, class Class) {
	t.push(word, class, false)
	if a.indic {
		t.emitLetterPrefixes(word)
		return
	}
	r, _ := utf8.DecodeRune(word)
	switch {
	case r >= 0x0370 && r < 0x0590, r >= 0x10A0 && r < 0x1100: // Greek, Cyrillic, Armenian, Georgian
		t.emitPrefixes(word, a.runes)
	case r >= 0x0590 && r < 0x0600:
		t.emitWithoutParticles(word)
	case r >= 0x0600 && r < 0x0700:
		t.emitWithoutArticle(word)
	}
}

// hebrewParticles are written together with the word after them: the article and the
// prepositions, with "and" or "that" before them or without.
var hebrewParticles = func() (all [][]byte) {
	single := []string{"ה", "ב", "ל", "מ", "כ", "ש", "ו"}
	for _, before := range []string{"ו", "ש"} {
		for _, p := range single {
			if p != before {
				all = append(all, []byte(before+p))
			}
		}
	}
	for _, p := range single {
		all = append(all, []byte(p))
	}
	return all
}()

// emitWithoutParticles emits a Hebrew word without the particles before it if three
// letters are left. A letter that belongs to the word goes too; the word itself counts
// for more.
func (t *Terms) emitWithoutParticles(word []byte) {
	for _, p := range hebrewParticles {
		if rest, ok := bytes.CutPrefix(word, p); ok && len(rest) >= 6 {
			t.push(rest, Part, false)
			return
		}
	}
}

// emitPrefixes emits the first four and six letters of a longer word, and the
// first three of one with four or five. Case endings of these languages seldom
// reach further in.
func (t *Terms) emitPrefixes(word []byte, runes int) {
	for i, n := 0, 0; i < len(word); n++ {
		if n == 3 && runes <= 5 || n == 4 || n == 6 {
			t.push(word[:i], Sub, false)
		}
		_, size := utf8.DecodeRune(word[i:])
		i += size
	}
}

// arabicArticles are the article and what is written together with it, longest first,
// and "and".
var arabicArticles = [][]byte{
	[]byte("وال"), []byte("بال"), []byte("كال"), []byte("فال"), []byte("ولل"), []byte("ال"), []byte("لل"), []byte("و"),
}

// emitWithoutArticle emits an Arabic word without its article if three letters
// are left.
func (t *Terms) emitWithoutArticle(word []byte) {
	for _, p := range arabicArticles {
		if rest, ok := bytes.CutPrefix(word, p); ok && len(rest) >= 6 {
			t.push(rest, Part, false)
			return
		}
	}
}

// emitLetterPrefixes emits the first two to five letters of an Indic word with
// the signs between them, but without the signs of the last, for an ending
// changes these or doubles the letter: Malayalam വീട്, വീടിന്റെ and വീട്ടിൽ
// share വീട, Hindi लड़का and लड़के share लडक.
func (t *Terms) emitLetterPrefixes(word []byte) {
	const least, most = 2, 5
	letters, bare := 0, 0 // bare: where the last letter ends
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		i += size
		if classOf(r) == classMark {
			continue
		}
		if letters >= least {
			t.push(word[:bare], Sub, false)
		}
		if letters++; letters > most {
			return
		}
		bare = i
	}
	if letters >= least && bare < len(word) {
		t.push(word[:bare], Sub, false)
	}
}

// stacks tells whether r, of class mark, puts the next letter under the last
// (Burmese, Khmer).
func stacks(r rune) bool { return r == 0x1039 || r == 0x17D2 }

// grams reads a run of a script without spaces from i on and emits its pairs
// of characters, Han characters and Burmese and Khmer syllables also alone; a run of
// one is a word. It returns where the run ends.
func (t *Terms) grams(i int) int {
	src := t.src
	t.fold = t.fold[:0]
	prev, cur, n := 0, 0, 0 // where in fold the last two characters begin; their number
	prevAlone, curAlone := false, false
	emit := func() {
		if n < 2 {
			return
		}
		if n == 2 && prevAlone {
			t.push(t.fold[prev:cur], Char, false)
		}
		t.push(t.fold[prev:], Gram, false)
		if curAlone {
			t.push(t.fold[cur:], Char, false)
		}
		t.advance(n%2 == 0)
	}
	stacked := false // the next character stands under the last
	for i < len(src) {
		r, size := utf8.DecodeRune(src[i:])
		class := classOf(r)
		if class != classGram && class != classMark && class != classIgnore {
			break
		}
		i += size
		if class == classIgnore {
			continue
		}
		if class == classGram && !stacked || len(t.fold)-cur > maxTermBytes/3 {
			emit()
			prev, cur, prevAlone = cur, len(t.fold), curAlone
			curAlone = isHan(r)
			n++
		} else if class == classMark && isSyllabic(r) {
			curAlone = true
		}
		stacked = stacks(r)
		t.fold = utf8.AppendRune(t.fold, r)
	}
	if n == 1 {
		t.push(t.fold, Word, false)
		t.advance(true)
		return i
	}
	emit()
	return i
}

// isHan tells whether r, of class gram, is a Han character or stands for one.
func isHan(r rune) bool {
	return r >= 0x2E80 && r < 0x3030 || r >= 0x3400 && r < 0xA000 || r >= 0xF900 && r < 0xFB00 || r >= 0x20000
}

// isSyllabic tells whether r is of a script in which a letter with its marks is a
// syllable and often a word: Burmese, Khmer.
func isSyllabic(r rune) bool { return r >= 0x1000 && r < 0x10A0 || r >= 0x1780 && r < 0x1800 }

// koreanParticles are written together with the noun before them; longest first.
var koreanParticles = []string{
	"에서는", "으로는", "에게서", "이라고",
	"에서", "에게", "한테", "까지", "부터", "처럼", "으로", "이나", "하고", "보다", "마다", "에는", "이랑",
	"은", "는", "이", "가", "을", "를", "에", "의", "도", "로", "와", "과", "만", "랑", "께",
}

// hangul reads a Korean word from i on and emits it, it without its particle,
// and its pairs of syllables. It returns where the word ends.
func (t *Terms) hangul(i int) int {
	src := t.src
	t.fold = t.fold[:0]
	for i < len(src) {
		r, size := utf8.DecodeRune(src[i:])
		class := classOf(r)
		if class != classHangul && class != classIgnore {
			break
		}
		if class == classHangul {
			t.fold = utf8.AppendRune(t.fold, r)
		}
		i += size
	}
	word := t.fold // three bytes a syllable
	if len(word) <= maxTermBytes {
		t.push(word, Word, false)
	}
	stemmed := 0
	for _, p := range koreanParticles {
		if rest, ok := bytes.CutSuffix(word, []byte(p)); ok && len(rest) > 0 && len(rest) <= maxTermBytes {
			stemmed = len(rest)
			t.push(rest, Part, false)
			break
		}
	}
	for j := 0; j+6 <= len(word) && len(word) > 6; j += 3 {
		if j > 0 || stemmed != 6 {
			t.push(word[j:j+6], Sub, false)
		}
	}
	t.advance(true)
	return i
}

// emoji reads pictographs joined into one from i on, or a flag, and emits them
// without skin tone and variant; parts of a joined one also alone. It returns
// where they end.
func (t *Terms) emoji(i int) int {
	const joiner = '\u200D'
	src := t.src
	t.fold, t.cuts = t.fold[:0], t.cuts[:0]
	join, flag := true, false
	for i < len(src) {
		r, size := utf8.DecodeRune(src[i:])
		class := classOf(r)
		if class == classIgnore {
			join = join || r == joiner
			i += size
			continue
		}
		half := r >= 0x1F1E6 && r <= 0x1F1FF
		if class != classEmoji || !join && !(flag && half) || len(t.cuts) >= 8 {
			break
		}
		if join {
			t.cuts = append(t.cuts, len(t.fold))
		}
		flag = half && !flag
		join = false
		t.fold = utf8.AppendRune(t.fold, r)
		i += size
	}
	if len(t.cuts) == 1 {
		t.push(t.fold, Word, false)
		t.advance(false)
		return i
	}
	t.push(t.fold, Compound, false)
	for k, from := range t.cuts {
		to := len(t.fold)
		if k+1 < len(t.cuts) {
			to = t.cuts[k+1]
		}
		if part := string(t.fold[from:to]); part != "♀" && part != "♂" {
			t.push(t.fold[from:to], Part, false)
		}
	}
	t.advance(false)
	return i
}

// cutUTF8 returns the length to which w is cut so that it has at most n bytes
// and no broken rune.
func cutUTF8(w []byte, n int) int {
	n = min(n, len(w))
	for n > 0 && n < len(w) && !utf8.RuneStart(w[n]) {
		n--
	}
	return n
}
