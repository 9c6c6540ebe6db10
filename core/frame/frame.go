// Package frame holds the table that a pipeline run works on: one row per
// candidate, one typed column per attribute.
//
// Rows never move. A stage that drops or ranks candidates edits the order, a
// list of live row numbers, best first; the columns stay where they are, so a
// dropped row can still be explained afterwards.
package frame

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Frame is a columnar table plus the order of its live rows.
//
// A Frame is not safe for concurrent use. The zero Frame is unusable: use [New].
// A frame can be used again after [Frame.Reset], which keeps its memory.
type Frame struct {
	// Query is what is asked. Stages read it and never change it.
	Query *Query
	// Source is where retrieve stages find rows. It is nil in frames that were not
	// made for a recall.
	Source Source

	n     int
	slots map[string]int // column name to index in cols
	cols  []column
	order []int32
	docs  []uint32         // the source's number of each row
	rows  map[uint32]int32 // and back
}

type column struct {
	Column
	f32  []float32
	i64  []int64
	text []string
	list Lists
}

// Lists is a column of float lists: row i is Values[Ends[i-1]:Ends[i]].
type Lists struct {
	Ends   []int32
	Values []float32
}

// Row returns the list of one row. It shares memory with the column.
func (l *Lists) Row(i int) []float32 {
	start := int32(0)
	if i > 0 {
		start = l.Ends[i-1]
	}
	return l.Values[start:l.Ends[i]:l.Ends[i]]
}

// Append adds the next row's list.
func (l *Lists) Append(values ...float32) {
	l.Values = append(l.Values, values...)
	l.Ends = append(l.Ends, int32(len(l.Values)))
}

// New returns a frame of n rows, all live, with the given columns neutral.
func New(n int, cols ...Column) *Frame {
	f := &Frame{slots: make(map[string]int, len(cols)), rows: map[uint32]int32{}}
	for _, c := range cols {
		f.add(c)
	}
	for i := range n {
		f.Row(uint32(i))
	}
	return f
}

func (f *Frame) add(c Column) {
	if _, ok := f.slots[c.Name]; ok {
		return
	}
	if c.Kind < KindF32 || c.Kind > KindList {
		panic(fmt.Sprintf("frame: column %q has no kind", c.Name))
	}
	f.slots[c.Name] = len(f.cols)
	f.cols = append(f.cols, column{Column: c})
}

// Reset empties the frame and keeps its columns and memory.
func (f *Frame) Reset() {
	f.Query, f.Source, f.n = nil, nil, 0
	f.order, f.docs = f.order[:0], f.docs[:0]
	clear(f.rows)
	for i := range f.cols {
		c := &f.cols[i]
		c.f32, c.i64 = c.f32[:0], c.i64[:0]
		clear(c.text)
		c.text = c.text[:0]
		c.list.Ends, c.list.Values = c.list.Ends[:0], c.list.Values[:0]
	}
}

// Row returns the row of the source's item doc, adding a neutral live row if there
// is none yet.
func (f *Frame) Row(doc uint32) int32 {
	r := f.number(doc)
	f.lengthen()
	return r
}

// Rows adds a neutral live row for each item that a retriever found and that has none.
func (f *Frame) Rows(hits []Hit) {
	for _, h := range hits {
		f.number(h.Doc)
	}
	f.lengthen()
}

// number returns the row of a doc, giving it the next one, without its columns, if it has
// none.
func (f *Frame) number(doc uint32) int32 {
	r, ok := f.rows[doc]
	if !ok {
		r = int32(f.n)
		f.rows[doc] = r
		f.docs = append(f.docs, doc)
		f.order = append(f.order, r)
		f.n++
	}
	return r
}

// lengthen makes every column as long as there are rows.
func (f *Frame) lengthen() {
	for i := range f.cols {
		c := &f.cols[i]
		switch c.Kind {
		case KindF32:
			c.f32 = padded(c.f32, f.n, c.Neutral)
		case KindI64:
			c.i64 = padded(c.i64, f.n, 0)
		case KindText:
			c.text = padded(c.text, f.n, "")
		case KindList: // empty until the source fills it
			c.list.Ends = padded(c.list.Ends, f.n, int32(len(c.list.Values)))
		}
	}
}

func padded[T any](s []T, n int, with T) []T {
	s = slices.Grow(s, n-len(s))
	for len(s) < n {
		s = append(s, with)
	}
	return s
}

// Docs returns the source's number of each row, by row.
func (f *Frame) Docs() []uint32 { return f.docs }

// Len returns the number of rows, live or not.
func (f *Frame) Len() int { return f.n }

// Columns returns the columns in the order they were added.
func (f *Frame) Columns() []Column {
	out := make([]Column, len(f.cols))
	for i := range f.cols {
		out[i] = f.cols[i].Column
	}
	return out
}

// Has reports whether the frame has a column.
func (f *Frame) Has(c Column) bool {
	i, ok := f.slots[c.Name]
	return ok && f.cols[i].Kind == c.Kind
}

// F32 returns the storage of a float column, one value per row.
//
// It panics if the frame has no such column: stages declare what they touch, and
// the builder has checked it, so a miss is a bug in the stage.
func (f *Frame) F32(c Column) []float32 { return f.col(c, KindF32).f32 }

// I64 is [Frame.F32] for integer columns.
func (f *Frame) I64(c Column) []int64 { return f.col(c, KindI64).i64 }

// Strings is [Frame.F32] for text columns.
func (f *Frame) Strings(c Column) []string { return f.col(c, KindText).text }

// List is [Frame.F32] for list columns.
func (f *Frame) List(c Column) *Lists { return &f.col(c, KindList).list }

func (f *Frame) col(c Column, k Kind) *column {
	i, ok := f.slots[c.Name]
	if !ok || f.cols[i].Kind != k {
		panic(fmt.Sprintf("frame: no %v column %q", k, c.Name))
	}
	return &f.cols[i]
}

// Order returns the live rows, best first. The slice is the frame's own.
func (f *Frame) Order() []int32 { return f.order }

// SetOrder replaces the live rows. It is for hosts that read an order back from a
// plugin; [Frame.Check] must run after it.
func (f *Frame) SetOrder(rows []int32) { f.order = append(f.order[:0], rows...) }

// Keep drops every live row for which ok returns false, keeping the order.
func (f *Frame) Keep(ok func(row int32) bool) {
	f.order = slices.DeleteFunc(f.order, func(r int32) bool { return !ok(r) })
}

// Rank orders the live rows by column c, highest first; ties go to the lower id,
// so the result never depends on the order the rows arrived in.
func (f *Frame) Rank(c Column) {
	v, id := f.F32(c), f.I64(ID)
	slices.SortFunc(f.order, func(a, b int32) int {
		if d := cmp.Compare(v[b], v[a]); d != 0 {
			return d
		}
		return cmp.Compare(id[a], id[b])
	})
}

// Truncate keeps the best k live rows.
func (f *Frame) Truncate(k int) { f.order = f.order[:max(0, min(k, len(f.order)))] }

// Check reports the first broken invariant: a float that is not finite, a list
// column of the wrong shape, or an order that names a row twice or out of range.
func (f *Frame) Check() error {
	for i := range f.cols {
		if err := f.cols[i].check(f.n); err != nil {
			return err
		}
	}
	seen := make([]bool, f.n)
	for _, r := range f.order {
		if r < 0 || int(r) >= f.n {
			return fmt.Errorf("order names row %d of %d", r, f.n)
		}
		if seen[r] {
			return fmt.Errorf("order names row %d twice", r)
		}
		seen[r] = true
	}
	return nil
}

func (c *column) check(n int) error {
	finite := func(vs []float32) error {
		for i, v := range vs {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return fmt.Errorf("column %q value %d is %v", c.Name, i, v)
			}
		}
		return nil
	}
	if c.Kind == KindList {
		if len(c.list.Ends) != n {
			return fmt.Errorf("list column %q has %d rows, want %d", c.Name, len(c.list.Ends), n)
		}
		end := int32(0)
		for _, e := range c.list.Ends {
			if e < end || int(e) > len(c.list.Values) {
				return fmt.Errorf("list column %q has bounds out of order", c.Name)
			}
			end = e
		}
		return finite(c.list.Values)
	}
	return finite(c.f32)
}

// Clone returns a deep copy. It shares the query and the source.
func (f *Frame) Clone() *Frame {
	g := &Frame{
		Query: f.Query, Source: f.Source, n: f.n, slots: maps.Clone(f.slots),
		order: slices.Clone(f.order), docs: slices.Clone(f.docs), rows: maps.Clone(f.rows),
	}
	for _, c := range f.cols {
		c.f32, c.i64, c.text = slices.Clone(c.f32), slices.Clone(c.i64), slices.Clone(c.text)
		c.list = Lists{slices.Clone(c.list.Ends), slices.Clone(c.list.Values)}
		g.cols = append(g.cols, c)
	}
	return g
}
