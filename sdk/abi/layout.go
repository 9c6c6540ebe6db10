package abi

import "encoding/binary"

// Magic opens a block of columns: "OMB1".
const Magic = 0x31424d4f

// ParamMagic opens a block of parameters: "OMP1".
const ParamMagic = 0x31504d4f

// Offsets of the header's fields, and its size. The directory follows it, one entry a
// column: offset u32, bytes u32. The order follows the directory: rows as u32, best
// first.
const (
	AtMagic    = 0  // u32
	AtRows     = 4  // u32
	AtLive     = 8  // u32: length of the order
	AtColumns  = 12 // u32
	AtSize     = 16 // u32: bytes of the block
	AtQuery    = 20 // u32: offset of the question, UTF-8
	AtQueryLen = 24 // u32
	AtZone     = 28 // i32: minutes that the question's zone is ahead of UTC
	AtNow      = 32 // i64: milliseconds since 1970 in UTC at which it was asked

	HeaderSize = 40
)

// Query is the question that a block carries.
type Query struct {
	Text  string
	NowMS int64
	Zone  int32 // minutes ahead of UTC
}

// Layout says where the sections of a block are. Plan fills it; it can be used again.
type Layout struct {
	Rows, Live int
	OrderAt    int
	ColAt      []int // offset of each column
	ColLen     []int // bytes of each column
	QueryAt    int
	Size       int
}

// Plan lays out a block. extra holds, for each column, the bytes of all texts or the
// number of all list values; other columns ignore it. queryLen is the bytes of the
// question.
func (l *Layout) Plan(cols []Column, rows, live int, extra []int, queryLen int) {
	l.Rows, l.Live = rows, live
	l.ColAt, l.ColLen = l.ColAt[:0], l.ColLen[:0]
	l.OrderAt = HeaderSize + 8*len(cols)
	at := align(l.OrderAt + 4*live)
	for i, c := range cols {
		n := 0
		switch c.Kind {
		case F32:
			n = 4 * rows
		case I64:
			n = 8 * rows
		case Text:
			n = 4*(rows+1) + extra[i]
		case List:
			n = 4*(rows+1) + 4*extra[i]
		}
		l.ColAt, l.ColLen = append(l.ColAt, at), append(l.ColLen, n)
		at = align(at + n)
	}
	l.QueryAt = at
	l.Size = align(at + queryLen)
}

// Write writes the header, the directory and the question into b, which has
// l.Size bytes.
func (l *Layout) Write(b []byte, q Query) {
	le := binary.LittleEndian
	le.PutUint32(b[AtMagic:], Magic)
	le.PutUint32(b[AtRows:], uint32(l.Rows))
	le.PutUint32(b[AtLive:], uint32(l.Live))
	le.PutUint32(b[AtColumns:], uint32(len(l.ColAt)))
	le.PutUint32(b[AtSize:], uint32(l.Size))
	le.PutUint32(b[AtQuery:], uint32(l.QueryAt))
	le.PutUint32(b[AtQueryLen:], uint32(len(q.Text)))
	le.PutUint32(b[AtZone:], uint32(q.Zone))
	le.PutUint64(b[AtNow:], uint64(q.NowMS))
	for i := range l.ColAt {
		le.PutUint32(b[HeaderSize+8*i:], uint32(l.ColAt[i]))
		le.PutUint32(b[HeaderSize+8*i+4:], uint32(l.ColLen[i]))
	}
	copy(b[l.QueryAt:], q.Text)
}

func align(n int) int { return (n + 7) &^ 7 }
