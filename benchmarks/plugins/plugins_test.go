package plugins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
)

const rows = 200 // candidates of a recall

// words of made-up texts; the first ones are terms.
func words() []string {
	out := make([]string, 400)
	for i := range out {
		out[i] = fmt.Sprintf("word%03d", i*7919%400)
	}
	return out
}

// candidates are 200 rows of 100 bytes of text and ages up to two years.
func candidates() *frame.Frame {
	r := rand.New(rand.NewPCG(1, 2))
	f := frame.New(rows, frame.ID, frame.Score, frame.AgeDays, frame.Text)
	for i := range rows {
		f.I64(frame.ID)[i] = int64(i + 1)
		f.F32(frame.Score)[i] = r.Float32()
		f.F32(frame.AgeDays)[i] = 730 * r.Float32()
		var text []string
		for range 12 {
			text = append(text, words()[r.IntN(400)])
		}
		f.Strings(frame.Text)[i] = strings.Join(text, " ") + "."
	}
	return f
}

func open(tb testing.TB, file string, o wasmhost.Options) host.Provided {
	tb.Helper()
	o.Timeout = 20 * time.Second // where no deadline is given: the machine may be busy
	h := wasmhost.New(o)
	tb.Cleanup(func() { _ = h.Close() })
	p, err := h.Open(context.Background(), host.Source{Path: file})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func build(tb testing.TB, spec pipeline.Spec, params any, dir string) pipeline.Stage {
	tb.Helper()
	st, err := spec.Build(params, component.Deps{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	return st
}

// goGuest compiles the ranker of the Go plugin, or skips.
func goGuest(tb testing.TB) string {
	tb.Helper()
	out := filepath.Join(tb.TempDir(), "recency_curve.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, "../../plugins/recency_curve")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Run(); err != nil {
		tb.Skipf("skipped: the Go guest does not build: %v\n%s", err, log.String())
	}
	return out
}

// pair is a plugin's stage and its twin.
type pair struct {
	plugin, twin pipeline.Stage
	tolerance    float64 // of scores
}

func pairs(tb testing.TB) map[string]func() pair {
	young := func(name string) func() pair {
		return func() pair {
			p := open(tb, filepath.Join("testdata", name+".wasm"), wasmhost.Options{})
			return pair{build(tb, p.Stages[0], p.Stages[0].NewParams(), ""), build(tb, Young(), params{}, ""), 1e-6}
		}
	}
	return map[string]func() pair{
		"c": young("young_c"), "rust": young("young_rust"), "assemblyscript": young("young_assemblyscript"),
		"rust with text": func() pair {
			dir := tb.TempDir()
			var list strings.Builder
			factors := map[string]float32{}
			for i, w := range words()[:100] {
				factors[w] = 0.5 + float32(i)/64
				fmt.Fprintf(&list, "%s %v\n", w, factors[w])
			}
			if err := os.WriteFile(filepath.Join(dir, "terms.txt"), []byte(list.String()), 0o600); err != nil {
				tb.Fatal(err)
			}
			p := open(tb, "../../plugins/term_weights/term_weights.wasm", wasmhost.Options{})
			given := p.Stages[0].NewParams()
			reflect.ValueOf(given).Elem().Field(0).SetString("terms.txt")
			return pair{build(tb, p.Stages[0], given, dir), build(tb, Terms(factors), params{}, ""), 1e-6}
		},
	}
}

// rank runs a stage over a copy of the candidates and returns them in order.
func rank(tb testing.TB, st pipeline.Stage, f *frame.Frame) ([]int32, []float32) {
	tb.Helper()
	f = f.Clone()
	if err := st.Run(context.Background(), f); err != nil {
		tb.Fatal(err)
	}
	f.Rank(frame.Score)
	return f.Order(), f.F32(frame.Score)
}

// TestTwins: what is compared does the same.
func TestTwins(t *testing.T) {
	for name, make := range pairs(t) {
		t.Run(name, func(t *testing.T) {
			p, f := make(), candidates()
			got, gotScores := rank(t, p.plugin, f)
			want, wantScores := rank(t, p.twin, f)
			if !slices.Equal(got, want) {
				t.Errorf("the rankings differ")
			}
			for i := range wantScores {
				if d := float64(gotScores[i] - wantScores[i]); d > p.tolerance || d < -p.tolerance {
					t.Fatalf("row %d: %v, want %v", i, gotScores[i], wantScores[i])
				}
			}
			if slices.Equal(wantScores, f.F32(frame.Score)) {
				t.Error("the twin changes nothing")
			}
		})
	}
}

// BenchmarkOverhead reports the median of a plugin's run less that of its twin, the two
// taking turns, with the deadline that a recall gives.
func BenchmarkOverhead(b *testing.B) {
	all := pairs(b)
	for name, make := range all {
		b.Run(name, func(b *testing.B) {
			p := make()
			overhead(b, p.plugin, p.twin)
		})
	}
	b.Run("go", func(b *testing.B) {
		p := open(b, goGuest(b), wasmhost.Options{})
		overhead(b, build(b, p.Stages[0], p.Stages[0].NewParams(), ""), build(b, Young(), params{}, ""), frame.Item)
	})
}

func overhead(b *testing.B, plugin, twin pipeline.Stage, more ...frame.Column) {
	f := candidates()
	if len(more) > 0 {
		g := frame.New(rows, append(f.Columns(), more...)...)
		copy(g.I64(frame.ID), f.I64(frame.ID))
		copy(g.F32(frame.AgeDays), f.F32(frame.AgeDays))
		copy(g.F32(frame.Score), f.F32(frame.Score))
		f = g
	}
	keep := slices.Clone(f.F32(frame.Score))
	var took [2][]time.Duration
	b.ReportAllocs()
	for b.Loop() {
		for i, st := range []pipeline.Stage{plugin, twin} {
			copy(f.F32(frame.Score), keep)
			start := time.Now()
			var err error
			if i == 0 {
				err = Run(b.Context(), st, f)
			} else {
				err = st.Run(b.Context(), f)
			}
			took[i] = append(took[i], time.Since(start))
			if err != nil && !errors.Is(err, context.DeadlineExceeded) { // a busy machine
				b.Fatal(err)
			}
		}
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Nanoseconds()) / 1000
	}
	b.ReportMetric(median(took[0]), "µs-plugin")
	b.ReportMetric(median(took[1]), "µs-built-in")
	b.ReportMetric(median(took[0])-median(took[1]), "µs-overhead")
}

// BenchmarkStop reports how long after its deadline a guest that never ends is stopped.
func BenchmarkStop(b *testing.B) {
	for _, name := range []string{"loop", "loop_nested", "fibonacci", "recursion", "fill", "bomb", "random_flood"} {
		b.Run(name, func(b *testing.B) {
			p := open(b, filepath.Join("../../host/wasmhost/testdata/hostile", name+".wasm"), wasmhost.Options{})
			st := build(b, p.Stages[0], p.Stages[0].NewParams(), "")
			f := frame.New(3, frame.ID, frame.Score)
			var over []float64
			for b.Loop() {
				start := time.Now()
				if err := Run(b.Context(), st, f); err == nil {
					b.Fatal("it ended by itself")
				}
				over = append(over, float64((time.Since(start)-Deadline).Microseconds())/1000)
			}
			slices.Sort(over)
			b.ReportMetric(over[len(over)/2], "ms-over-median")
			b.ReportMetric(over[len(over)-1], "ms-over-most")
		})
	}
}
