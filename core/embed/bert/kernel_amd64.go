//go:build !purego

package bert

import "golang.org/x/sys/cpu"

// panelDotsFast runs the best kernel that this CPU has, or reports that it has none.
func panelDotsFast(x []int16, rows, k int, w []int8, out []int32) bool {
	switch {
	case cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512VL:
		panelDotsVNNI(&x[0], rows/rowGroup, k, &w[0], &out[0])
	case cpu.X86.HasAVX2:
		panelDotsAVX2(&x[0], rows/rowGroup, k, &w[0], &out[0])
	default:
		return false
	}
	return true
}

func rowDotsFast(q, rows []int16, out []int32) bool {
	if !cpu.X86.HasAVX2 {
		return false
	}
	rowDotsAVX2(&q[0], &rows[0], len(q), len(out), &out[0])
	return true
}

func largestBitsFast(x []float32) (bits uint32, ok bool) {
	if !cpu.X86.HasAVX2 {
		return 0, false
	}
	return largestBitsAVX2(&x[0], len(x)), true
}

func scaleToIntsFast(dst []int16, x []float32, f float32) bool {
	if !cpu.X86.HasAVX2 {
		return false
	}
	scaleToIntsAVX2(&dst[0], &x[0], len(x), f)
	return true
}

func finishPanelFast(y []float32, stride int, sums []int32, scale, bias, rowScales []float32) bool {
	if !cpu.X86.HasAVX2 {
		return false
	}
	finishPanelAVX2(&y[0], stride, &sums[0], len(rowScales), &scale[0], &bias[0], &rowScales[0])
	return true
}

// The kernels need at least one group of rows or one row, and k, dim or n of at least 16.

//go:noescape
func panelDotsAVX2(x *int16, groups, k int, w *int8, out *int32)

//go:noescape
func panelDotsVNNI(x *int16, groups, k int, w *int8, out *int32)

//go:noescape
func rowDotsAVX2(q, rows *int16, dim, n int, out *int32)

//go:noescape
func largestBitsAVX2(x *float32, n int) uint32

//go:noescape
func scaleToIntsAVX2(dst *int16, x *float32, n int, f float32)

//go:noescape
func finishPanelAVX2(y *float32, stride int, sums *int32, rows int, scale, bias, rowScales *float32)
