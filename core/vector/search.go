package vector

import (
	"fmt"
	"math/bits"
	"slices"
)

// rescore is the least number of rows that are scored again from float32. At it, recall at 30 against
// a scan of float32 rows is 1.000 on real vectors.
const rescore = 100

// Options are the choices of one search. The zero value searches every row, on int8 alone.
type Options struct {
	// Allow holds the rows to search; nil stands for all. Deleted rows are left out here.
	Allow Bitmap

	// Floats returns the float32 values of a row, from which the best rows are scored again, or nil
	// where there are none: then the row keeps the score from int8, which is within about 0.004 for
	// unit vectors. It is called for at most max(100, 2k) rows, in ascending order, from the
	// goroutine that searches, and what it returned may be overwritten by its next call.
	Floats func(row uint32) []float32

	// Exact scores every allowed row, however many there are.
	Exact bool
}

// Result is what a search found.
type Result struct {
	Hits        []Hit // best first; ties to the lower row
	Approximate bool  // a sketch chose the rows that were scored
}

// Search finds the k rows with the greatest inner product with q and appends them to dst, which
// may be nil. It allocates next to nothing if dst has the room. A query of the wrong length gives [ErrDim], one that is
// not finite [ErrNotFinite], and so does a row from Options.Floats.
func (m *Matrix) Search(q []float32, k int, o Options, dst []Hit) (Result, error) {
	if err := m.check(q); err != nil {
		return Result{Hits: dst}, fmt.Errorf("search: %w", err)
	}
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	k = max(0, min(k, m.Len()))
	keep := k
	if o.Floats != nil {
		keep = min(max(rescore, 2*k), m.Len())
	}
	if k == 0 {
		keep = 0
	}
	s.top.reset(keep)
	unit, err := quantizeQuery(s.query, q)
	if err != nil {
		return Result{Hits: dst}, fmt.Errorf("search: %w", err)
	}
	approx := !o.Exact && m.sketch.worth(m, o.Allow)
	switch {
	case keep == 0:
	case approx:
		if err := m.offer(s, m.sketch.pick(m, q, o.Allow, s)); err != nil {
			return Result{Hits: dst}, fmt.Errorf("search: %w", err)
		}
	default:
		m.scan(s, o.Allow, partsOf(m.Len()))
	}
	for i := range s.top.heap {
		s.top.heap[i].Score *= unit
	}
	if o.Floats != nil {
		if err := rescoreAll(&s.top, q, o.Floats); err != nil {
			return Result{Hits: dst}, fmt.Errorf("search: %w", err)
		}
	}
	hits := s.top.sorted()
	return Result{Hits: append(dst, hits[:min(k, len(hits))]...), Approximate: approx}, nil
}

// Dots writes to dst[i] the inner product of q and the given row i, on int8. It gives [ErrDim] and
// [ErrNotFinite] for a bad query, and [ErrRow] for a row that is not there.
func (m *Matrix) Dots(q []float32, rows []uint32, dst []float32) error {
	return m.DotsAll([][]float32{q}, rows, [][]float32{dst})
}

// DotsAll is [Matrix.Dots] for several queries, each with its dst. It reads each row once.
func (m *Matrix) DotsAll(qs [][]float32, rows []uint32, dst [][]float32) error {
	s := m.pool.Get().(*scratch)
	defer m.pool.Put(s)
	if err := m.quantizeAll(s, qs, len(rows), dst); err != nil {
		return fmt.Errorf("dots: %w", err)
	}
	for from := 0; from < len(rows); from += blockRows {
		block := rows[from:min(from+blockRows, len(rows))]
		if err := m.collect(s, block); err != nil {
			return fmt.Errorf("dots: %w", err)
		}
		for i := range qs {
			dots := s.dots[:len(block)]
			dotRows(s.queries[i*m.dim:][:m.dim], s.block[:len(block)*m.dim], dots)
			out := dst[i][from:][:len(block)]
			for j, row := range block {
				out[j] = float32(dots[j]) * m.scale[row] * s.units[i]
			}
		}
	}
	return nil
}

// quantizeAll prepares s for queries, and checks that each has its place for n scores.
func (m *Matrix) quantizeAll(s *scratch, qs [][]float32, n int, dst [][]float32) error {
	if len(dst) != len(qs) {
		return fmt.Errorf("%d queries into %d: %w", len(qs), len(dst), ErrDim)
	}
	s.queries, s.units = slices.Grow(s.queries[:0], len(qs)*m.dim)[:len(qs)*m.dim], s.units[:0]
	for i, q := range qs {
		if err := m.check(q); err != nil {
			return err
		}
		if len(dst[i]) != n {
			return fmt.Errorf("%d rows into %d: %w", n, len(dst[i]), ErrDim)
		}
		unit, err := quantizeQuery(s.queries[i*m.dim:][:m.dim], q)
		if err != nil {
			return err
		}
		s.units = append(s.units, unit)
	}
	return nil
}

// collect copies rows that lie apart to s.block, where the kernel takes several at a time.
func (m *Matrix) collect(s *scratch, rows []uint32) error {
	if s.block == nil {
		s.block = make([]int8, blockRows*m.dim)
	}
	for i, row := range rows {
		if uint64(row) >= uint64(m.Len()) {
			return fmt.Errorf("row %d of %d: %w", row, m.Len(), ErrRow)
		}
		copy(s.block[i*m.dim:], m.ints(row))
	}
	return nil
}

// check says whether q fits the matrix.
func (m *Matrix) check(q []float32) error {
	if len(q) != m.dim {
		return fmt.Errorf("query of %d values for rows of %d: %w", len(q), m.dim, ErrDim)
	}
	return nil
}

// offer scores rows but for the query's scale, and pushes them to s.top.
func (m *Matrix) offer(s *scratch, rows []uint32) error {
	for block := range slices.Chunk(rows, blockRows) {
		if err := m.collect(s, block); err != nil {
			return err
		}
		dotRows(s.query, s.block[:len(block)*m.dim], s.dots[:len(block)])
		for i, row := range block {
			s.top.push(Hit{row, float32(s.dots[i]) * m.scale[row]})
		}
	}
	return nil
}

// scan offers every allowed row to s.top, scored but for the query's scale.
func (m *Matrix) scan(s *scratch, allow Bitmap, parts int) {
	if parts == 1 {
		m.scanRows(s, allow, 0, m.Len())
		return
	}
	each := make([]*scratch, parts)
	each[0] = s
	for i := 1; i < parts; i++ {
		o := m.pool.Get().(*scratch)
		defer m.pool.Put(o)
		copy(o.query, s.query)
		o.top.reset(s.top.k)
		each[i] = o
	}
	inParts(m.Len(), parts, func(part, from, to int) { m.scanRows(each[part], allow, from, to) })
	for _, o := range each[1:] {
		for _, h := range o.top.heap {
			s.top.push(h)
		}
	}
}

// scanRows is scan for the rows from, which is a multiple of 64, up to to.
func (m *Matrix) scanRows(s *scratch, allow Bitmap, from, to int) {
	rows := m.Len()
	for i := from / 64; i*64 < to; i++ {
		word := allow.word(i, rows)
		first := i * 64
		if bits.OnesCount64(word) < 16 { // cheaper one by one than all 64
			for ; word != 0; word &= word - 1 {
				row := uint32(first + bits.TrailingZeros64(word))
				s.top.push(Hit{row, m.scoreRow(s, row)})
			}
			continue
		}
		n := min(64, rows-first)
		dotRows(s.query, m.data[first*m.dim:][:n*m.dim], s.dots[:n])
		floor, full := s.top.floor()
		for j, scale := range m.scale[first : first+n] {
			score := float32(s.dots[j]) * scale
			if full && score <= floor || word>>j&1 == 0 {
				continue
			}
			s.top.push(Hit{uint32(first + j), score})
			floor, full = s.top.floor()
		}
	}
}

// scoreRow returns the inner product with one row, but for the query's scale.
func (m *Matrix) scoreRow(s *scratch, row uint32) float32 {
	dotRows(s.query, m.ints(row), s.dots[:1])
	return float32(s.dots[0]) * m.scale[row]
}

// rescoreAll replaces the scores of t by inner products of float32.
func rescoreAll(t *top, q []float32, floats func(uint32) []float32) error {
	sortByRow(t.heap)
	for i := range t.heap {
		v := floats(t.heap[i].Row)
		if v == nil {
			continue
		}
		if len(v) != len(q) {
			return fmt.Errorf("row %d came with %d values for %d: %w", t.heap[i].Row, len(v), len(q), ErrDim)
		}
		score := Dot(q, v)
		if score-score != 0 { // NaN, or an infinity less itself
			return fmt.Errorf("row %d: %w", t.heap[i].Row, ErrNotFinite)
		}
		t.heap[i].Score = score
	}
	return nil
}
