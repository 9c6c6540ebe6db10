//go:build !wasip1

package proc

import (
	"strings"
	"unsafe"
)

// aligned returns b, or a copy of it, that starts on a multiple of 8: blocks are viewed
// as slices of numbers.
func aligned(b []byte) []byte {
	if len(b) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%8 == 0 {
		return b
	}
	words := make([]uint64, (len(b)+7)/8)
	own := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(own, b)
	return own
}

// validUTF8 is a text that a message may carry.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
