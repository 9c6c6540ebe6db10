//go:build unix

package plugins

import (
	"syscall"
	"testing"
	"time"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
)

// BenchmarkSecondStart opens and configures a Go guest whose compiled code is cached, and
// reports the CPU time of a start too: on a busy machine the other is that of its
// neighbours.
func BenchmarkSecondStart(b *testing.B) {
	file, cache := goGuest(b), b.TempDir()
	start := func() {
		h := wasmhost.New(wasmhost.Options{Cache: cache})
		p, err := h.Open(b.Context(), host.Source{Path: file})
		if err != nil {
			b.Fatal(err)
		}
		build(b, p.Stages[0], p.Stages[0].NewParams(), "")
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
	start()
	before := cpu(b)
	for b.Loop() {
		start()
	}
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/1000/float64(b.N), "ms-cpu/op")
}

// cpu is the CPU time that this process has used.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
