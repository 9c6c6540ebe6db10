package retrieve

import (
	"context"
	"errors"

	"github.com/orma-memory/orma/core/frame"
)

// maxK bounds the rows a channel may add: ranking is for a few hundred.
const maxK = 10_000

func checkK(k int) error {
	if k < 1 || k > maxK {
		return errors.New("k must be between 1 and 10000")
	}
	return nil
}

// channel is a stage that searches one channel of the source and scores every row in
// its column.
type channel struct {
	ch  frame.Channel
	col frame.Column
	k   int
}

// Retrieve appends the channel's k best rows.
func (c *channel) Retrieve(ctx context.Context, _ *frame.Query, src frame.Source, dst []frame.Hit) ([]frame.Hit, error) {
	return src.Search(ctx, c.ch, c.k, dst)
}

// Run scores every row.
func (c *channel) Run(ctx context.Context, f *frame.Frame) error {
	return score(ctx, f, c.ch, f.F32(c.col))
}

// score fills a column with a channel's scores. On an error, and without a source, it
// is zero.
func score(ctx context.Context, f *frame.Frame, ch frame.Channel, col []float32) error {
	clear(col)
	if f.Source == nil || len(col) == 0 {
		return nil
	}
	if err := f.Source.Score(ctx, ch, f.Docs(), col); err != nil {
		clear(col)
		return err
	}
	return nil
}
