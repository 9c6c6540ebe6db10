package stagetest

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/orma-memory/orma/core/frame"
)

// sumTolerance allows for sums whose terms come in another order.
const sumTolerance = 1e-5

// checkRelabel gives the same candidates other row numbers.
func checkRelabel(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	for _, n := range Sizes() {
		for seed := range min(seeds(n), 8) {
			a := Frame(&s.Spec, n, seed)
			to := rand.New(rand.NewPCG(seed, 99)).Perm(n)
			b := permuted(a, to)
			if !run(ctx, r, st, a) || !run(ctx, r, st, b) {
				return
			}
			want := permuted(a, to)
			for _, c := range want.Columns() {
				if why := near(b, want, c, sumTolerance); why != "" {
					r.Errorf("rows=%d seed=%d: %s once the rows are permuted", n, seed, why)
					return
				}
			}
			if !slices.Equal(b.Order(), want.Order()) {
				r.Errorf("rows=%d seed=%d: the order depends on the numbers of the rows", n, seed)
				return
			}
		}
	}
}

// permuted returns the frame with row i as row to[i].
func permuted(f *frame.Frame, to []int) *frame.Frame {
	from := make([]int, len(to))
	for i, j := range to {
		from[j] = i
	}
	g := frame.New(0, f.Columns()...)
	g.Query, g.Source = f.Query, f.Source
	for _, i := range from {
		g.Row(f.Docs()[i])
	}
	for _, c := range f.Columns() {
		var l *frame.Lists
		if c.Kind == frame.KindList {
			l = g.List(c)
			l.Ends, l.Values = l.Ends[:0], l.Values[:0]
		}
		for j, i := range from {
			switch c.Kind {
			case frame.KindF32:
				g.F32(c)[j] = f.F32(c)[i]
			case frame.KindI64:
				g.I64(c)[j] = f.I64(c)[i]
			case frame.KindText:
				g.Strings(c)[j] = f.Strings(c)[i]
			case frame.KindList:
				l.Append(f.List(c).Row(i)...)
			}
		}
	}
	order := make([]int32, 0, len(f.Order()))
	for _, row := range f.Order() {
		order = append(order, int32(to[row]))
	}
	g.SetOrder(order)
	return g
}
