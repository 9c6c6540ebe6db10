package stagetest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/orma-memory/orma/core/frame"
)

var errSource = errors.New("the source is gone")

// failing is a source that answers some calls and fails the rest, half way through.
type failing struct {
	*source
	left atomic.Int64
}

// Search fails once its calls are used up.
func (s *failing) Search(ctx context.Context, ch frame.Channel, k int, dst []frame.Hit) ([]frame.Hit, error) {
	if s.left.Add(-1) < 0 {
		return append(dst, frame.Hit{Doc: 0, Score: 1}), errSource
	}
	return s.source.Search(ctx, ch, k, dst)
}

// Score fails once its calls are used up.
func (s *failing) Score(ctx context.Context, ch frame.Channel, docs []uint32, dst []float32) error {
	if s.left.Add(-1) < 0 {
		for i := range dst[:(len(dst)+1)/2] {
			dst[i] = 7
		}
		return errSource
	}
	return s.source.Score(ctx, ch, docs, dst)
}

// checkFail lets the source fail at the first, second, … call. A stage may do
// without; if it returns the error, the pipeline goes on without the stage, and then
// nothing of it may be left in the frame.
func checkFail(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	for calls := range int64(8) {
		const n, seed = 257, 2
		f := Frame(&s.Spec, n, seed)
		src := &failing{source: newSource(n+spare, seed)}
		src.left.Store(calls)
		f.Source = src
		before := f.Clone()
		err := st.Run(ctx, f)
		if err == nil {
			continue
		}
		if !errors.Is(err, errSource) {
			r.Errorf("call %d fails: the error is %q and does not wrap the source's", calls+1, err)
			return
		}
		if why := differ(f, before); why != "" {
			r.Errorf("call %d fails: %s, though the stage failed", calls+1, why)
			return
		}
	}
}
