package filter

import (
	"testing"

	"github.com/orma-memory/orma/core/frame"
)

func TestSourceCap(t *testing.T) { conform(t, SourceCap) }

func capFrame(source, trust []int64) *frame.Frame {
	f := rows(len(source), SourceCap)
	copy(f.I64(frame.Origin), source)
	copy(f.I64(frame.Trust), trust)
	return f
}

func TestSourceCapLimitsOneSource(t *testing.T) {
	p := SourceCapParams{Share: 0.5, Rows: 4, Trusted: 5}
	for _, c := range []struct {
		name          string
		source, trust []int64
		want          []int32
	}{
		{"half for the flood", []int64{1, 1, 1, 1, 2, 3}, []int64{4, 4, 4, 4, 4, 4}, []int32{0, 1, 4, 5}},
		{"others cannot fill the answer", []int64{1, 1, 1, 1, 2}, []int64{4, 4, 4, 4, 4}, []int32{0, 1, 2, 4}},
		{"only one source", []int64{1, 1, 1, 1, 1, 1}, []int64{4, 4, 4, 4, 4, 4}, []int32{0, 1, 2, 3}},
		{"the user is not counted", []int64{1, 1, 1, 1, 2, 3}, []int64{6, 6, 6, 5, 4, 4}, []int32{0, 1, 2, 3, 4, 5}},
		{"no source", []int64{0, 0, 0, 0, 1}, []int64{1, 1, 1, 1, 1}, []int32{0, 1, 2, 3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := capFrame(c.source, c.trust)
			run(t, stage(t, SourceCap, p), f)
			wantOrder(t, f, c.want...)
		})
	}
	refused(t, SourceCap, SourceCapParams{Share: 2, Rows: 1, Trusted: 5}, SourceCapParams{Rows: 0, Trusted: 5},
		SourceCapParams{Rows: 1, Trusted: 8}, SourceCapParams{Share: nan, Rows: 1, Trusted: 5})
}

// TestSourceCapIgnoresTheIrrelevant: rows that score nothing fill no answer.
func TestSourceCapIgnoresTheIrrelevant(t *testing.T) {
	f := capFrame([]int64{1, 1, 1, 1, 2, 2}, []int64{4, 4, 4, 4, 4, 4})
	copy(f.F32(frame.Score), []float32{4, 3, 2, 1, 0, 0})
	run(t, stage(t, SourceCap, SourceCapParams{Share: 0.5, Rows: 4, Trusted: 5}), f)
	wantOrder(t, f, 0, 1, 2, 3, 4, 5)
}

func BenchmarkSourceCap(b *testing.B) { bench(b, SourceCap) }
