package vector

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendBlob appends v to dst as little-endian float32, the form in which the store keeps vectors.
func AppendBlob(dst []byte, v []float32) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// DecodeBlob reads into dst what [AppendBlob] wrote. A blob of another length than dst gives
// [ErrDim]; one with a NaN or an infinity gives [ErrNotFinite].
func DecodeBlob(dst []float32, blob []byte) error {
	if len(blob) != 4*len(dst) {
		return fmt.Errorf("blob of %d bytes for %d dimensions: %w", len(blob), len(dst), ErrDim)
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(blob[4*i:]))
	}
	_, err := maxAbs(dst)
	return err
}
