package stagetest

import (
	"context"
	"runtime"
	"time"

	"github.com/orma-memory/orma/core/frame"
)

// checkCost measures runs over 1,000 rows with the frames made beforehand. It takes
// the best of several rounds, since other work only ever adds to them.
func checkCost(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	const rows, rounds, each = 1000, 5, 10
	f := Frame(&s.Spec, rows, 2)
	run(ctx, r, st, f) // warm
	bestNanos, bestAllocs := -1.0, -1.0
	frames := make([]*frame.Frame, each)
	for range rounds {
		for i := range frames {
			frames[i] = f.Clone()
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		for _, f := range frames {
			if err := st.Run(ctx, f); err != nil {
				r.Errorf("%v", err)
				return
			}
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		nanos := float64(took.Nanoseconds()) / (rows * each)
		allocs := float64(after.Mallocs-before.Mallocs) / each
		if bestNanos < 0 || nanos < bestNanos {
			bestNanos = nanos
		}
		if bestAllocs < 0 || allocs < bestAllocs {
			bestAllocs = allocs
		}
	}
	r.Logf("%.1f ns a row, %.1f allocations a run at %d rows", bestNanos, bestAllocs, rows)
	if s.MaxNanosPerRow > 0 && bestNanos > s.MaxNanosPerRow {
		r.Errorf("%.1f ns a row, the limit is %.1f", bestNanos, s.MaxNanosPerRow)
	}
	if s.AllocFree && !raceEnabled && bestAllocs >= 1 {
		r.Errorf("%.1f allocations a run, want none", bestAllocs)
	}
}
