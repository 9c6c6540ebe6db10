package vector

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrDim says that a vector or a matrix has a length that is not allowed here.
	ErrDim = errors.New("wrong vector dimension")
	// ErrNotFinite says that a vector holds a NaN or an infinity.
	ErrNotFinite = errors.New("vector is not finite")
	// ErrRow says that a row number is past the end of the matrix.
	ErrRow = errors.New("no such vector row")
)

// Quantize writes v as int8 to dst, which must have the same length, and returns the scale: v[i] is
// about dst[i] times it. The largest magnitude becomes 127; halves round to even. A zero vector has
// scale 0. A vector with a NaN or an infinity gives [ErrNotFinite] and leaves dst alone.
func Quantize(dst []int8, v []float32) (scale float32, err error) {
	if len(dst) != len(v) {
		return 0, fmt.Errorf("quantize %d values into %d: %w", len(v), len(dst), ErrDim)
	}
	peak, err := maxAbs(v)
	if err != nil {
		return 0, err
	}
	if peak == 0 {
		clear(dst)
		return 0, nil
	}
	f := 127 / float64(peak)
	for i, x := range v {
		dst[i] = int8(roundEven(float32(float64(x) * f)))
	}
	return peak / 127, nil
}

// quantizeQuery writes q as int16 to dst, with the greatest range that cannot overflow an int32 sum
// of products with int8, and returns the scale.
func quantizeQuery(dst []int16, q []float32) (scale float32, err error) {
	peak, err := maxAbs(q)
	if err != nil {
		return 0, err
	}
	if peak == 0 {
		clear(dst)
		return 0, nil
	}
	top := min(math.MaxInt16, math.MaxInt32/(128*len(q)))
	f := float64(top) / float64(peak)
	for i, x := range q {
		dst[i] = int16(roundEven(float32(float64(x) * f)))
	}
	return peak / float32(top), nil
}

// maxAbs returns the largest magnitude in v.
func maxAbs(v []float32) (float32, error) {
	var peak uint32
	for _, x := range v {
		// Magnitudes of float32 order like their bits, and NaN and infinity come last.
		peak = max(peak, math.Float32bits(x)&^(1<<31))
	}
	m := math.Float32frombits(peak)
	if peak >= math.Float32bits(float32(math.Inf(1))) {
		return 0, ErrNotFinite
	}
	return m, nil
}

// roundEven rounds x, of magnitude below 2^22, to the nearest integer, halves to even: adding 1.5·2^23
// leaves no bits for the fraction, so the addition itself rounds.
func roundEven(x float32) int32 {
	const magic = 3 << 22
	return int32(math.Float32bits(x+magic)) - int32(math.Float32bits(magic))
}
