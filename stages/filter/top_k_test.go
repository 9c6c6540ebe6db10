package filter

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestTopK(t *testing.T) { conform(t, TopK) }

func TestTopKBreaksTiesByID(t *testing.T) {
	f := rows(5, TopK)
	copy(f.F32(frame.Score), []float32{1, 3, 3, 0, 2})
	copy(f.I64(frame.ID), []int64{0, 9, 4, 1, 2})
	run(t, stage(t, TopK, TopKParams{K: 3}), f)
	wantOrder(t, f, 2, 1, 4)
	refused(t, TopK, TopKParams{K: -1})
}

func TestTopKMoreThanThereAre(t *testing.T) {
	f := rows(2, TopK)
	run(t, stage(t, TopK, TopKParams{K: 3}), f)
	wantOrder(t, f, 0, 1)
}

func BenchmarkTopK(b *testing.B) { bench(b, TopK) }
