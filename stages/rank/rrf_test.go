package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestRRF(t *testing.T) { conform(t, RRF) }

func TestRRFByHand(t *testing.T) {
	f := rows(5, RRF)
	set(f, frame.BM25, 3, 9, 0, 3, 0)
	set(f, frame.Cosine, 0.2, 0.9, 0.5, -0.1, 0)
	run(t, stage(t, RRF, RRFParams{K: 60, Text: 1, Vector: 1}), f)
	// text ranks: 1, 0, 3; vector ranks: 1, 2, 0; the best is 2/61
	best := float32(2.0 / 61)
	wantNear(t, "score", f.F32(frame.Score), []float32{
		(1.0/62 + 1.0/63) / best, 1, (1.0 / 62) / best, (1.0 / 63) / best, 0,
	}, 1e-6)

	run(t, stage(t, RRF, RRFParams{K: 60, Text: 1, Vector: 1, Graded: true}), f)
	wantNear(t, "graded score", f.F32(frame.Score), []float32{
		(1.0/62 + 0.2/63) / best, (1 + 0.9) / 2, (0.5 / 62) / best, (1.0 / 63) / best, 0,
	}, 1e-6)
	refused(t, RRF, RRFParams{K: -1, Text: 1}, RRFParams{K: 60}, RRFParams{K: 60, Text: -1, Vector: 2})
}

func TestRRFIgnoresDroppedRows(t *testing.T) {
	f := rows(3, RRF)
	set(f, frame.BM25, 9, 5, 1)
	f.Keep(func(r int32) bool { return r != 0 })
	run(t, stage(t, RRF, RRFParams{K: 60, Text: 1}), f)
	wantNear(t, "score", f.F32(frame.Score), []float32{0, 1, 61.0 / 62}, 1e-6)
}

func BenchmarkRRF(b *testing.B) { bench(b, RRF) }
