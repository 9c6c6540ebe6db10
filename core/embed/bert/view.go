package bert

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// viewInts returns b as int8, in place.
func viewInts(b []byte) []int8 {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(&b[0])), len(b))
}

// viewFloats returns b, little-endian, as float32: in place if this machine can read it there, else as
// a copy.
func viewFloats(b []byte) []float32 {
	n := len(b) / 4
	if n == 0 {
		return nil
	}
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	if little && uintptr(unsafe.Pointer(&b[0]))%4 == 0 {
		return unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), n)
	}
	f := make([]float32, n)
	for i := range f {
		f[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return f
}
