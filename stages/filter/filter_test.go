package filter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// conform holds a stage to the suite and to the rules of this folder.
func conform(t *testing.T, spec pipeline.Spec) {
	t.Helper()
	if spec.Folder != "filter" {
		t.Errorf("folder is %q", spec.Folder)
	}
	stagetest.RunSuite(t, stagetest.Suite{Spec: spec, AllocFree: true})
	t.Run("order of live rows", func(t *testing.T) { ignoresOrder(t, spec) })
}

// ignoresOrder checks that the same rows stay, in whatever order the live rows come.
func ignoresOrder(t *testing.T, spec pipeline.Spec) {
	t.Helper()
	st := stage(t, spec, spec.NewParams())
	for seed := range uint64(8) {
		f := stagetest.Frame(&spec, 200, seed)
		g := f.Clone()
		order := slices.Clone(f.Order())
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		g.SetOrder(order)
		run(t, st, f)
		run(t, st, g)
		a, b := slices.Sorted(slices.Values(f.Order())), slices.Sorted(slices.Values(g.Order()))
		if !slices.Equal(a, b) {
			t.Fatalf("seed %d: other rows stay once the order is shuffled", seed)
		}
	}
}

func stage(t testing.TB, spec pipeline.Spec, params any) pipeline.Stage {
	t.Helper()
	st, err := spec.Build(params, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func run(t testing.TB, st pipeline.Stage, f *frame.Frame) {
	t.Helper()
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, spec pipeline.Spec, params ...any) {
	t.Helper()
	for _, p := range params {
		if _, err := spec.Build(p, component.Deps{}); err == nil {
			t.Errorf("%s was built with %+v", spec.Name, p)
		}
	}
}

// rows makes a frame for a stage whose first row is the best.
func rows(n int, spec pipeline.Spec) *frame.Frame {
	cols := slices.Concat([]frame.Column{frame.ID, frame.Score}, spec.Reads, spec.Any)
	f := frame.New(n, append(cols, spec.Writes...)...)
	for i := range n {
		f.I64(frame.ID)[i] = int64(i)
		f.F32(frame.Score)[i] = float32(n - i)
	}
	return f
}

func wantOrder(t *testing.T, f *frame.Frame, want ...int32) {
	t.Helper()
	if !slices.Equal(f.Order(), want) {
		t.Errorf("got rows %v, want %v", f.Order(), want)
	}
}

func bench(b *testing.B, spec pipeline.Spec) {
	b.Helper()
	for _, n := range []int{60, 200, 1000, 10_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			st := stage(b, spec, spec.NewParams())
			f := stagetest.Frame(&spec, n, 0)
			order := slices.Clone(f.Order())
			ctx := b.Context()
			run(b, st, f) // warm
			b.ReportAllocs()
			for b.Loop() {
				f.SetOrder(order)
				if err := st.Run(ctx, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var nan = float32(math.NaN())
