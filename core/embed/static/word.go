package static

import "github.com/orma-memory/orma/core/embed"

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
		if id == e.unknown {
			return false
		}
		e.table.add(dst, id)
	}
	return embed.Normalize(dst)
}
