package index

import (
	"context"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/vector"
)

// WordVectors gives single words their vectors, for matching words that differ and
// mean much the same. It must be fast: it is asked once for every new word of a
// space. It writes a unit vector to dst and reports whether it knows the word.
type WordVectors interface {
	Dim() int
	WordVector(dst []float32, word string) bool
}

// lexicon holds the words of a space as they are written, without function words, and
// the words of each doc. Words get vectors when a query first meets them.
type lexicon struct {
	vectors WordVectors // nil: words match by spelling alone
	number  map[string]uint32
	words   []string // by number
	time    []bool   // by number: a word of time
	ends    []uint32 // by doc: end of its words in flat
	flat    []uint32
	buf     []byte

	mu   sync.RWMutex // guards what follows: queries fill it
	row  []int32      // by word: its row, -1 before it has one
	rows *vector.Matrix
	vec  []float32
}

func newLexicon(v WordVectors) *lexicon {
	l := &lexicon{vectors: v, number: map[string]uint32{}}
	if v != nil {
		l.rows, _ = vector.New(v.Dim())
		l.vec = make([]float32, v.Dim())
	}
	return l
}

// add records the words of the next doc, each once, and reports whether one is a word of
// time.
func (l *lexicon) add(body string) (when bool) {
	from := len(l.flat)
	l.buf = eachWord(body, l.buf, func(w []byte) {
		n := l.word(w)
		if n == stopWord {
			return
		}
		when = when || l.time[n]
		for _, x := range l.flat[from:] {
			if x == n {
				return
			}
		}
		l.flat = append(l.flat, n)
	})
	l.ends = append(l.ends, uint32(len(l.flat)))
	return when
}

// of returns the words of a doc.
func (l *lexicon) of(doc uint32) []uint32 {
	start := uint32(0)
	if doc > 0 {
		start = l.ends[doc-1]
	}
	return l.flat[start:l.ends[doc]]
}

// stopWord is the number of every function word.
const stopWord = ^uint32(0)

// word returns a word's number, giving it the next one if it is new.
func (l *lexicon) word(w []byte) uint32 {
	if n, ok := l.number[string(w)]; ok {
		return n
	}
	s := string(w)
	if text.IsStopWord(s) {
		l.number[s] = stopWord
		return stopWord
	}
	return l.enter(s, askWords()["time"])
}

// enter gives a new word the next number.
func (l *lexicon) enter(w string, time map[string]bool) uint32 {
	n := uint32(len(l.words))
	l.number[w] = n
	l.words = append(l.words, w)
	l.time = append(l.time, time[w])
	l.row = append(l.row, -1)
	return n
}

// restore fills an empty lexicon with what a snapshot has.
func (l *lexicon) restore(words []string, ends, flat []uint32) {
	l.number = make(map[string]uint32, len(words))
	l.words, l.time, l.row = make([]string, 0, len(words)), make([]bool, 0, len(words)), make([]int32, 0, len(words))
	time := askWords()["time"]
	for _, w := range words {
		l.enter(w, time)
	}
	l.ends, l.flat = ends, flat
}

// sound reports whether every doc's words are there.
func (l *lexicon) sound() bool {
	last := uint32(0)
	for _, e := range l.ends {
		if e < last || int(e) > len(l.flat) {
			return false
		}
		last = e
	}
	for _, w := range l.flat {
		if int(w) >= len(l.words) {
			return false
		}
	}
	return true
}

// dots writes the inner products of each q and the vectors of words to its dst; 0 for a
// word without one. All words were met. It returns rows, for the next call.
func (l *lexicon) dots(qs [][]float32, words []uint32, rows []uint32, dst [][]float32) ([]uint32, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	rows = rows[:0]
	for _, w := range words {
		rows = append(rows, uint32(l.row[w]))
	}
	return rows, l.rows.DotsAll(qs, rows, dst)
}

// meet gives words their vectors.
func (l *lexicon) meet(words []uint32) {
	if l.rows == nil || l.met(words) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range words {
		if l.row[w] >= 0 {
			continue
		}
		if !l.vectors.WordVector(l.vec, l.words[w]) {
			clear(l.vec)
		}
		row, err := l.rows.Append(l.vec)
		if err != nil { // not finite: as good as none
			clear(l.vec)
			row, _ = l.rows.Append(l.vec)
		}
		l.row[w] = int32(row)
	}
}

// reserve makes room for the vectors of n words at once: to grow step by step would copy
// megabytes while recalls wait.
func (l *lexicon) reserve(n int) {
	if l.rows == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows.Reserve(n - l.rows.Len())
}

// warmWords bounds the words that are met before a query asks for them: 8 MB of vectors
// of 256 values. The common ones come first, being the first to be seen.
const warmWords = 1 << 15

// warmStep is how many words are met at a time: about a fifth of a millisecond, which is
// what a recall may have to wait.
const warmStep = 64

// warm meets the words of a space, so that its first queries need not.
func (s *Space) warm(ctx context.Context) {
	words := make([]uint32, warmStep)
	s.mu.RLock()
	s.lex.reserve(min(len(s.lex.words), warmWords))
	s.mu.RUnlock()
	for from := 0; ctx.Err() == nil; from += warmStep {
		s.mu.RLock()
		n := min(warmStep, min(len(s.lex.words), warmWords)-from)
		for i := range max(n, 0) {
			words[i] = uint32(from + i)
		}
		if n > 0 {
			s.lex.meet(words[:n])
		}
		s.mu.RUnlock()
		if n < warmStep {
			return
		}
	}
}

func (l *lexicon) met(words []uint32) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, w := range words {
		if l.row[w] < 0 {
			return false
		}
	}
	return true
}

// stemOf is the term that the tokeniser makes of one word.
func stemOf(t *text.Terms, w string) string {
	t.Tokenize(w)
	if t.Len() == 0 {
		return w
	}
	return string(t.At(0).Text)
}

// eachWord calls f with each word of a text: runs of letters and digits, folded,
// without a final 's, and pairs of characters of scripts that write no spaces. The slice is valid during the call. It returns the buffer it used,
// for the next call.
func eachWord(body string, buf []byte, f func(word []byte)) []byte {
	buf = buf[:0]
	for i := 0; i < len(body); {
		c := body[i]
		if c >= utf8.RuneSelf {
			return eachRuneWord(body[i-len(buf):], buf[:0], f) // a mark may belong to the letter before
		}
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			buf = append(buf, c)
			i++
			continue
		case c >= 'A' && c <= 'Z':
			buf = append(buf, c+'a'-'A')
			i++
			continue
		}
		if len(buf) > 0 {
			f(buf)
			buf = buf[:0]
		}
		if c == '\'' {
			i += apostrophe(body, i, 1)
		} else {
			i++
		}
	}
	if len(buf) > 0 {
		f(buf)
	}
	return buf[:0]
}

// eachRuneWord is eachWord for text that is not all ASCII.
func eachRuneWord(rest string, buf []byte, f func(word []byte)) []byte {
	rest = text.Fold(rest) // as the text index compares letters
	flush := func() {
		if len(buf) > 0 {
			f(buf)
		}
		buf = buf[:0]
	}
	for i := 0; i < len(rest); {
		r, n := utf8.DecodeRuneInString(rest[i:])
		switch {
		case r == '\'' || r == '’':
			n = apostrophe(rest, i, n)
		case text.Unspaced(r):
			flush()
			i, buf = eachPair(rest, i, buf, f)
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			buf = utf8.AppendRune(buf, r)
			i += n
			continue
		}
		flush()
		i += n
	}
	flush()
	return buf
}

// eachPair calls f with each two neighbouring characters of the run of a script without
// spaces that begins at i, or with the only one, and returns where the run ends.
func eachPair(rest string, i int, buf []byte, f func(word []byte)) (int, []byte) {
	word := func(from, to int) {
		buf = append(buf[:0], rest[from:to]...)
		f(buf)
	}
	chars, prev, cur := 0, i, i
	for j := i; ; {
		r, n := utf8.DecodeRuneInString(rest[j:])
		if j > i && n > 0 && unicode.IsMark(r) {
			j += n
			continue
		}
		if j > i { // a character ends
			if chars++; chars > 1 {
				word(prev, j)
			}
			prev, cur = cur, j
		}
		if n == 0 || !text.Unspaced(r) {
			if chars == 1 {
				word(i, j)
			}
			return j, buf[:0]
		}
		j += n
	}
}

// apostrophe returns how many bytes to skip at an apostrophe of n bytes at i: with
// it the s of a possessive.
func apostrophe(body string, i, n int) int {
	rest := body[i+n:]
	if len(rest) == 0 || rest[0] != 's' && rest[0] != 'S' {
		return n
	}
	if r, _ := utf8.DecodeRuneInString(rest[1:]); len(rest) == 1 || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return n + 1
	}
	return n
}

// vectorOf returns a word's vector, in room if it is large enough, and nil where there is
// none.
func (l *lexicon) vectorOf(word string, room []float32) []float32 {
	if l.vectors == nil {
		return nil
	}
	vec := resize(room, 0, l.vectors.Dim())
	if !l.vectors.WordVector(vec, word) {
		return nil
	}
	return vec
}

// bytes is about the memory that it takes.
func (l *lexicon) bytes() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := int64(len(l.words)) * 56
	if l.rows != nil {
		n += int64(l.rows.Bytes())
	}
	return n
}
