package plugins

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
	"github.com/orma-memory/orma/sdk/proc"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// TestMain makes this binary the plugin when a host starts it.
func TestMain(m *testing.M) {
	if os.Getenv(pb.CookieKey) != "" {
		proc.Serve(young{})
		return
	}
	os.Exit(m.Run())
}

// young is [Young] as a plugin.
type young struct{}

func (young) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "young", Version: "1", Contract: abi.Rank, Summary: "Young first", Doc: "For a benchmark.",
		Columns: []abi.Column{{Name: "score", Kind: abi.F32, Read: true, Write: true}, {Name: "age_days", Kind: abi.F32, Read: true}},
	}
}

func (young) Configure(*guest.Params) error { return nil }

func (young) Rank(f *guest.Frame) error {
	score, age := f.F32("score"), f.F32("age_days")
	for i := range score {
		days := max(float64(age[i]), 0)
		v := float64(score[i]) * (1 + 0.3*math.Exp2(-days/30))
		score[i] = float32(min(v, math.MaxFloat32))
	}
	return nil
}

func process(tb testing.TB) pipeline.Stage {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	h := prochost.New(prochost.Options{})
	tb.Cleanup(func() { _ = h.Close() })
	p, err := h.Open(context.Background(), host.Source{Path: exe, Trusted: true})
	if err != nil {
		tb.Fatal(err)
	}
	return build(tb, p.Stages[0], p.Stages[0].NewParams(), "")
}

// TestProcessTwin: the process ranks as its twin does.
func TestProcessTwin(t *testing.T) {
	f := candidates()
	got, gotScores := rank(t, process(t), f)
	want, wantScores := rank(t, build(t, Young(), params{}, ""), f)
	if !slices.Equal(got, want) || !slices.Equal(gotScores, wantScores) {
		t.Error("the rankings differ")
	}
	if slices.Equal(wantScores, f.F32(frame.Score)) {
		t.Error("the twin changes nothing")
	}
}

// BenchmarkProcess reports what a stage in a process costs beyond its twin.
func BenchmarkProcess(b *testing.B) {
	overhead(b, process(b), build(b, Young(), params{}, ""))
}

// BenchmarkProcessStart starts and configures a program whose manifest is in the cache,
// and ends it.
func BenchmarkProcessStart(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cache := b.TempDir()
	for b.Loop() {
		h := prochost.New(prochost.Options{Cache: cache})
		p, err := h.Open(b.Context(), host.Source{Path: exe, Trusted: true})
		if err != nil {
			b.Fatal(err)
		}
		build(b, p.Stages[0], p.Stages[0].NewParams(), "")
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
