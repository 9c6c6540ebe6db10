// Package embedtest is the conformance suite of embedders, wherever their code runs. It
// reports like package stagetest.
package embedtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// Suite is an embedder and what it is built with.
type Suite struct {
	Spec component.Spec[embed.Embedder]
	Deps component.Deps
}

// Checks returns the checks in the order they run.
func Checks() []stagetest.One[Suite] {
	return []stagetest.One[Suite]{
		{Name: "info", Doc: "id and dimension are there and do not change", Run: built(checkInfo)},
		{Name: "unit", Doc: "vectors have length 1; a text with nothing in it may have zeros", Run: built(checkUnit)},
		{Name: "batch", Doc: "a text has the same vector alone and in a batch", Run: built(checkBatch)},
		{Name: "apart", Doc: "different texts have different vectors", Run: built(checkApart)},
		{Name: "concurrent", Doc: "calls at once give what calls in turn give", Run: built(checkConcurrent)},
		{Name: "cancel", Doc: "a cancelled context ends a call", Run: built(checkCancel)},
	}
}

// Check runs every check and returns the results in order.
func Check(ctx context.Context, s Suite) []stagetest.Result {
	return stagetest.Each(ctx, &s, Checks())
}

// built makes a check of one that needs an embedder.
func built(run func(context.Context, stagetest.Reporter, embed.Embedder)) func(context.Context, stagetest.Reporter, *Suite) {
	return func(ctx context.Context, r stagetest.Reporter, s *Suite) {
		e, err := s.Spec.Build(s.Spec.NewParams(), s.Deps)
		if err != nil {
			r.Errorf("build: %v", err)
			return
		}
		run(ctx, r, e)
	}
}

// texts are what an embedder meets.
func texts() []string {
	return []string{
		"The spare keys are in the blue drawer.", "Where are the spare keys?", "tea", "", " ", "\x00", "!?…",
		"部署を変えた", "a\u0301 🏡", "\xff\xfe", strings.Repeat("a long text ", 2000),
	}
}

func checkInfo(_ context.Context, r stagetest.Reporter, e embed.Embedder) {
	i := e.Info()
	if i.ID == "" || i.Dim < 1 || i != e.Info() {
		r.Errorf("info %+v lacks an id or a dimension, or changes", i)
	}
	r.Logf("%s@%s, %d values", i.ID, i.Revision, i.Dim)
}

func embedAll(ctx context.Context, r stagetest.Reporter, e embed.Embedder, in []string) []float32 {
	v := make([]float32, len(in)*e.Info().Dim)
	for i := range v {
		v[i] = 7 // what stood there before must not count
	}
	if err := e.Embed(ctx, v, in, embed.Passage); err != nil {
		r.Errorf("%v", err)
		return nil
	}
	return v
}

func checkUnit(ctx context.Context, r stagetest.Reporter, e embed.Embedder) {
	in, dim := texts(), e.Info().Dim
	v := embedAll(ctx, r, e, in)
	for i := 0; v != nil && i < len(in); i++ {
		err := embed.Usable(v[i*dim : (i+1)*dim])
		if err != nil && !(errors.Is(err, embed.ErrZero) && i > 2) {
			r.Errorf("text %d: %v", i, err)
		}
	}
}

func checkBatch(ctx context.Context, r stagetest.Reporter, e embed.Embedder) {
	in, dim := texts(), e.Info().Dim
	v := embedAll(ctx, r, e, in)
	for i := 0; v != nil && i < len(in); i++ {
		one := embedAll(ctx, r, e, in[i:i+1])
		for j := range one {
			if math.Abs(float64(one[j]-v[i*dim+j])) > 1e-5 {
				r.Errorf("text %d has another vector in a batch", i)
				return
			}
		}
	}
}

func checkApart(ctx context.Context, r stagetest.Reporter, e embed.Embedder) {
	dim := e.Info().Dim
	v := embedAll(ctx, r, e, texts()[:3])
	if v != nil && slices.Equal(v[:dim], v[2*dim:]) {
		r.Errorf("two texts that share no word have one vector")
	}
}

func checkConcurrent(ctx context.Context, r stagetest.Reporter, e embed.Embedder) {
	want := embedAll(ctx, r, e, texts())
	bad := make([]bool, 8)
	var wg sync.WaitGroup
	for g := range bad {
		wg.Go(func() {
			defer func() {
				if recover() != nil {
					bad[g] = true
				}
			}()
			for range 5 {
				v := make([]float32, len(want))
				if e.Embed(ctx, v, texts(), embed.Passage) != nil || !slices.Equal(v, want) {
					bad[g] = true
				}
			}
		})
	}
	wg.Wait()
	if slices.Contains(bad, true) {
		r.Errorf("vectors differ when calls overlap")
	}
}

func checkCancel(ctx context.Context, r stagetest.Reporter, e embed.Embedder) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	v := make([]float32, e.Info().Dim)
	if err := e.Embed(ctx, v, []string{"tea"}, embed.Query); err != nil && !errors.Is(err, context.Canceled) {
		r.Errorf("a cancelled call fails with another error: %v", err)
	}
}
