package vector

import (
	"fmt"
	"math"
	"sync"
)

// A Matrix holds vectors of one dimension as int8 rows, each with its scale, numbered from 0 in the
// order they came. Rows never move. Any number of goroutines may search at once; Append, Reserve and
// Reset need the matrix to themselves. A Matrix must not be copied.
type Matrix struct {
	dim    int
	data   []int8    // len(scale) rows of dim
	scale  []float32 // a row's values are about data times it
	sketch sketch    // empty through SketchAbove rows
	pool   sync.Pool // of *scratch
}

// New returns an empty matrix for vectors of dim values: a multiple of 8, from 8 to 8192, else [ErrDim].
func New(dim int) (*Matrix, error) {
	if dim < 8 || dim%8 != 0 || dim > 8192 {
		return nil, fmt.Errorf("matrix of %d dimensions, which is no multiple of 8 from 8 to 8192: %w", dim, ErrDim)
	}
	m := &Matrix{dim: dim, sketch: newSketch(dim)}
	m.pool.New = func() any { return newScratch(dim) }
	return m, nil
}

// Dim returns the length of every row.
func (m *Matrix) Dim() int { return m.dim }

// Len returns the number of rows.
func (m *Matrix) Len() int { return len(m.scale) }

// Bytes returns the memory that the rows occupy, room for more included.
func (m *Matrix) Bytes() int {
	return cap(m.data) + 4*cap(m.scale) + 8*cap(m.sketch.bits)
}

// Reserve makes room for n more rows, so that appending them does not move the others.
func (m *Matrix) Reserve(n int) {
	if n <= 0 {
		return
	}
	m.data = grow(m.data, n*m.dim)
	m.scale = grow(m.scale, n)
}

// grow is slices.Grow without its rounding up: a matrix may be most of a process's memory.
func grow[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return append(make([]T, 0, len(s)+n), s...)
}

// Reset takes all rows out and keeps the memory.
func (m *Matrix) Reset() {
	m.data, m.scale = m.data[:0], m.scale[:0]
	m.sketch.reset()
}

// Append adds a vector and returns its row. It gives [ErrDim] for a wrong length and [ErrNotFinite]
// for a NaN or an infinity, and then adds nothing. A zero vector is taken; it scores 0.
func (m *Matrix) Append(v []float32) (row uint32, err error) {
	if len(v) != m.dim {
		return 0, fmt.Errorf("append %d values to rows of %d: %w", len(v), m.dim, ErrDim)
	}
	n := len(m.scale)
	if uint64(n) >= math.MaxUint32 {
		return 0, fmt.Errorf("matrix is full at %d rows", n)
	}
	if len(m.data)+m.dim > cap(m.data) {
		m.Reserve(max(64, n/4))
	}
	data := m.data[:len(m.data)+m.dim]
	scale, err := Quantize(data[n*m.dim:], v)
	if err != nil {
		return 0, fmt.Errorf("append row %d: %w", n, err)
	}
	m.data, m.scale = data, append(m.scale, scale)
	m.sketch.extend(m)
	return uint32(n), nil
}

// Row appends the values of a row to dst, as they are after quantization. It gives [ErrRow] for a
// row that is not there.
func (m *Matrix) Row(row uint32, dst []float32) ([]float32, error) {
	if uint64(row) >= uint64(len(m.scale)) {
		return dst, fmt.Errorf("row %d of %d: %w", row, len(m.scale), ErrRow)
	}
	s := m.scale[row]
	for _, x := range m.ints(row) {
		dst = append(dst, float32(x)*s)
	}
	return dst, nil
}

// ints returns a row before its scale.
func (m *Matrix) ints(row uint32) []int8 {
	return m.data[int(row)*m.dim:][:m.dim]
}
