package stagetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

func checkSpec(_ context.Context, r Reporter, s *Suite) {
	spec := &s.Spec
	if _, err := pipeline.NewRegistry(*spec); err != nil {
		r.Errorf("%v", err)
		return
	}
	if spec.Summary == "" || strings.Contains(spec.Summary, "\n") || strings.HasSuffix(spec.Summary, ".") {
		r.Errorf("summary %q should be one line without a full stop", spec.Summary)
	}
	if strings.TrimSpace(spec.Doc) == "" {
		r.Errorf("no doc")
	}
	for f := range reflect.TypeOf(spec.NewParams()).Elem().Fields() {
		if f.Tag.Get("toml") == "" || f.Tag.Get("doc") == "" {
			r.Errorf("parameter %s needs toml and doc tags", f.Name)
		}
	}
	kinds := map[string]frame.Kind{}
	for _, c := range columns(spec, nil) {
		if k, ok := kinds[c.Name]; ok && k != c.Kind {
			r.Errorf("column %q is both %v and %v", c.Name, k, c.Kind)
		}
		kinds[c.Name] = c.Kind
	}
	s.build(r)
}

// seeds is how many frames of n rows a check makes: fewer where they are large.
func seeds(n int) uint64 {
	if n > 1000 {
		return 2
	}
	return 20
}

func checkValid(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range seeds(n) {
			f := Frame(&s.Spec, n, seed)
			if !run(ctx, r, st, f) {
				return
			}
			if err := f.Check(); err != nil {
				r.Errorf("rows=%d seed=%d: %v", n, seed, err)
				return
			}
			if f.Has(frame.Score) && n > 0 && slices.Min(f.F32(frame.Score)) < 0 {
				r.Errorf("rows=%d seed=%d: a score is below zero", n, seed)
				return
			}
		}
	}
}

// The columns that a stage is not told of.
var traps = []frame.Column{
	{Name: "trap", Kind: frame.KindF32, Neutral: 7},
	{Name: "trap_number", Kind: frame.KindI64},
	{Name: "trap_text", Kind: frame.KindText},
	{Name: "trap_list", Kind: frame.KindList},
}

// checkDeclared gives the stage columns it did not ask for in a frame without any
// other, and looks for changes outside what it declared.
func checkDeclared(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range seeds(n) {
			f := Frame(&s.Spec, n, seed, traps...)
			before := f.Clone()
			if !run(ctx, r, st, f) {
				return
			}
			for _, c := range f.Columns() {
				if !writes(&s.Spec, c) && !sameColumn(f, before, c) {
					r.Errorf("rows=%d: column %q changed but is not in Writes", n, c.Name)
					return
				}
			}
			if why := orderBroken(s.Spec.Effect, before.Order(), f.Order()); why != "" {
				r.Errorf("rows=%d: %s", n, why)
				return
			}
		}
	}
}

func writes(s *pipeline.Spec, c frame.Column) bool {
	return slices.ContainsFunc(s.Writes, func(w frame.Column) bool { return w.Name == c.Name })
}

// orderBroken says how an order changed beyond what an effect allows.
func orderBroken(e pipeline.Effect, before, after []int32) string {
	if e&pipeline.Drops == 0 && len(after) != len(before) {
		return fmt.Sprintf("%d live rows became %d but Effect lacks Drops", len(before), len(after))
	}
	if e&pipeline.Orders != 0 {
		return ""
	}
	i := 0
	for _, row := range after { // must be a subsequence
		for i < len(before) && before[i] != row {
			i++
		}
		if i == len(before) {
			return "the order changed but Effect lacks Orders"
		}
		i++
	}
	return ""
}

func checkDeterministic(ctx context.Context, r Reporter, s *Suite) {
	st, again := s.build(r), s.build(r)
	if st == nil || again == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range min(seeds(n), 4) {
			a, b := Frame(&s.Spec, n, seed), Frame(&s.Spec, n, seed)
			if !run(ctx, r, st, a) || !run(ctx, r, again, b) {
				return
			}
			if why := differ(a, b); why != "" {
				r.Errorf("rows=%d seed=%d: %s in a second run", n, seed, why)
				return
			}
		}
	}
}

// checkNeutral lets the columns differ that only this stage writes: they explain
// the run, and nothing earlier has put anything in them.
func checkNeutral(ctx context.Context, r Reporter, s *Suite) {
	if s.Spec.Neutral == nil {
		return
	}
	st := buildSpec(r, &s.Spec, s.Spec.Neutral, s.Deps)
	if st == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range seeds(n) {
			f := Frame(&s.Spec, n, seed)
			before := f.Clone()
			if !run(ctx, r, st, f) {
				return
			}
			for _, c := range f.Columns() {
				if !ownColumn(&s.Spec, c) && !sameColumn(f, before, c) {
					r.Errorf("rows=%d seed=%d: column %q changed under the neutral parameters", n, seed, c.Name)
					return
				}
			}
			if !slices.Equal(f.Order(), before.Order()) {
				r.Errorf("rows=%d seed=%d: the order changed under the neutral parameters", n, seed)
				return
			}
		}
	}
}

// ownColumn reports whether the stage writes a column without reading it.
func ownColumn(s *pipeline.Spec, c frame.Column) bool {
	same := func(o frame.Column) bool { return o.Name == c.Name }
	return writes(s, c) && !slices.ContainsFunc(s.Reads, same) && !slices.ContainsFunc(s.Any, same)
}

func checkConcurrent(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	const kinds = 4
	var want [kinds]*frame.Frame
	for i := range want {
		want[i] = Frame(&s.Spec, 64+i, uint64(i))
		if !run(ctx, r, st, want[i]) {
			return
		}
	}
	errs := make([]string, 8)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					errs[g] = fmt.Sprintf("panic: %v", v)
				}
			}()
			for i := range 50 {
				k := (g + i) % kinds
				f := Frame(&s.Spec, 64+k, uint64(k))
				if err := st.Run(ctx, f); err != nil {
					errs[g] = err.Error()
					return
				}
				if why := differ(f, want[k]); why != "" {
					errs[g] = why + " when runs overlap"
					return
				}
			}
		})
	}
	wg.Wait()
	for _, e := range errs {
		if e != "" {
			r.Errorf("%s", e)
			return
		}
	}
}

func checkParity(ctx context.Context, r Reporter, s *Suite) {
	if s.Twin == nil {
		return
	}
	st, twin := s.build(r), buildSpec(r, s.Twin, s.Twin.NewParams(), s.Deps)
	if st == nil || twin == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range min(seeds(n), 4) {
			both := *s.Twin // one frame that suits either
			both.Reads = append(slices.Clone(both.Reads), s.Spec.Reads...)
			both.Writes = append(slices.Clone(both.Writes), s.Spec.Writes...)
			a, b := Frame(&both, n, seed), Frame(&both, n, seed)
			if !run(ctx, r, st, a) || !run(ctx, r, twin, b) {
				return
			}
			for _, c := range s.Twin.Writes {
				if why := near(a, b, c, s.Tolerance); why != "" {
					r.Errorf("rows=%d seed=%d: %s", n, seed, why)
					return
				}
			}
			if !slices.Equal(a.Order(), b.Order()) {
				r.Errorf("rows=%d seed=%d: the order differs from the twin's", n, seed)
				return
			}
		}
	}
}

// run runs the stage and reports an error; it says whether there was none.
func run(ctx context.Context, r Reporter, st pipeline.Stage, f *frame.Frame) bool {
	if err := st.Run(ctx, f); err != nil {
		r.Errorf("run over %d rows: %v", f.Len(), err)
		return false
	}
	return true
}
