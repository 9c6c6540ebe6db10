package filter

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestTrust(t *testing.T) { conform(t, Trust) }

func TestTrustKeepsFromMin(t *testing.T) {
	f := rows(6, Trust)
	copy(f.I64(frame.Trust), []int64{1, 2, 3, 4, 5, 6})
	run(t, stage(t, Trust, TrustParams{Min: 4}), f)
	wantOrder(t, f, 3, 4, 5)
	refused(t, Trust, TrustParams{Min: 0}, TrustParams{Min: 7})
}

func BenchmarkTrust(b *testing.B) { bench(b, Trust) }
