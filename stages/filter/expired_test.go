package filter

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestExpired(t *testing.T) { conform(t, Expired) }

func TestExpiredDropsTheExpired(t *testing.T) {
	f := rows(4, Expired)
	copy(f.F32(frame.Expired), []float32{0, 1, 0, 1})
	run(t, stage(t, Expired, Expired.NewParams()), f)
	wantOrder(t, f, 0, 2)
}

func BenchmarkExpired(b *testing.B) { bench(b, Expired) }
