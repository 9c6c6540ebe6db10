package index

import "github.com/orma-memory/orma/core/text"

// maxSoftWords bounds the words of a query that are matched softly: the rarest.
const maxSoftWords = 16

// soft matches each word of the query with the most like word of a row: late
// interaction (Khattab and Zaharia, "ColBERT", 2020) over word vectors. It is made for
// one query.
type soft struct {
	lex     *lexicon
	weights []float32   // of each query word: its idf
	stems   []uint32    // of each query word
	vecs    [][]float32 // nil for a word without a vector
	total   float32

	terms text.Terms
	slot  []int32 // by word: where its likenesses are, -1 before they are known
	words []uint32
	like  [][]float32 // by query word, by slot
}

// reset prepares for a query of the given words with their weights.
func (m *soft) reset(l *lexicon, words []string, weights []float32) {
	m.forget()
	m.lex = l
	for len(m.slot) < len(l.stems) {
		m.slot = append(m.slot, -1)
	}
	for i, w := range words {
		m.weights = append(m.weights, weights[i])
		m.total += weights[i]
		stem, ok := l.stemNo[stemOf(&m.terms, w)]
		if !ok {
			stem = ^uint32(0)
		}
		m.stems = append(m.stems, stem)
		m.vecs = append(m.vecs, l.vectorOf(w))
	}
	for len(m.like) < len(words) {
		m.like = append(m.like, nil)
	}
}

// forget drops what is known of the last query's words.
func (m *soft) forget() {
	for _, w := range m.words {
		m.slot[w] = -1
	}
	m.lex, m.total = nil, 0
	m.words, m.weights, m.stems, m.vecs = m.words[:0], m.weights[:0], m.stems[:0], m.vecs[:0]
}

// learn finds out how like the words of the given docs are to those of the query: their
// cosine, and 1 for words of one stem that have no vectors.
func (m *soft) learn(docs []uint32) {
	from := len(m.words)
	for _, d := range docs {
		for _, w := range m.lex.of(d) {
			if m.slot[w] < 0 {
				m.slot[w] = int32(len(m.words))
				m.words = append(m.words, w)
			}
		}
	}
	fresh := m.words[from:]
	for q := range m.weights {
		row := m.like[q][:from]
		for range fresh {
			row = append(row, 0)
		}
		m.like[q] = row
		if m.vecs[q] != nil && len(fresh) > 0 {
			if err := m.lex.rows.Dots(m.vecs[q], fresh, row[from:]); err != nil {
				clear(row[from:]) // words match by stem alone
			}
		}
		for i, w := range fresh {
			if row[from+i] == 0 && m.lex.stems[w] == m.stems[q] {
				row[from+i] = 1 // words that the table does not know
			}
		}
	}
}

// best writes to dst, by query word, how like the most like word of doc is. The doc's
// words must have been learnt.
func (m *soft) best(doc uint32, dst []float32) {
	clear(dst)
	for _, w := range m.lex.of(doc) {
		s := m.slot[w]
		for q := range dst {
			dst[q] = max(dst[q], m.like[q][s])
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
