package latency

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// BenchmarkRecall is the warm recall that Run measures, with the profiler's flags of
// go test at hand.
func BenchmarkRecall(b *testing.B) {
	sizes := []int{2_000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, notes := range sizes {
		b.Run(strconv.Itoa(notes), func(b *testing.B) {
			ctx := context.Background()
			bed := newBed(Options{Notes: notes}, 0, filepath.Join(b.TempDir(), "bench.db"))
			if err := bed.fill(ctx); err != nil {
				b.Fatal(err)
			}
			g := bed.g
			m, err := local.Open(ctx, bed.o.Memory)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = m.Close() })
			if _, err := m.Recall(ctx, engine.Request{Query: g.Query()}); err != nil {
				b.Fatal(err)
			}
			var times []float64
			b.ReportAllocs()
			for b.Loop() {
				query := g.Query()
				start := time.Now()
				if _, err := m.Recall(ctx, engine.Request{Query: query}); err != nil {
					b.Fatal(err)
				}
				times = append(times, since(start))
			}
			p := percentiles(times)
			b.ReportMetric(p.P50, "p50-ms")
			b.ReportMetric(p.P95, "p95-ms")
		})
	}
}
