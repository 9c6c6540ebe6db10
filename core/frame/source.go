package frame

import (
	"context"
	"time"
)

// Query is one question to one space.
type Query struct {
	Space   string
	Text    string
	Now     time.Time
	Zone    *time.Location
	Session string // the conversation being held, if known
	// Vectors holds the query's vector by embedder name. An embedder that failed has
	// none, and its channels are empty.
	Vectors map[string][]float32
}

// Hit is a candidate of one channel: the source's number of an item and its score.
type Hit struct {
	Doc   uint32
	Score float32
}

// Channel names a way of scoring items against the query.
type Channel struct {
	// Name is the channel's column name: "bm25", "context", "cosine", "session_text",
	// "session_cosine", "recent", "link".
	Name string
	// Embedder is the embedder of a vector channel.
	Embedder string
}

// Source is one space's indexes at one moment, pinned for one query. Retrieve
// stages find candidates through it. Methods may be called from several
// goroutines at once.
type Source interface {
	// Rows is the number of items that could be found.
	Rows() int
	// Search appends up to k items with the highest scores above zero in a channel,
	// best first, ties to the lower number.
	Search(ctx context.Context, ch Channel, k int, dst []Hit) ([]Hit, error)
	// Score writes the channel's score of each item in docs to dst.
	Score(ctx context.Context, ch Channel, docs []uint32, dst []float32) error
	// Fill fills the base columns of all rows that the frame has.
	Fill(f *Frame) error
}
