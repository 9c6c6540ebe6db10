package wordpiece

import (
	_ "embed" // for the vocabulary
	"errors"
	"fmt"
	"strings"
	"sync"
)

//go:embed data/vocab.txt
var english string

// English returns the vocabulary of bert-base-uncased, 30,522 tokens, which is part of the program. It
// is read at the first call, which takes about a millisecond.
func English() *Vocab { return load() }

var load = sync.OnceValue(func() *Vocab {
	v, err := New(english)
	if err != nil {
		panic(err) // a broken build
	}
	return v
})

// ErrVocab says that a vocabulary cannot be used.
var ErrVocab = errors.New("bad vocabulary")

// maxTokens bounds a vocabulary; the largest in use have a quarter million.
const maxTokens = 1 << 22

// Vocab maps tokens to ids. It never changes and is safe for concurrent use.
type Vocab struct {
	text  string   // one token a line, in the order of ids
	ends  []uint32 // where each line of text ends; it starts behind the end before it
	slots []uint64 // hash table, open addressing: hash<<32 | id+1, or 0 where empty
	known []uint64 // a bit for the low bits of each token's hash: most starts of words are no token
	long  int      // bytes of the longest token, without a leading ##

	unk, cls, sep int32
}

// New reads a vocabulary: one token a line, the first with id 0, word continuations with a leading
// "##". It keeps text. It gives [ErrVocab] if [UNK], [CLS] or [SEP] is missing, or a token is there
// twice.
func New(text string) (*Vocab, error) {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\r")
	v := &Vocab{text: text}
	n := strings.Count(text, "\n") + 1
	if n > maxTokens || uint64(len(text)) > 1<<31 {
		return nil, fmt.Errorf("%w: more than %d tokens", ErrVocab, maxTokens)
	}
	size := 1024
	for size < 2*n {
		size *= 2
	}
	v.ends, v.slots, v.known = make([]uint32, 0, n), make([]uint64, size), make([]uint64, size/16)
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		v.ends = append(v.ends, uint32(end))
		if err := v.add(uint32(len(v.ends) - 1)); err != nil {
			return nil, err
		}
		start = end + 1
	}
	for _, s := range []struct {
		name string
		id   *int32
	}{{"[UNK]", &v.unk}, {"[CLS]", &v.cls}, {"[SEP]", &v.sep}} {
		id, ok := v.ID(s.name)
		if !ok {
			return nil, fmt.Errorf("%w: no %s", ErrVocab, s.name)
		}
		*s.id = id
	}
	return v, nil
}

// add enters a token in the hash table.
func (v *Vocab) add(id uint32) error {
	token := v.Token(int32(id))
	h := hash(token)
	i := v.slot(h)
	for ; v.slots[i] != 0; i = v.slot(i + 1) {
		if uint32(v.slots[i]>>32) != h {
			continue
		}
		if other := uint32(v.slots[i]) - 1; v.Token(int32(other)) == token {
			return fmt.Errorf("%w: token %q is there twice, as %d and %d", ErrVocab, token, other, id)
		}
	}
	v.slots[i] = uint64(h)<<32 | uint64(id+1)
	word, bit := v.knownAt(h)
	v.known[word] |= bit
	v.long = max(v.long, len(strings.TrimPrefix(token, "##")))
	return nil
}

func (v *Vocab) slot(h uint32) uint32 { return h & uint32(len(v.slots)-1) }

// knownAt returns where the bit of a hash is.
func (v *Vocab) knownAt(h uint32) (word, bit uint64) {
	return uint64(h/64) & uint64(len(v.known)-1), 1 << (h & 63)
}

// Len returns the number of tokens.
func (v *Vocab) Len() int { return len(v.ends) }

// Special returns the ids of [CLS], which starts a text for a transformer, and [SEP], which ends it.
func (v *Vocab) Special() (cls, sep int32) { return v.cls, v.sep }

// Token returns the token with the given id, or "" if there is none.
func (v *Vocab) Token(id int32) string {
	if id < 0 || int(id) >= len(v.ends) {
		return ""
	}
	start := uint32(0)
	if id > 0 {
		start = v.ends[id-1] + 1
	}
	return v.text[start:v.ends[id]]
}

// ID returns the id of a token, word continuations with their leading "##".
func (v *Vocab) ID(token string) (int32, bool) {
	return find(v, hash(token), "", token)
}

// find returns the id of the token prefix+piece, whose hash is h.
func find[T string | []byte](v *Vocab, h uint32, prefix string, piece T) (int32, bool) {
	for i := v.slot(h); v.slots[i] != 0; i = v.slot(i + 1) {
		if uint32(v.slots[i]>>32) != h {
			continue
		}
		id := int32(uint32(v.slots[i]) - 1)
		token := v.Token(id)
		if len(token) == len(prefix)+len(piece) && token[:len(prefix)] == prefix && token[len(prefix):] == string(piece) {
			return id, true
		}
	}
	return 0, false
}

// The hash is 32-bit FNV-1a (Fowler, Noll, Vo), folded so that its low bits depend on all.
const (
	hashStart = 2166136261
	hashPrime = 16777619
)

func hashByte(h uint32, b byte) uint32 { return (h ^ uint32(b)) * hashPrime }

func fold(h uint32) uint32 { return h ^ h>>15 }

func hash(s string) uint32 {
	h := uint32(hashStart)
	for i := range len(s) {
		h = hashByte(h, s[i])
	}
	return fold(h)
}
