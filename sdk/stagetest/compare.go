package stagetest

import (
	"fmt"
	"math"
	"slices"

	"github.com/orma-memory/orma/core/frame"
)

// differ says what differs between two frames of the same columns, or "".
func differ(a, b *frame.Frame) string {
	for _, c := range b.Columns() {
		if !sameColumn(a, b, c) {
			return fmt.Sprintf("column %q differs", c.Name)
		}
	}
	switch {
	case !slices.Equal(a.Docs(), b.Docs()):
		return "the rows differ"
	case !slices.Equal(a.Order(), b.Order()):
		return "the order differs"
	}
	return ""
}

// sameBits compares floats bit by bit, so that 0 and -0 differ and NaN is itself.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func sameColumn(a, b *frame.Frame, c frame.Column) bool {
	switch c.Kind {
	case frame.KindF32:
		return sameBits(a.F32(c), b.F32(c))
	case frame.KindI64:
		return slices.Equal(a.I64(c), b.I64(c))
	case frame.KindText:
		return slices.Equal(a.Strings(c), b.Strings(c))
	default:
		x, y := a.List(c), b.List(c)
		return slices.Equal(x.Ends, y.Ends) && sameBits(x.Values, y.Values)
	}
}

// near says where a column of two frames differs by more than tol, relative to the
// larger value, or "". Only float columns may differ at all.
func near(a, b *frame.Frame, c frame.Column, tol float32) string {
	if c.Kind != frame.KindF32 {
		if !sameColumn(a, b, c) {
			return fmt.Sprintf("column %q differs", c.Name)
		}
		return ""
	}
	x, y := a.F32(c), b.F32(c)
	for i := range x {
		if !close32(x[i], y[i], tol) {
			return fmt.Sprintf("column %q row %d: got %v, want %v", c.Name, i, x[i], y[i])
		}
	}
	return ""
}

func close32(x, y, tol float32) bool {
	if x == y {
		return true
	}
	a, b := float64(x), float64(y)
	return math.Abs(a-b) <= float64(tol)*max(math.Abs(a), math.Abs(b))
}
