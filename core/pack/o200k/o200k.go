// Package o200k counts tokens as OpenAI's o200k_base vocabulary does (GPT-4o and
// later), without a network and without other modules.
//
// The vocabulary is that of github.com/openai/tiktoken (MIT licence), file
// o200k_base.tiktoken, SHA-256
// 446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d, packed by gen.go to
// 1.1 MB. Marks such as <|endoftext|> count as the text they are.
package o200k

import (
	"bytes"
	"compress/flate"
	_ "embed" // the vocabulary
	"fmt"
	"hash/maphash"
	"io"
	"sync"
)

//go:generate go run gen.go o200k_base.tiktoken vocab.bin

//go:embed vocab.bin
var packed []byte

const (
	size   = 199_998          // tokens
	slots  = 1 << 19          // of the hash table: 0.38 full
	none   = int32(1<<31 - 1) // rank of bytes that are no token
	longer = 128              // longest token, in bytes
)

// vocabulary is a hash table from the bytes of a token to its rank.
type vocabulary struct {
	seed  maphash.Seed
	text  []byte
	ends  []uint32 // token i is text[ends[i]:ends[i+1]]
	table []int32  // rank + 1, or 0
}

// load unpacks the vocabulary: about 15 ms and 5 MB, once.
var load = sync.OnceValues(func() (*vocabulary, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, fmt.Errorf("o200k vocabulary: %w", err)
	}
	v := &vocabulary{seed: maphash.MakeSeed(), ends: make([]uint32, 1, size+1), table: make([]int32, slots)}
	v.text = raw[:0] // the words move over their length bytes
	for i := 0; i < len(raw); {
		n := int(raw[i])
		if i+1+n > len(raw) || n > longer {
			return nil, fmt.Errorf("o200k vocabulary: damaged at byte %d", i)
		}
		v.text = append(v.text, raw[i+1:i+1+n]...)
		v.ends = append(v.ends, uint32(len(v.text)))
		i += 1 + n
	}
	if len(v.ends) != size+1 {
		return nil, fmt.Errorf("o200k vocabulary: %d tokens, want %d", len(v.ends)-1, size)
	}
	for rank := range int32(size) {
		at := maphash.Bytes(v.seed, v.token(rank)) % slots
		for v.table[at] != 0 {
			at = (at + 1) % slots
		}
		v.table[at] = rank + 1
	}
	return v, nil
})

func (v *vocabulary) token(rank int32) []byte { return v.text[v.ends[rank]:v.ends[rank+1]] }

// rank returns the rank of a token, or none.
func (v *vocabulary) rank(s string) int32 {
	if len(s) > longer {
		return none
	}
	for at := maphash.String(v.seed, s) % slots; ; at = (at + 1) % slots {
		rank := v.table[at] - 1
		if rank < 0 {
			return none
		}
		if string(v.token(rank)) == s {
			return rank
		}
	}
}

// Counter counts tokens. It is safe for concurrent use. Use [New].
type Counter struct{ v *vocabulary }

// New unpacks the vocabulary, once in a process, and returns a counter.
func New() (*Counter, error) {
	v, err := load()
	if err != nil {
		return nil, err
	}
	return &Counter{v}, nil
}

// Name returns "o200k".
func (*Counter) Name() string { return "o200k" }

// Count returns the number of tokens of text.
func (c *Counter) Count(text string) int {
	n := 0
	for text != "" {
		end := split(text)
		n += c.v.count(text[:end])
		text = text[end:]
	}
	return n
}
