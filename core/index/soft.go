package index

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// maxSoftWords bounds the words of a query that are matched softly: the rarest.
const maxSoftWords = 16

// soft matches each word of the query with the most like word of a row: late
// interaction (Khattab and Zaharia, "ColBERT", 2020) over word vectors. It is made for
// one query.
type soft struct {
	lex     *lexicon
	weights []float32 // of each query word: its idf
	query   []string
	vecs    [][]float32 // nil for a word without a vector
	room    [][]float32 // where vectors are written
	pairs   [][]uint64  // of a word without a vector: its pairs of letters
	pair    []uint64    // of the word that is compared with them
	total   float32

	slot  []int32  // by word: where its likenesses are, -1 before they are known
	met   []uint64 // a bit a word, while the words of docs are gathered
	words []uint32
	rows  []uint32
	like  []float32   // by slot, by query word
	asked [][]float32 // the query's words that have vectors
	at    []int       // which these are
	into  [][]float32 // where their likenesses go first
}

// reset prepares for a query of the given words with their weights.
func (m *soft) reset(l *lexicon, words []string, weights []float32) {
	m.forget()
	m.lex = l
	for len(m.slot) < len(l.words) {
		m.slot = append(m.slot, -1)
	}
	for len(m.met) < len(l.words)/64+1 {
		m.met = append(m.met, 0)
	}
	for len(m.into) < len(words) {
		m.into, m.room = append(m.into, nil), append(m.room, nil)
	}
	for i, w := range words {
		m.weights = append(m.weights, weights[i])
		m.total += weights[i]
		m.query = append(m.query, w)
		vec := l.vectorOf(w, m.room[i])
		if m.vecs = append(m.vecs, vec); vec != nil {
			m.room[i] = vec
		}
		if len(m.pairs) < len(m.vecs) {
			m.pairs = append(m.pairs, nil)
		}
		if q := len(m.vecs) - 1; m.vecs[q] == nil {
			m.pairs[q] = appendPairs(m.pairs[q][:0], w)
		}
	}
}

// forget drops what is known of the last query's words.
func (m *soft) forget() {
	for _, w := range m.words {
		m.slot[w] = -1
	}
	m.lex, m.total = nil, 0
	m.words, m.weights, m.query, m.vecs = m.words[:0], m.weights[:0], m.query[:0], m.vecs[:0]
}

// learn finds out how like the words of the given docs are to those of the query: their
// cosine, and their likeness in spelling where the query's has no vector.
func (m *soft) learn(docs []uint32) {
	from := len(m.words)
	for _, d := range docs {
		for _, w := range m.lex.of(d) {
			m.met[w/64] |= 1 << (w & 63)
		}
	}
	for i, word := range m.met { // ascending, as their vectors lie
		for m.met[i] = 0; word != 0; word &= word - 1 {
			if w := uint32(64*i + bits.TrailingZeros64(word)); m.slot[w] < 0 {
				m.slot[w] = int32(len(m.words))
				m.words = append(m.words, w)
			}
		}
	}
	fresh := m.words[from:]
	m.lex.meet(fresh)
	n := len(m.weights)
	m.like = resize(m.like, from*n, len(fresh)*n)
	like := m.like[from*n:]
	m.asked, m.at = m.asked[:0], m.at[:0]
	for q := range n {
		if m.vecs[q] != nil {
			m.into[len(m.asked)] = resize(m.into[len(m.asked)], 0, len(fresh))
			m.asked, m.at = append(m.asked, m.vecs[q]), append(m.at, q)
			continue
		}
		for i, w := range fresh { // a word that the table does not know
			like[i*n+q] = m.spelling(q, m.lex.words[w])
		}
	}
	if len(m.asked) == 0 || len(fresh) == 0 {
		return
	}
	var err error
	if m.rows, err = m.lex.dots(m.asked, fresh, m.rows, m.into[:len(m.asked)]); err != nil {
		return
	}
	for k, q := range m.at {
		for i, x := range m.into[k] {
			like[i*n+q] = x
		}
	}
}

// minSpelling is the likeness in spelling below which two words are unrelated.
const minSpelling = 0.5

// spelling is 1 for the query's word q itself, and else what share of their pairs of
// letters the two words have in common (Dice's coefficient), as far as another
// inflection reaches. Words of which a vector tells more are not compared.
func (m *soft) spelling(q int, word string) float32 {
	if word == m.query[q] {
		return 1
	}
	if word[0] < utf8.RuneSelf {
		return 0
	}
	want := m.pairs[q]
	m.pair = appendPairs(m.pair[:0], word)
	if len(want) == 0 || len(m.pair) == 0 {
		return 0
	}
	same := 0
	for _, p := range m.pair {
		if slices.Contains(want, p) {
			same++
		}
	}
	if d := 2 * float32(same) / float32(len(want)+len(m.pair)); d >= minSpelling {
		return min(d, 1)
	}
	return 0
}

// appendPairs appends each two neighbouring letters of a word.
func appendPairs(dst []uint64, word string) []uint64 {
	before := rune(-1)
	for _, r := range word {
		if before >= 0 {
			dst = append(dst, uint64(before)<<32|uint64(r))
		}
		before = r
	}
	return dst
}

// best writes to dst, by query word, how like the most like word of doc is. The doc's
// words must have been learnt.
func (m *soft) best(doc uint32, dst []float32) {
	clear(dst)
	for _, w := range m.lex.of(doc) {
		like := m.like[int(m.slot[w])*len(dst):][:len(dst)]
		for q, l := range like {
			if l > dst[q] {
				dst[q] = l
			}
		}
	}
}

// score is the share of the query that likenesses cover, by weight: 0 to 1.
func (m *soft) score(likes []float32) float32 {
	if m.total <= 0 {
		return 0
	}
	sum := float32(0)
	for q, l := range likes {
		sum += m.weights[q] * l
	}
	return sum / m.total
}
