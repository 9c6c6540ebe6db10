package stagetest

import (
	"bytes"
	"context"
	"io"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/orma-memory/orma/core/pipeline"
)

// leakRuns tells the runs of checkLeak apart; tests may run it in parallel.
var leakRuns atomic.Uint64

const leakLabel = "orma_stagetest"

// checkLeak builds, runs and closes the stage under a profiler label. Goroutines
// pass their labels on to those they start, so one that is left over is known by
// it, whatever else the process does.
func checkLeak(ctx context.Context, r Reporter, s *Suite) {
	id := strconv.FormatUint(leakRuns.Add(1), 10)
	pprof.Do(ctx, pprof.Labels(leakLabel, id), func(ctx context.Context) {
		st := s.build(r)
		if st == nil {
			return
		}
		for seed := range uint64(8) {
			f := Frame(&s.Spec, 257, seed)
			run(ctx, r, st, f)
			if ret, ok := st.(pipeline.Retriever); ok && f.Source != nil {
				if _, err := ret.Retrieve(ctx, f.Query, f.Source, nil); err != nil {
					r.Errorf("%v", err)
				}
			}
		}
		if c, ok := st.(io.Closer); ok {
			if err := c.Close(); err != nil {
				r.Errorf("close: %v", err)
			}
		}
	})
	deadline := time.NewTimer(2 * time.Second) // for one that is about to end
	defer deadline.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for labelled(id) {
		select {
		case <-tick.C:
		case <-deadline.C:
			r.Errorf("a goroutine is still running after the stage is done")
			return
		}
	}
}

// labelled reports whether a goroutine carries the label.
func labelled(id string) bool {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return false
	}
	return bytes.Contains(b.Bytes(), []byte(strconv.Quote(leakLabel)+":"+strconv.Quote(id)))
}
