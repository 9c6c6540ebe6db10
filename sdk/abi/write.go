package abi

import (
	"encoding/binary"
	"math"
)

// The functions here write the section of one column, which has the bytes that the
// layout gave it.

// PutF32 writes an f32 column.
func PutF32(dst []byte, v []float32) {
	dst = dst[:4*len(v)]
	for i, x := range v {
		binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(x))
	}
}

// PutI64 writes an i64 column.
func PutI64(dst []byte, v []int64) {
	dst = dst[:8*len(v)]
	for i, x := range v {
		binary.LittleEndian.PutUint64(dst[8*i:], uint64(x))
	}
}

// PutText writes a text column.
func PutText(dst []byte, v []string) {
	at, body := 0, dst[4*(len(v)+1):]
	binary.LittleEndian.PutUint32(dst, 0)
	for i, s := range v {
		at += copy(body[at:], s)
		binary.LittleEndian.PutUint32(dst[4*i+4:], uint32(at))
	}
}

// PutList writes a list column: row i is values[ends[i-1]:ends[i]].
func PutList(dst []byte, ends []int32, values []float32) {
	binary.LittleEndian.PutUint32(dst, 0)
	for i, e := range ends {
		binary.LittleEndian.PutUint32(dst[4*i+4:], uint32(e))
	}
	PutF32(dst[4*(len(ends)+1):], values)
}

// PutOrder writes the order.
func PutOrder(dst []byte, rows []int32) {
	dst = dst[:4*len(rows)]
	for i, r := range rows {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(r))
	}
}
