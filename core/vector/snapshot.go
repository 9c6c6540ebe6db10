package vector

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendTo appends all rows to dst, in the form that [Matrix.Load] reads: the number of
// rows as little-endian uint32, their scales as float32, their values as bytes.
func (m *Matrix) AppendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(m.scale)))
	for _, s := range m.scale {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(s))
	}
	for _, x := range m.data {
		dst = append(dst, byte(x))
	}
	return dst
}

// Load replaces all rows by those that [Matrix.AppendTo] wrote. It gives [ErrDim] for
// bytes of another shape and [ErrNotFinite] for a scale that is not finite, and is empty
// then.
func (m *Matrix) Load(data []byte) error {
	m.Reset()
	if len(data) < 4 {
		return fmt.Errorf("load %d bytes: %w", len(data), ErrDim)
	}
	n := int(binary.LittleEndian.Uint32(data))
	if uint64(len(data)) != 4+uint64(n)*uint64(4+m.dim) {
		return fmt.Errorf("load %d bytes as %d rows of %d: %w", len(data), n, m.dim, ErrDim)
	}
	m.Reserve(n)
	for i := range n {
		s := math.Float32frombits(binary.LittleEndian.Uint32(data[4+4*i:]))
		if s-s != 0 || s < 0 {
			m.Reset()
			return fmt.Errorf("load row %d with scale %v: %w", i, s, ErrNotFinite)
		}
		m.scale = append(m.scale, s)
	}
	for _, b := range data[4+4*n:] {
		m.data = append(m.data, int8(b))
	}
	m.sketch.extend(m)
	return nil
}
