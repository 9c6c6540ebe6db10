package index

import (
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/bm25"
	"github.com/orma-memory/orma/core/vector"
)

// Space is the index of one space, for the vectors of one embedder. It is a
// [core.Sink]: a store feeds it. Recalls read it through [Space.Begin], many at
// once; feeding waits for them and keeps them out, for as long as the new rows take.
type Space struct {
	mu       sync.RWMutex
	name     string
	embedder string
	dim      int // of the embedder's vectors; 0: no vectors
	version  core.Version
	saved    int // rows that the stored snapshot has

	wordVectors WordVectors
	dates       Dates
	row         []float32

	words   *bm25.Index
	terms   text.Terms
	vecs    *vector.Matrix // nil without vectors
	vecDocs []uint32       // doc of each matrix row

	items        []item
	live         vector.Bitmap // docs that may be found
	liveRows     vector.Bitmap // the same, by matrix row
	docs         map[core.ID]uint32
	speakers     names
	speakerTerms map[string]int32 // search terms of speakers' names
	sessions     names
	sources      names
	runs         [][]uint32 // docs of each session, in the order they came
	place        []int32    // position of each doc in its run, -1 without a session
	expiring     []uint32   // docs that expire some day
	uses         map[uint32][]int64
	lengths      []uint32 // of each doc's vector with its neighbours', as bits of a float32; 0: not known

	lex     *lexicon
	facts   facts
	quotes  *quotes
	graph   graph
	meanVec []float32 // nil before it is asked for
	sum     []float64 // of all vectors, by dimension
	sights  sights
}

// Options say what an index holds.
type Options struct {
	Embedder string      // whose vectors; empty: none
	Dim      int         // of its vectors
	Words    WordVectors // for matching words that differ; nil: none
	Dates    Dates       // finds the days that a query names; nil: none
	SaveSoon bool        // snapshots are stored when much is new, not by Save alone
}

// New returns an empty index.
func New(name string, o Options) *Space {
	s := &Space{name: name, embedder: o.Embedder, dim: o.Dim, wordVectors: o.Words, dates: o.Dates}
	s.Reset()
	return s
}

// Name returns the space's name.
func (s *Space) Name() string { return s.name }

// Version returns the version that the index is at.
func (s *Space) Version() core.Version {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.version
}

// Reset empties the index. It is part of [core.Sink]; callers hold the write lock.
func (s *Space) Reset() {
	s.version, s.saved = core.Version{}, 0
	s.words = bm25.New()
	s.vecs, s.vecDocs = nil, nil
	if s.dim > 0 {
		s.vecs, _ = vector.New(s.dim) // a bad dimension leaves the space without vectors
	}
	s.items, s.live, s.liveRows = nil, nil, nil
	s.docs = map[core.ID]uint32{}
	s.speakerTerms = map[string]int32{}
	s.speakers, s.sessions, s.sources = newNames(), newNames(), newNames()
	s.runs, s.place, s.expiring, s.lengths = nil, nil, nil, nil
	s.uses = map[uint32][]int64{}
	s.lex = newLexicon(s.wordVectors)
	s.facts, s.quotes, s.graph = newFacts(), newQuotes(), newGraph()
	s.sum = make([]float64, s.dim)
	s.meanVec = nil
	s.sights.forget()
}

// add gives the next doc to an item.
func (s *Space) add(it item, body string) (uint32, error) {
	doc := uint32(len(s.items))
	s.terms.Tokenize(body)
	if err := s.addWords(&it); err != nil {
		return 0, err
	}
	it.words = uint16(min(s.terms.ContentWords(), 1<<16-1))
	if strings.ContainsAny(body, questionMarks) {
		it.flags |= flagQuestion
	}
	if strings.ContainsAny(body, "0123456789") {
		it.flags |= flagDigit
	}
	if s.lex.add(body) {
		it.flags |= flagTime
	}
	s.items = append(s.items, it)
	s.live.Set(doc)
	s.docs[it.id] = doc
	if it.expires != 0 {
		s.expiring = append(s.expiring, doc)
	}
	s.place = append(s.place, s.seat(doc, &it))
	s.lengths = append(s.lengths, 0)
	s.forgetLengths(doc)
	return doc, nil
}

// seat puts a passage at the end of its session's run and returns its place there, -1
// without a session.
func (s *Space) seat(doc uint32, it *item) int32 {
	if it.session < 0 || it.kind != uint8(frame.ItemPassage) {
		return -1
	}
	for int(it.session) >= len(s.runs) {
		s.runs = append(s.runs, nil)
	}
	s.runs[it.session] = append(s.runs[it.session], doc)
	return int32(len(s.runs[it.session]) - 1)
}

// addToSum adds a row of the matrix to the sum of all.
func (s *Space) addToSum(row uint32) {
	s.row, _ = s.vecs.Row(row, s.row[:0])
	for i, x := range s.row {
		s.sum[i] += float64(x)
	}
}

// speaker returns a speaker's number, and learns the words of a new name.
func (s *Space) speaker(name string) int32 {
	known := len(s.speakers.list)
	n := s.speakers.add(name)
	if len(s.speakers.list) > known {
		s.terms.Tokenize(name)
		for _, w := range wholeWords(&s.terms) {
			if _, taken := s.speakerTerms[w]; !taken {
				s.speakerTerms[w] = n
			}
		}
	}
	return n
}

// kill takes a doc out of what can be found.
func (s *Space) kill(doc uint32) {
	s.live.Clear(doc)
	if row := s.items[doc].vec; row >= 0 {
		s.liveRows.Clear(uint32(row))
	}
	s.items[doc].flags |= flagDead
}

// questionMarks are those of all scripts.
const questionMarks = "?？؟՞፧"

// seconds is a time as items keep it; the zero time is 0.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// meanPrior is how many rows of nothing are in the mean of a space's vectors, so that a
// few rows do not make one.
const meanPrior = 20

// refresh takes the mean and what stands again after a feed.
func (s *Space) refresh() {
	s.facts.refresh()
	n := len(s.vecDocs)
	if n == 0 {
		s.meanVec = nil
		return
	}
	s.meanVec = make([]float32, s.dim)
	for i, x := range s.sum {
		s.meanVec[i] = float32(x / float64(n+meanPrior))
	}
}

// Bytes is about the memory that the index takes.
func (s *Space) Bytes() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := int64(s.words.Docs())*160 + int64(cap(s.items))*56 + int64(len(s.docs))*24 + int64(cap(s.lex.flat)+cap(s.lex.ends))*4
	if s.vecs != nil {
		n += int64(s.vecs.Bytes())
	}
	return n + s.lex.bytes() + s.quotes.size()
}
