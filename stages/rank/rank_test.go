package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// conform holds a stage to the suite, without allocations.
func conform(t *testing.T, spec pipeline.Spec) {
	t.Helper()
	if spec.Folder != "rank" || spec.Effect != 0 {
		t.Errorf("folder %q, effect %v: a ranker only changes scores", spec.Folder, spec.Effect)
	}
	stagetest.RunSuite(t, stagetest.Suite{Spec: spec, AllocFree: true})
	t.Run("order of live rows", func(t *testing.T) { ignoresOrder(t, spec) })
	t.Run("parameters out of range", func(t *testing.T) { refusesNaN(t, spec) })
}

// ignoresOrder checks that the live rows may come in any order: nothing has sorted
// them yet.
func ignoresOrder(t *testing.T, spec pipeline.Spec) {
	t.Helper()
	st := stage(t, spec, spec.NewParams())
	for seed := range uint64(8) {
		f := stagetest.Frame(&spec, 100, seed)
		g := f.Clone()
		order := slices.Clone(f.Order())
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		g.SetOrder(order)
		run(t, st, f)
		run(t, st, g)
		for _, c := range spec.Writes {
			wantNear(t, c.Name, g.F32(c), f.F32(c), 1e-5)
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

// refused wants Build to fail for each of the parameters.
func refused(t *testing.T, spec pipeline.Spec, params ...any) {
	t.Helper()
	for _, p := range params {
		if _, err := spec.Build(p, component.Deps{}); err == nil {
			t.Errorf("%s was built with %+v", spec.Name, p)
		}
	}
}

func wantNear(t testing.TB, what string, got, want []float32, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		g, w := float64(got[i]), float64(want[i])
		if math.Abs(g-w) > tol*max(1, math.Abs(g), math.Abs(w)) {
			t.Errorf("%s, row %d: got %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// rows makes a frame with the columns of specs and the values of one float column
// after the other.
func rows(n int, specs ...pipeline.Spec) *frame.Frame {
	cols := []frame.Column{frame.ID}
	for _, s := range specs {
		for _, more := range [][]frame.Column{s.Reads, s.Any, s.Writes} {
			cols = append(cols, more...)
		}
	}
	f := frame.New(n, cols...)
	for i := range f.I64(frame.ID) {
		f.I64(frame.ID)[i] = int64(i)
	}
	return f
}

func set(f *frame.Frame, c frame.Column, values ...float32) { copy(f.F32(c), values) }

func uses(f *frame.Frame, lists ...[]float32) {
	l := f.List(frame.UseDays)
	l.Ends, l.Values = l.Ends[:0], l.Values[:0]
	for _, row := range lists {
		l.Append(row...)
	}
}

var benchRows = []int{60, 200, 1000, 10_000}

// bench runs a stage with its defaults over ordinary frames.
func bench(b *testing.B, spec pipeline.Spec) {
	b.Helper()
	for _, n := range benchRows {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			st := stage(b, spec, spec.NewParams())
			f := stagetest.Frame(&spec, n, 0)
			ctx := b.Context()
			run(b, st, f) // warm
			b.ReportAllocs()
			for b.Loop() {
				if f.Has(frame.Score) {
					for i := range f.F32(frame.Score) { // a score that is boosted each time would overflow
						f.F32(frame.Score)[i] = 1 / float32(1+i)
					}
				}
				if err := st.Run(ctx, f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// refusesNaN puts NaN and then an infinity into each float parameter.
func refusesNaN(t *testing.T, spec pipeline.Spec) {
	t.Helper()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		v := reflect.ValueOf(spec.NewParams()).Elem()
		for i := range v.NumField() {
			if v.Field(i).Kind() != reflect.Float32 {
				continue
			}
			old := v.Field(i).Float()
			v.Field(i).SetFloat(bad)
			if _, err := spec.Build(v.Interface(), component.Deps{}); err == nil {
				t.Errorf("%s: %s = %v was accepted", spec.Name, v.Type().Field(i).Name, bad)
			}
			v.Field(i).SetFloat(old)
		}
	}
}
