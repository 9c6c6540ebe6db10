package index

import (
	"strings"
	"sync"

	"github.com/orma-memory/orma/core"
)

// quotes are what the sources of facts say, as far as recalls have read it: a block of a
// hundred facts cites a hundred episodes, and the next one mostly the same.
type quotes struct {
	mu    sync.Mutex
	of    map[quoted]string
	bytes int // of the words and about of the map
}

// Bounds of what is kept, in bytes: of one quote, since a source may be a whole record, and
// of all, above which it begins anew.
const (
	quoteBytes  = 4 << 10
	quotesBytes = 4 << 20
	quoteEntry  = 64
)

type quoted struct {
	episode    core.ID
	start, end int
}

func newQuotes() *quotes { return &quotes{of: map[quoted]string{}} }

// size is about the memory that they take, in bytes.
func (q *quotes) size() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int64(q.bytes)
}

// Quote returns the words of a source of a fact, if they were kept.
func (v *View) Quote(src core.Source) (words string, kept bool) {
	q := v.s.quotes
	q.mu.Lock()
	defer q.mu.Unlock()
	words, kept = q.of[quoted{src.Episode, src.Start, src.End}]
	return words, kept
}

// KeepQuote keeps the words of a source of a fact for as long as the index follows its
// space: an erasure begins a new one.
func (v *View) KeepQuote(src core.Source, words string) {
	if len(words) > quoteBytes {
		return
	}
	q := v.s.quotes
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes += len(words) + quoteEntry; q.bytes > quotesBytes {
		clear(q.of)
		q.bytes = len(words) + quoteEntry
	}
	q.of[quoted{src.Episode, src.Start, src.End}] = strings.Clone(words) // not the whole episode
}
