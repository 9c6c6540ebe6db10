package static

import (
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/embed"
)

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.table.dim }

// WordVector writes the unit vector of one word to dst, which has [Embedder.Dim] values,
// and reports whether the table knows the word: one of its own tokens, or put together
// from them. It allocates nothing.
func (e *Embedder) WordVector(dst []float32, word string) bool {
	ids := e.pool.Get().(*[]int32)
	defer e.pool.Put(ids)
	*ids = e.vocab.Encode((*ids)[:0], word, 0)
	clear(dst)
	for _, id := range *ids {
		if !e.means(id) {
			return false
		}
		e.table.add(dst, id)
	}
	return embed.Normalize(dst)
}

// means reports whether a token's row says anything: it is known, and no piece of a word in
// another script than Latin.
func (e *Embedder) means(id int32) bool {
	if id == e.unknown {
		return false
	}
	for _, r := range e.vocab.Token(id) {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	return true
}
