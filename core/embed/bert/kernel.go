package bert

import "math"

// The kernels give the same bits on every machine, as their twins in plain Go do: they add integers
// only, and what they do with floats are single operations.

const (
	panelWidth = 16 // outputs of a linear layer whose weights lie together
	rowGroup   = 4  // tokens that share a load of weights
)

// panelDots multiplies tokens with one panel of weights: out[i*16+j] is the sum over c of x[i*k+c] and
// w[c*16+j]. x has rows tokens of k values; rows is a multiple of 4 and k of 16. Sums wrap like int32
// does; [actPeak] picks a range in which they cannot.
func panelDots(x []int16, rows, k int, w []int8, out []int32) {
	x, w, out = x[:rows*k], w[:k*panelWidth], out[:rows*panelWidth]
	if rows == 0 || k == 0 {
		clear(out)
		return
	}
	if !panelDotsFast(x, rows, k, w, out) {
		panelDotsGo(x, rows, k, w, out)
	}
}

// panelDotsGo is panelDots in plain Go.
func panelDotsGo(x []int16, rows, k int, w []int8, out []int32) {
	for i := range rows {
		var sum [panelWidth]int32
		for c, a := range x[i*k : (i+1)*k] {
			for j, b := range w[c*panelWidth : (c+1)*panelWidth] {
				sum[j] += int32(a) * int32(b)
			}
		}
		copy(out[i*panelWidth:], sum[:])
	}
}

// rowDots writes to out[i] the inner product of q and row i of rows, which lie one after the other;
// len(q) is a multiple of 16.
func rowDots(q, rows []int16, out []int32) {
	rows = rows[:len(out)*len(q)]
	if len(rows) == 0 {
		clear(out)
		return
	}
	if !rowDotsFast(q, rows, out) {
		rowDotsGo(q, rows, out)
	}
}

// rowDotsGo is rowDots in plain Go.
func rowDotsGo(q, rows []int16, out []int32) {
	for i := range out {
		var a, b int32
		row := rows[i*len(q):][:len(q)]
		for j := 0; j+2 <= len(row) && j+2 <= len(q); j += 2 {
			a += int32(row[j]) * int32(q[j])
			b += int32(row[j+1]) * int32(q[j+1])
		}
		out[i] = a + b
	}
}

// largestBits returns the largest of x's float32 bits without their signs. Magnitudes of floats order
// like their bits. len(x) is a multiple of 16.
func largestBits(x []float32) uint32 {
	if len(x) == 0 {
		return 0
	}
	if bits, ok := largestBitsFast(x); ok {
		return bits
	}
	return largestBitsGo(x)
}

// largestBitsGo is largestBits in plain Go.
func largestBitsGo(x []float32) uint32 {
	var a, b uint32
	for ; len(x) >= 2; x = x[2:] {
		a = max(a, math.Float32bits(x[0])<<1)
		b = max(b, math.Float32bits(x[1])<<1)
	}
	return max(a, b) >> 1
}

// scaleToInts writes x times f, rounded to the nearest integer and halves to even, to dst. The products
// must fit an int16; len(x) is a multiple of 16.
func scaleToInts(dst []int16, x []float32, f float32) {
	dst = dst[:len(x)]
	if len(x) > 0 && !scaleToIntsFast(dst, x, f) {
		scaleToIntsGo(dst, x, f)
	}
}

// scaleToIntsGo is scaleToInts in plain Go.
func scaleToIntsGo(dst []int16, x []float32, f float32) {
	for i, v := range x {
		dst[i] = int16(roundEven(float32(v * f)))
	}
}

// finishPanel turns the sums of a panel into outputs: y[i*stride+j] is sums[i*16+j] times
// scale[j]*rowScales[i], plus bias[j].
func finishPanel(y []float32, stride int, sums []int32, scale, bias, rowScales []float32) {
	rows := len(rowScales)
	if rows == 0 {
		return
	}
	sums, scale, bias = sums[:rows*panelWidth], scale[:panelWidth], bias[:panelWidth]
	y = y[:(rows-1)*stride+panelWidth]
	if !finishPanelFast(y, stride, sums, scale, bias, rowScales) {
		finishPanelGo(y, stride, sums, scale, bias, rowScales)
	}
}

// finishPanelGo is finishPanel in plain Go.
func finishPanelGo(y []float32, stride int, sums []int32, scale, bias, rowScales []float32) {
	for i, s := range rowScales {
		out, in := y[i*stride:][:panelWidth], sums[i*panelWidth:][:panelWidth]
		for j := range out {
			out[j] = float32(float32(in[j])*float32(scale[j]*s)) + bias[j]
		}
	}
}
