// Package bm25 is the in-memory text index of one space: exact top-k BM25 over
// short documents with two fields.
//
// Documents are numbered from 0 in the order they are added. The first field
// is a document's own text. The second, its context, is the text around it in
// its session: the documents of the same turn and of the [ContextTurns] turns
// before and after, no more than [ContextDocs] on either side. The context has
// no postings of its own. What a term adds to it is summed at query time from
// the neighbours' postings, found through links from document to document. So
// it is exact, costs no memory a posting, and nothing is rewritten when later
// turns arrive.
//
// A term t adds to the score of a document
//
//	w(t) · idf(t) · f·(k1+1) / (f + k1·(1 − b + b·l/avg))
//
// where f is the weighted sum of its frequencies in the two fields, l that of
// their lengths, avg the mean of l, and idf(t) = ln(1 + (N − n + 0.5)/(n + 0.5))
// over the N documents of which n hold t in their own text. With one field of
// weight 1 that is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009), with both BM25F with a common length
// normalisation. A document's length is its number of words, function words
// included.
//
// Scores are summed in whole steps of a 2^24th of what the query could reach
// at most, so that a sum does not depend on its order, equal documents have
// equal scores, and [Index.Search] and [Index.Score] agree to the bit.
package bm25

import (
	"errors"
	"math"
	"sync"

	"github.com/orma-memory/orma/core/text"
)

// The reach of a document's context, in turns and in documents to each side.
const (
	ContextTurns = 2
	ContextDocs  = 8
)

// NoSession is the session of a document that stands alone.
const NoSession uint32 = math.MaxUint32

// MaxKinds bounds the kinds a document can have.
const MaxKinds = 32

// What [Index.Add] refuses.
var (
	ErrSession = errors.New("session number skips unused ones")
	ErrKind    = errors.New("document kind out of range")
	ErrFull    = errors.New("index holds the largest number of documents")
)

// Doc is what is added to the index.
type Doc struct {
	Text string
	// Session is the number of the session the document belongs to, or
	// [NoSession]. Sessions are numbered from 0 without gaps by their first use.
	Session uint32
	// Turn tells which documents of a session were one turn: neighbouring
	// documents with equal Turn. Its value means nothing else.
	Turn uint64
	// Kind is the caller's, below [MaxKinds]; a search can be limited to some.
	Kind uint8
}

// Hit is a document found.
type Hit struct {
	Doc   uint32
	Score float32
}

// Params are the constants of the formula in the package comment.
type Params struct {
	K1, B         float32 // saturation, 0 or more, and length normalisation, 0 to 1
	Text, Context float32 // weights of the fields, 0 or more
}

// Options are the parameters and the filters of a search.
type Options struct {
	Params
	// Kinds has a bit (1<<kind) for each kind wanted; 0 wants all.
	Kinds uint32
	// Keep, if set, is asked whether a document that could be a hit may be one.
	// It must answer the same for the same document during a search.
	Keep func(doc uint32) bool
}

// Index is a text index. It is safe for concurrent use: searches run side by
// side; Add holds them up for some microseconds, Remove a little longer. Make
// one with [New].
type Index struct {
	write sync.Mutex // held by whoever changes the index
	terms text.Terms // writers' tokeniser

	mu       sync.RWMutex // readers; held for writing while what follows changes
	dict     dict
	lists    []list // by term
	docs     docTable
	sessions []session

	scratches sync.Pool // of *scratch
}

// New returns an empty index.
func New() *Index { return &Index{dict: newDict(0, 0)} }

// Docs returns how many documents the index holds, without removed ones.
func (x *Index) Docs() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.docs.live
}

// Next returns the number the next document will have: the count of all ever
// added.
func (x *Index) Next() uint32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return uint32(len(x.docs.kind))
}

// Sessions returns how many sessions the index has seen.
func (x *Index) Sessions() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.sessions)
}

// Live tells whether the document exists and was not removed.
func (x *Index) Live(doc uint32) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.docs.isLive(doc)
}

// DF returns how many documents hold the term in their own text. The term is
// one of the tokeniser's.
func (x *Index) DF(term string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.df(term)
}

// IDF returns the weight of the term by its rarity, as in the package comment.
func (x *Index) IDF(term string) float32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return float32(x.idf(x.df(term)))
}

func (x *Index) df(term string) int {
	if id, ok := x.dict.find(term); ok {
		return len(x.lists[id].docs)
	}
	return 0
}

func (x *Index) idf(df int) float64 {
	n := float64(df)
	return math.Log(1 + (float64(x.docs.live)-n+0.5)/(n+0.5))
}
