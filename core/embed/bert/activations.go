package bert

import "math"

// activations are the values of some tokens as int16, with a scale for each token.
type activations struct {
	rows, k int
	values  []int16 // padded() rows of k
	scales  []float32
}

// padded returns the number of rows with those that fill the last group.
func (a *activations) padded() int { return pad(a.rows, rowGroup) }

// pad rounds n up to a multiple of m.
func pad(n, m int) int { return (n + m - 1) / m * m }

// actPeak returns the greatest int16 for which k products with int8 cannot overflow an int32.
func actPeak(k int) float32 { return float32(min(math.MaxInt16, math.MaxInt32/(128*k))) }

// set quantizes rows of k values from x.
func (a *activations) set(x []float32, rows, k int) {
	a.rows, a.k = rows, k
	a.values = resize(a.values, a.padded()*k)
	a.scales = resize(a.scales, rows)
	peak := actPeak(k)
	for i := range rows {
		a.scales[i] = quantize(a.values[i*k:][:k], x[i*k:][:k], peak)
	}
	clear(a.values[rows*k:])
}

// quantize writes x to dst as integers up to ±peak, which is at most 32767, and returns what one is
// worth: 0 if all of x is next to nothing, and NaN if some of it is not finite. len(x) is a multiple
// of 16.
func quantize(dst []int16, x []float32, peak float32) (scale float32) {
	switch most := math.Float32frombits(largestBits(x)); {
	case most < 1e-30: // peak/most might be infinite
		clear(dst)
		return 0
	case most <= math.MaxFloat32:
		scaleToInts(dst, x, peak/most)
		return most / peak
	}
	clear(dst)
	return float32(math.NaN())
}

// roundEven rounds x, of magnitude below 2^22, to the nearest integer, halves to even: adding 1.5·2^23
// leaves no bits for the fraction, so the addition itself rounds.
func roundEven(x float32) int32 {
	const magic = 3 << 22
	return int32(math.Float32bits(x+magic)) - int32(math.Float32bits(magic))
}

// resize returns s with n values, which may hold anything.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
