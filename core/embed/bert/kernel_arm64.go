//go:build !purego

package bert

// Every arm64 CPU has NEON.

func panelDotsFast(x []int16, rows, k int, w []int8, out []int32) bool {
	panelDotsNEON(&x[0], rows/rowGroup, k, &w[0], &out[0])
	return true
}

func rowDotsFast(q, rows []int16, out []int32) bool {
	rowDotsNEON(&q[0], &rows[0], len(q), len(out), &out[0])
	return true
}

func largestBitsFast(x []float32) (bits uint32, ok bool) { return largestBitsNEON(&x[0], len(x)), true }

func scaleToIntsFast(dst []int16, x []float32, f float32) bool {
	scaleToIntsNEON(&dst[0], &x[0], len(x), f)
	return true
}

func finishPanelFast(y []float32, stride int, sums []int32, scale, bias, rowScales []float32) bool {
	finishPanelNEON(&y[0], stride, &sums[0], len(rowScales), &scale[0], &bias[0], &rowScales[0])
	return true
}

// The kernels need at least one group of rows or one row, and k, dim or n of at least 16.

//go:noescape
func panelDotsNEON(x *int16, groups, k int, w *int8, out *int32)

//go:noescape
func rowDotsNEON(q, rows *int16, dim, n int, out *int32)

//go:noescape
func largestBitsNEON(x *float32, n int) uint32

//go:noescape
func scaleToIntsNEON(dst *int16, x *float32, n int, f float32)

//go:noescape
func finishPanelNEON(y *float32, stride int, sums *int32, rows int, scale, bias, rowScales *float32)
