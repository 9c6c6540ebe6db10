package vector

import "math/bits"

// Bitmap is a set of row numbers, one bit a row. Rows past its end are not in it. The zero value is
// empty; where a function takes a Bitmap, nil stands for every row.
type Bitmap []uint64

// Set adds a row, growing the set as needed.
func (b *Bitmap) Set(row uint32) {
	w := int(row / 64)
	for len(*b) <= w {
		*b = append(*b, 0)
	}
	(*b)[w] |= 1 << (row % 64)
}

// Clear takes a row out.
func (b Bitmap) Clear(row uint32) {
	if w := int(row / 64); w < len(b) {
		b[w] &^= 1 << (row % 64)
	}
}

// Has reports whether the row is in the set.
func (b Bitmap) Has(row uint32) bool {
	w := int(row / 64)
	return w < len(b) && b[w]>>(row%64)&1 == 1
}

// Count returns how many rows are in the set.
func (b Bitmap) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// word returns the bits of rows 64i to 64i+63, cut to those below rows. A nil set has them all.
func (b Bitmap) word(i, rows int) uint64 {
	w := ^uint64(0)
	if b != nil {
		if i >= len(b) {
			return 0
		}
		w = b[i]
	}
	if left := rows - i*64; left < 64 {
		w &= 1<<left - 1
	}
	return w
}
