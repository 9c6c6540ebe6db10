package stagetest

import (
	"context"
	"math"
	"slices"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// checkRetrieve is for stages that add rows.
func checkRetrieve(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	ret, ok := st.(pipeline.Retriever)
	if ok != (s.Spec.Effect&pipeline.Adds != 0) {
		r.Errorf("Effect says Adds: %v, but the stage is a Retriever: %v", !ok, ok)
	}
	if !ok {
		return
	}
	for _, n := range Sizes() {
		for seed := range min(seeds(n), 8) {
			src, q := newSource(n, seed), query(seed)
			first := frame.Hit{Doc: math.MaxUint32, Score: -1} // what dst holds already stays
			hits, err := ret.Retrieve(ctx, q, src, []frame.Hit{first})
			again, err2 := ret.Retrieve(ctx, q, src, []frame.Hit{first})
			switch {
			case err != nil || err2 != nil:
				r.Errorf("rows=%d seed=%d: %v, %v", n, seed, err, err2)
				return
			case !slices.Equal(hits, again):
				r.Errorf("rows=%d seed=%d: a second search finds something else", n, seed)
				return
			case len(hits) == 0 || hits[0] != first:
				r.Errorf("rows=%d seed=%d: what dst held is gone", n, seed)
				return
			}
			if why := badHits(hits[1:], n); why != "" {
				r.Errorf("rows=%d seed=%d: %s", n, seed, why)
				return
			}
		}
	}
}

func badHits(hits []frame.Hit, rows int) string {
	seen := make(map[uint32]bool, len(hits))
	last := float32(math.Inf(1))
	for _, h := range hits {
		switch {
		case int(h.Doc) >= rows:
			return "a hit is not in the source"
		case seen[h.Doc]:
			return "an item was found twice"
		case !(h.Score <= last): // NaN too
			return "the hits are not best first"
		}
		seen[h.Doc], last = true, h.Score
	}
	return ""
}
