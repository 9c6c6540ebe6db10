package mmr_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// open opens the module that is committed beside this test.
func open(t testing.TB) pipeline.Spec {
	t.Helper()
	h := wasmhost.New(wasmhost.Options{Timeout: 10 * time.Second})
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	p, err := h.Open(context.Background(), host.Source{Path: "mmr.wasm"})
	if err != nil {
		t.Fatal(err)
	}
	return p.Stages[0]
}

func TestConformance(t *testing.T) { stagetest.Run(t, open(t)) }

// topics returns rows in groups that say almost the same: five rows a topic, the topics
// one after another by score.
func topics(n int) *frame.Frame {
	const dim = 64
	r := rand.New(rand.NewPCG(1, 2))
	f := frame.New(5*n, frame.ID, frame.Score, frame.Vector)
	vectors := f.List(frame.Vector)
	vectors.Ends, vectors.Values = vectors.Ends[:0], vectors.Values[:0]
	unit := func(v []float32) []float32 {
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
		return v
	}
	for topic := range n {
		centre := make([]float32, dim)
		for i := range centre {
			centre[i] = float32(r.NormFloat64())
		}
		for member := range 5 {
			row := 5*topic + member
			v := make([]float32, dim)
			for i := range v {
				v[i] = centre[i] + 0.2*float32(r.NormFloat64())
			}
			vectors.Append(unit(v)...)
			f.I64(frame.ID)[row] = int64(row + 1)
			f.F32(frame.Score)[row] = 1 - 0.01*float32(row)
		}
	}
	return f
}

// distinct counts the topics among the first ten rows.
func distinct(f *frame.Frame) int {
	f.Rank(frame.Score)
	seen := map[int32]bool{}
	for _, row := range f.Order()[:10] {
		seen[row/5] = true
	}
	return len(seen)
}

// TestTopics is the effect that the README names.
func TestTopics(t *testing.T) {
	spec := open(t)
	for lambda, want := range map[float64]int{1: 2, 0.9: 4, 0.7: 8} {
		checkTopics(t, spec, lambda, want)
	}
}

func checkTopics(t *testing.T, spec pipeline.Spec, lambda float64, want int) {
	t.Helper()
	params := spec.NewParams()
	reflect.ValueOf(params).Elem().Field(0).SetFloat(lambda) // the first parameter
	st, err := spec.Build(params, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	f := topics(20)
	if got := distinct(f.Clone()); got != 2 {
		t.Errorf("%d topics among the first ten without the plugin, want 2", got)
	}
	before := f.Clone()
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if got := distinct(f); got != want {
		t.Errorf("lambda %v: %d topics among the first ten, want %d", lambda, got, want)
	}
	// The best row stays first, and the scores are the same ones.
	if f.Order()[0] != 0 {
		t.Errorf("row %d is first, want 0", f.Order()[0])
	}
	before.Rank(frame.Score)
	for i, row := range f.Order() {
		if got, want := f.F32(frame.Score)[row], before.F32(frame.Score)[before.Order()[i]]; got != want {
			t.Fatalf("place %d has score %v, want %v", i, got, want)
		}
	}
}
