package text

import "iter"

// TokenizerVersion is stored with everything built from terms. It grows when
// the same text would give other terms, and what was built must then be built
// again.
const TokenizerVersion = 2

// maxTermBytes bounds a term; a longer word is cut into terms of this size.
const maxTermBytes = 128

// Term is one search term of a text.
type Term struct {
	Text  []byte // valid until the next Tokenize
	Pos   uint32 // which word of the text it belongs to, from 0
	Class Class
	Stop  bool // an English function word
}

// Terms tokenises texts and holds the terms of the last one. It reuses its
// memory: tokenising allocates nothing once the buffers have grown. The zero
// value is ready; it is not safe for concurrent use.
type Terms struct {
	buf     []byte  // the terms' bytes, one after the other
	toks    []token // where they are
	norm    normaliser
	src     []byte // the text in normal form
	fold    []byte // the compound, run or word that is being read, folded
	atoms   []atom // its pieces
	cuts    []int  // where its camel-case pieces begin, in fold
	pos     uint32
	content int
}

type token struct {
	start, end, pos uint32
	class           Class
	stop            bool
}

// Tokenize replaces the terms by those of s, in the order of the text. It
// accepts any string; bytes that are not UTF-8 separate words.
func (t *Terms) Tokenize(s string) {
	t.buf, t.toks = t.buf[:0], t.toks[:0]
	t.pos, t.content = 0, 0
	t.src = t.norm.appendTo(t.src[:0], s)
	t.scan()
}

// Len returns the number of terms.
func (t *Terms) Len() int { return len(t.toks) }

// At returns term i.
func (t *Terms) At(i int) Term {
	k := &t.toks[i]
	return Term{Text: t.buf[k.start:k.end:k.end], Pos: k.pos, Class: k.class, Stop: k.stop}
}

// All yields the terms in order.
func (t *Terms) All() iter.Seq[Term] {
	return func(yield func(Term) bool) {
		for i := range t.toks {
			if !yield(t.At(i)) {
				return
			}
		}
	}
}

// Words returns the length of the text in words: the positions its terms take.
// Pieces of a compound count, prefixes and pairs inside a word do not; of a
// script without spaces each pair of characters counts.
func (t *Terms) Words() int { return int(t.pos) }

// ContentWords returns the number of words that are no function words, by
// which the weight of a statement is judged. Emoji do not count, and of a
// script without spaces two characters make a word.
func (t *Terms) ContentWords() int { return t.content }

// AppendJoined appends the terms, a space between each two, to dst. This is
// the form the durable full-text table stores; see the package comment.
func (t *Terms) AppendJoined(dst []byte) []byte {
	for i, k := range t.toks {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.buf[k.start:k.end]...)
	}
	return dst
}

// push adds a term at the current position.
func (t *Terms) push(term []byte, class Class, stop bool) {
	if len(term) == 0 {
		return
	}
	start := len(t.buf)
	t.buf = append(t.buf, term...)
	t.toks = append(t.toks, token{uint32(start), uint32(len(t.buf)), t.pos, class, stop})
}

// pushStem adds an ASCII word, stemmed.
func (t *Terms) pushStem(word []byte, class Class, stop bool) {
	start := len(t.buf)
	t.buf = append(t.buf, word...)
	t.buf = t.buf[:start+len(stem(t.buf[start:]))]
	t.toks = append(t.toks, token{uint32(start), uint32(len(t.buf)), t.pos, class, stop})
}

// advance ends the current word; content tells whether it says something.
func (t *Terms) advance(content bool) {
	t.pos++
	if content {
		t.content++
	}
}
