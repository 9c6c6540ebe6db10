package abi

import (
	"encoding/binary"
	"math"
)

// AppendParams appends a block of parameters: magic u32, count u32, a directory of
// count × (offset u32, bytes u32), then the values in the manifest's order, each on a
// multiple of 8. A number is an f64; a string or file is its bytes. values holds a
// float64, string or []byte a parameter.
func AppendParams(dst []byte, values ...any) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, ParamMagic)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(values)))
	dir := len(dst)
	dst = append(dst, make([]byte, 8*len(values))...)
	for i, v := range values {
		for (len(dst)-start)%8 != 0 {
			dst = append(dst, 0)
		}
		at := len(dst)
		switch v := v.(type) {
		case float64:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		case string:
			dst = append(dst, v...)
		case []byte:
			dst = append(dst, v...)
		default:
			panic("abi: a parameter is a float64, a string or bytes")
		}
		binary.LittleEndian.PutUint32(dst[dir+8*i:], uint32(at-start))
		binary.LittleEndian.PutUint32(dst[dir+8*i+4:], uint32(len(dst)-at))
	}
	return dst
}

// ReadParams returns the values of a block of parameters as bytes. They share memory
// with b.
func ReadParams(b []byte) ([][]byte, error) {
	le := binary.LittleEndian
	if len(b) < 8 || le.Uint32(b) != ParamMagic {
		return nil, blockError("no parameters")
	}
	n := int64(le.Uint32(b[4:]))
	if 8+8*n > int64(len(b)) {
		return nil, blockError("the parameters do not fit")
	}
	out := make([][]byte, n)
	for i := range out {
		at, size := uint64(le.Uint32(b[8+8*i:])), uint64(le.Uint32(b[12+8*i:]))
		if at+size > uint64(len(b)) {
			return nil, blockError("a parameter lies outside")
		}
		out[i] = b[at : at+size : at+size]
	}
	return out, nil
}
