package index

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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

// lexicon holds the words of a space as they are written, without function words:
// their stems, their vectors, and the words of each doc.
type lexicon struct {
	vectors WordVectors // nil: words match by stem alone
	number  map[string]uint32
	stems   []uint32 // by word
	stemNo  map[string]uint32
	rows    *vector.Matrix // by word; a zero row for a word without a vector
	ends    []uint32       // by doc: end of its words in flat
	flat    []uint32
	terms   text.Terms
	buf     []byte
	vec     []float32
}

func newLexicon(v WordVectors) lexicon {
	l := lexicon{vectors: v, number: map[string]uint32{}, stemNo: map[string]uint32{}}
	if v != nil {
		l.rows, _ = vector.New(v.Dim())
		l.vec = make([]float32, v.Dim())
	}
	return l
}

// add records the words of the next doc, each once.
func (l *lexicon) add(body string) {
	from := len(l.flat)
	l.buf = eachWord(body, l.buf, func(w []byte) {
		n := l.word(w)
		for _, x := range l.flat[from:] {
			if x == n {
				return
			}
		}
		l.flat = append(l.flat, n)
	})
	l.ends = append(l.ends, uint32(len(l.flat)))
}

// of returns the words of a doc.
func (l *lexicon) of(doc uint32) []uint32 {
	start := uint32(0)
	if doc > 0 {
		start = l.ends[doc-1]
	}
	return l.flat[start:l.ends[doc]]
}

// word returns a word's number, giving it the next one if it is new.
func (l *lexicon) word(w []byte) uint32 {
	if n, ok := l.number[string(w)]; ok {
		return n
	}
	n := uint32(len(l.stems))
	s := string(w)
	l.number[s] = n
	l.stems = append(l.stems, l.stem(stemOf(&l.terms, s)))
	if l.rows != nil {
		if !l.vectors.WordVector(l.vec, s) {
			clear(l.vec)
		}
		if _, err := l.rows.Append(l.vec); err != nil {
			clear(l.vec)
			_, _ = l.rows.Append(l.vec) // a zero vector is always taken
		}
	}
	return n
}

// stem returns a stem's number, giving it the next one if it is new.
func (l *lexicon) stem(s string) uint32 {
	if n, ok := l.stemNo[s]; ok {
		return n
	}
	n := uint32(len(l.stemNo))
	l.stemNo[s] = n
	return n
}

// stemOf is the term that the tokeniser makes of one word.
func stemOf(t *text.Terms, w string) string {
	t.Tokenize(w)
	if t.Len() == 0 {
		return w
	}
	return string(t.At(0).Text)
}

// eachWord calls f with each word of a text that is no function word: runs of
// letters and digits, lower case, without a final 's. The slice is valid during the
// call. It returns the buffer it used, for the next call.
func eachWord(body string, buf []byte, f func(word []byte)) []byte {
	if !norm.NFC.IsNormalString(body) {
		body = norm.NFC.String(body)
	}
	buf = buf[:0]
	flush := func() {
		if len(buf) > 0 && !text.IsStopWord(string(buf)) {
			f(buf)
		}
		buf = buf[:0]
	}
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRuneInString(body[i:])
		switch {
		case r == '\'' || r == '’':
			n = apostrophe(body, i, n)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			buf = utf8.AppendRune(buf, unicode.ToLower(r))
			i += n
			continue
		}
		flush()
		i += n
	}
	flush()
	return buf
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

// vectorOf returns a word's vector, nil where there is none.
func (l *lexicon) vectorOf(word string) []float32 {
	if l.vectors == nil {
		return nil
	}
	vec := make([]float32, l.vectors.Dim())
	if !l.vectors.WordVector(vec, word) {
		return nil
	}
	return vec
}
