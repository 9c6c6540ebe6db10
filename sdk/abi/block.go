package abi

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
)

// Block is a block of columns whose every offset has been checked.
type Block struct {
	b    []byte
	cols []Column
	rows int
}

// ErrBlock is what every error about a block is.
var ErrBlock = errors.New("bad block")

// blockError is an [ErrBlock] with the reason. Package fmt would make guests larger.
type blockError string

func (e blockError) Error() string      { return "bad block: " + string(e) }
func (blockError) Is(target error) bool { return target == ErrBlock }

// Open checks that b is a block with the given columns: its magic, its sizes, that
// every section lies inside it, and that offsets of texts and lists ascend. Nothing in
// b is trusted; order and values are left to the caller.
func Open(b []byte, cols []Column) (*Block, error) {
	bad := func(reason string) (*Block, error) { return nil, blockError(reason) }
	le := binary.LittleEndian
	if len(b) < HeaderSize {
		return bad("no room for a header")
	}
	rows, live := int64(le.Uint32(b[AtRows:])), int64(le.Uint32(b[AtLive:]))
	switch {
	case le.Uint32(b[AtMagic:]) != Magic:
		return bad("wrong magic")
	case int(le.Uint32(b[AtColumns:])) != len(cols):
		return bad("it has " + strconv.Itoa(int(le.Uint32(b[AtColumns:]))) + " columns, not " + strconv.Itoa(len(cols)))
	case int64(le.Uint32(b[AtSize:])) != int64(len(b)):
		return bad("its size is not what it says")
	case live > rows:
		return bad("more live rows than rows")
	case int64(HeaderSize+8*len(cols))+4*live > int64(len(b)):
		return bad("the order does not fit")
	case uint64(le.Uint32(b[AtQuery:]))+uint64(le.Uint32(b[AtQueryLen:])) > uint64(len(b)):
		return bad("the question does not fit")
	}
	for i, c := range cols {
		at, n := int64(le.Uint32(b[HeaderSize+8*i:])), int64(le.Uint32(b[HeaderSize+8*i+4:]))
		if at%8 != 0 || at < int64(HeaderSize+8*len(cols)) || at+n > int64(len(b)) {
			return bad("column " + c.Name + " lies outside")
		}
		if err := checkColumn(b[at:at+n], c.Kind, rows); err != nil {
			return bad("column " + c.Name + ": " + err.Error())
		}
	}
	return &Block{b, cols, int(rows)}, nil
}

func checkColumn(s []byte, kind string, rows int64) error {
	want := int64(len(s))
	switch kind {
	case F32:
		want = 4 * rows
	case I64:
		want = 8 * rows
	case Text, List:
		head, unit := 4*(rows+1), uint64(1)
		if kind == List {
			unit = 4
		}
		if head > int64(len(s)) {
			return errors.New("too short for its offsets")
		}
		last := uint32(0)
		for i := range rows + 1 {
			end := binary.LittleEndian.Uint32(s[4*i:])
			if end < last || i == 0 && end != 0 {
				return errors.New("offsets do not ascend from 0")
			}
			last = end
		}
		if uint64(last)*unit != uint64(int64(len(s))-head) {
			return errors.New("the last offset is not its end")
		}
	default:
		return errors.New("unknown kind " + kind)
	}
	if want != int64(len(s)) {
		return errors.New("wrong length")
	}
	return nil
}

// Rows returns the number of rows.
func (b *Block) Rows() int { return b.rows }

// Live returns the length of the order.
func (b *Block) Live() int { return int(binary.LittleEndian.Uint32(b.b[AtLive:])) }

// Order returns the i-th row of the order.
func (b *Block) Order(i int) uint32 {
	return binary.LittleEndian.Uint32(b.b[HeaderSize+8*len(b.cols)+4*i:])
}

// Query returns the question.
func (b *Block) Query() Query {
	le := binary.LittleEndian
	at := le.Uint32(b.b[AtQuery:])
	return Query{
		Text:  string(b.b[at : at+le.Uint32(b.b[AtQueryLen:])]),
		NowMS: int64(le.Uint64(b.b[AtNow:])), Zone: int32(le.Uint32(b.b[AtZone:])),
	}
}

// section returns the bytes of a column.
func (b *Block) section(col int) []byte {
	at := binary.LittleEndian.Uint32(b.b[HeaderSize+8*col:])
	return b.b[at : at+binary.LittleEndian.Uint32(b.b[HeaderSize+8*col+4:])]
}

// F32 returns a value of an f32 column.
func (b *Block) F32(col, row int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.section(col)[4*row:]))
}

// I64 returns a value of an i64 column.
func (b *Block) I64(col, row int) int64 {
	return int64(binary.LittleEndian.Uint64(b.section(col)[8*row:]))
}

// Text returns a value of a text column.
func (b *Block) Text(col, row int) string {
	s := b.section(col)
	start, end := binary.LittleEndian.Uint32(s[4*row:]), binary.LittleEndian.Uint32(s[4*row+4:])
	return string(s[4*(b.rows+1):][start:end])
}

// List returns a row of a list column.
func (b *Block) List(col, row int) []float32 {
	s := b.section(col)
	start, end := binary.LittleEndian.Uint32(s[4*row:]), binary.LittleEndian.Uint32(s[4*row+4:])
	out := make([]float32, 0, end-start)
	for i := start; i < end; i++ {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(s[4*(b.rows+1)+4*int(i):])))
	}
	return out
}
