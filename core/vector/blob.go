package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// AppendBlob appends the stored form of v to dst: its scale as little-endian
// float32, then a byte a dimension, as [Quantize] makes them. This is what the
// matrix holds too, so that loading a store computes nothing.
func AppendBlob(dst []byte, v []float32) ([]byte, error) {
	at := len(dst)
	q := make([]int8, len(v))
	scale, err := Quantize(q, v)
	if err != nil {
		return dst[:at], err
	}
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(scale))
	for _, x := range q {
		dst = append(dst, byte(x))
	}
	return dst, nil
}

// AppendBlob adds a stored vector and returns its row. It gives [ErrDim] for a blob
// of another dimension and [ErrNotFinite] for a scale that is not finite, and then
// adds nothing.
func (m *Matrix) AppendBlob(blob []byte) (row uint32, err error) {
	if len(blob) != 4+m.dim {
		return 0, fmt.Errorf("blob of %d bytes for %d dimensions: %w", len(blob), m.dim, ErrDim)
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(blob))
	if scale-scale != 0 || scale < 0 {
		return 0, fmt.Errorf("blob with scale %v: %w", scale, ErrNotFinite)
	}
	n := len(m.scale)
	if uint64(n) >= math.MaxUint32 {
		return 0, fmt.Errorf("matrix is full at %d rows", n)
	}
	if len(m.data)+m.dim > cap(m.data) {
		m.Reserve(max(64, n/4))
	}
	for _, b := range blob[4:] {
		m.data = append(m.data, int8(b))
	}
	m.scale = append(m.scale, scale)
	m.sketch.extend(m)
	return uint32(n), nil
}

// Pairs writes the inner products of a row with others to dst, which is as long. A row
// that is not there gives [ErrRow].
func (m *Matrix) Pairs(a uint32, rows []uint32, dst []float32) error {
	if n := uint32(m.Len()); a >= n || slices.ContainsFunc(rows, func(b uint32) bool { return b >= n }) {
		return fmt.Errorf("row %d and others of %d: %w", a, n, ErrRow)
	}
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	q := s.query[:m.dim]
	for i, x := range m.ints(a) {
		q[i] = int16(x)
	}
	for i, b := range rows {
		dotRows(q, m.ints(b), s.dots[:1])
		dst[i] = float32(s.dots[0]) * m.scale[a] * m.scale[b]
	}
	return nil
}

// Pair returns the inner product of two rows. It gives [ErrRow] for a row that is
// not there.
func (m *Matrix) Pair(a, b uint32) (float32, error) {
	var dot [1]float32
	err := m.Pairs(a, []uint32{b}, dot[:])
	return dot[0], err
}
