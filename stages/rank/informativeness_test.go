package rank

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestInformativeness(t *testing.T) { conform(t, Informativeness) }

func TestInformativenessByHand(t *testing.T) {
	f := rows(5, Informativeness)
	set(f, frame.Words, 0, 1, 5.4, 40, 4000)
	set(f, frame.Score, 1, 1, 1, 1, 1)
	run(t, stage(t, Informativeness, InformativenessParams{Weight: 1, FullWords: 40}), f)
	// ln 2 / ln 41 = 0.18665, ln 6.4 / ln 41 = 0.49987
	wantNear(t, "feature", f.F32(InformativenessFeature), []float32{0, 0.186653, 0.499870, 1, 1}, 1e-5)
	wantNear(t, "score", f.F32(frame.Score), []float32{1, 1.205209, 1.648507, 2.718282, 2.718282}, 1e-5)
	refused(t, Informativeness, InformativenessParams{Weight: 21, FullWords: 40}, InformativenessParams{FullWords: 0})
}

func BenchmarkInformativeness(b *testing.B) { bench(b, Informativeness) }
