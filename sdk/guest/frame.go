package guest

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"github.com/orma-memory/orma/sdk/abi"
)

// Frame is the table of candidates: one row a candidate, one column an attribute. Its
// slices are the block itself, so writing to them is the result. Methods that take a
// column's name panic if the manifest does not have it.
type Frame struct {
	b     []byte
	cols  []abi.Column
	rows  int
	order []uint32 // as it came; live is how much of it counts
}

// errFrame is a block that is not the manifest's.
var errFrame = errors.New("the block does not fit the manifest")

// open points the frame at a block. The host made it, so only what would make this
// program crash is checked.
func (f *Frame) open(b []byte, cols []abi.Column) error {
	le := binary.LittleEndian
	if len(b) < abi.HeaderSize || le.Uint32(b[abi.AtMagic:]) != abi.Magic || int(le.Uint32(b[abi.AtColumns:])) != len(cols) ||
		uintptr(unsafe.Pointer(&b[0]))%8 != 0 {
		return errFrame
	}
	f.b, f.cols, f.rows = b, cols, int(le.Uint32(b[abi.AtRows:]))
	f.order = slice[uint32](b[abi.HeaderSize+8*len(cols):], int(le.Uint32(b[abi.AtLive:])))
	return nil
}

// slice views the first n values of a section. Sections start on multiples of 8.
func slice[T any](b []byte, n int) []T {
	if n == 0 {
		return nil
	}
	var t T
	_ = b[n*int(unsafe.Sizeof(t))-1]
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}

func (f *Frame) section(name, kind string) []byte {
	for i := range f.cols {
		if f.cols[i].Name == name && f.cols[i].Kind == kind {
			at := binary.LittleEndian.Uint32(f.b[abi.HeaderSize+8*i:])
			return f.b[at : at+binary.LittleEndian.Uint32(f.b[abi.HeaderSize+8*i+4:])]
		}
	}
	panic("guest: no " + kind + " column " + name)
}

// Rows returns the number of rows, live or not.
func (f *Frame) Rows() int { return f.rows }

// F32 returns a float column, one value a row.
func (f *Frame) F32(name string) []float32 { return slice[float32](f.section(name, abi.F32), f.rows) }

// I64 returns an integer column, one value a row.
func (f *Frame) I64(name string) []int64 { return slice[int64](f.section(name, abi.I64), f.rows) }

// Texts returns a text column.
func (f *Frame) Texts(name string) Texts {
	s := f.section(name, abi.Text)
	return Texts{slice[uint32](s, f.rows+1), s[4*(f.rows+1):]}
}

// Texts is a text column. A text is valid until the call ends.
type Texts struct {
	ends []uint32
	body []byte
}

// At returns the text of a row: UTF-8, unless what was stored is not.
func (t Texts) At(row int) string {
	b := t.body[t.ends[row]:t.ends[row+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Lists returns a list column.
func (f *Frame) Lists(name string) Lists {
	s := f.section(name, abi.List)
	ends := slice[uint32](s, f.rows+1)
	return Lists{ends, slice[float32](s[4*(f.rows+1):], int(ends[f.rows]))}
}

// Lists is a list column: any number of values a row. A vector is a list.
type Lists struct {
	ends   []uint32
	values []float32
}

// At returns the list of a row.
func (l Lists) At(row int) []float32 { return l.values[l.ends[row]:l.ends[row+1]] }

// Order returns the live rows, best first. Changing the slice reorders them, which the
// manifest must declare.
func (f *Frame) Order() []uint32 { return f.order[:binary.LittleEndian.Uint32(f.b[abi.AtLive:])] }

// Keep drops the live rows for which ok is false. The manifest must declare it.
func (f *Frame) Keep(ok func(row int) bool) {
	kept := f.Order()[:0]
	for _, row := range f.Order() {
		if ok(int(row)) {
			kept = append(kept, row)
		}
	}
	binary.LittleEndian.PutUint32(f.b[abi.AtLive:], uint32(len(kept)))
}

// Query returns the question; empty unless the manifest asks for it. It is valid until
// the call ends.
func (f *Frame) Query() string {
	at := binary.LittleEndian.Uint32(f.b[abi.AtQuery:])
	b := f.b[at : at+binary.LittleEndian.Uint32(f.b[abi.AtQueryLen:])]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Now returns when it was asked: milliseconds since 1970 in UTC, and the minutes that
// the question's zone is ahead of it. 0 unless the manifest asks for the question.
func (f *Frame) Now() (ms int64, zoneMinutes int) {
	le := binary.LittleEndian
	return int64(le.Uint64(f.b[abi.AtNow:])), int(int32(le.Uint32(f.b[abi.AtZone:])))
}
