package vector

import (
	"math/bits"
	"sync"
)

const (
	// SketchAbove is the number of rows above which a search may be approximate.
	SketchAbove = 200_000

	// A sketch leaves one row in sketchShare to be scored, but no fewer than sketchPicks. On 316,000
	// vectors of dictionary text from package static, recall at 30 is 0.984 with 3,000 of them, 0.992
	// with 6,000, 0.993 with 8,000 and 0.995 with 12,000.
	sketchPicks = 8000
	sketchShare = 100
)

// sketch holds the sign of every value of every row. Rows with few signs different from the query's
// are likely near to it, and to count them reads an eighth of the memory.
type sketch struct {
	words int // per row
	above int // SketchAbove; tests use less
	bits  []uint64
}

func newSketch(dim int) sketch { return sketch{words: (dim + 63) / 64, above: SketchAbove} }

func (k *sketch) reset() { k.bits = k.bits[:0] }

// extend adds the rows of m that are missing, once there are enough to need a sketch.
func (k *sketch) extend(m *Matrix) {
	if m.Len() <= k.above {
		return
	}
	have := len(k.bits) / k.words
	if need := m.Len() * k.words; need > cap(k.bits) {
		k.bits = grow(k.bits, need-len(k.bits)+need/4)
	}
	for row := have; row < m.Len(); row++ {
		k.bits = appendSigns(k.bits, m.ints(uint32(row)))
	}
}

// appendSigns appends one bit a value: 1 where it is negative.
func appendSigns[T int8 | float32](dst []uint64, v []T) []uint64 {
	for len(v) > 0 {
		n := min(64, len(v))
		var w uint64
		for i, x := range v[:n] {
			if x < 0 {
				w |= 1 << i
			}
		}
		dst, v = append(dst, w), v[n:]
	}
	return dst
}

// worth reports whether there are so many allowed rows that a sketch should choose among them.
func (k *sketch) worth(m *Matrix, allow Bitmap) bool {
	return m.Len() > k.above && (allow == nil || allow.Count() > k.above)
}

// pick returns the allowed rows whose signs differ least from the query's, in ascending order: those
// below some distance, and of those at it the lowest rows. The result is part of s.
func (k *sketch) pick(m *Matrix, q []float32, allow Bitmap, s *scratch) []uint32 {
	s.signs = appendSigns(s.signs[:0], q)
	k.measure(m.Len(), allow, s, partsOf(m.Len()))
	want := max(sketchPicks, m.Len()/sketchShare)
	limit := 0
	for limit < m.dim && s.histogram[limit] < want {
		want -= s.histogram[limit]
		limit++
	}
	s.rows = s.rows[:0]
	for row, d := range s.distances {
		switch {
		case int(d) > limit:
			continue
		case int(d) == limit:
			if want == 0 {
				continue
			}
			want--
		}
		s.rows = append(s.rows, uint32(row))
	}
	return s.rows
}

// far is the distance of a row that is not allowed.
const far = 1<<16 - 1

// measure fills s.distances and s.histogram.
func (k *sketch) measure(rows int, allow Bitmap, s *scratch, parts int) {
	if cap(s.distances) < rows {
		s.distances = make([]uint16, rows, rows+rows/4)
	}
	s.distances = s.distances[:rows]
	if s.histogram == nil {
		s.histogram = make([]int, k.words*64+1)
	}
	clear(s.histogram)
	if parts == 1 {
		k.measureRows(0, rows, allow, s, s.histogram)
		return
	}
	var mu sync.Mutex
	inParts(rows, parts, func(_, from, to int) {
		counts := make([]int, len(s.histogram))
		k.measureRows(from, to, allow, s, counts)
		mu.Lock()
		defer mu.Unlock()
		for d, n := range counts {
			s.histogram[d] += n
		}
	})
}

// measureRows is measure for the rows from up to to. It counts them by distance.
func (k *sketch) measureRows(from, to int, allow Bitmap, s *scratch, counts []int) {
	for row := from; row < to; row++ {
		if allow != nil && !allow.Has(uint32(row)) {
			s.distances[row] = far
			continue
		}
		d := 0
		for i, w := range k.bits[row*k.words:][:k.words] {
			d += bits.OnesCount64(w ^ s.signs[i])
		}
		s.distances[row] = uint16(d)
		counts[d]++
	}
}
