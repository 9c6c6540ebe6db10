package meter

import (
	"errors"
	"fmt"
)

// reader reads a section. After the first error it returns zeros.
type reader struct {
	b   []byte
	err error
}

var errShort = errors.New("it ends too early")

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("%w", errShort)
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) bytes(n uint32) []byte {
	if uint64(n) > uint64(len(r.b)) {
		r.fail("%w", errShort)
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}

func (r *reader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if v > 1<<32-1 {
				break
			}
			return uint32(v)
		}
	}
	r.fail("a number is too long")
	return 0
}

// skipInt skips a signed number of at most n bytes.
func (r *reader) skipInt(n int) {
	for range n {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail("a number is too long")
}

// count reads the length of a list. No element is shorter than a byte, so a longer
// list than there are bytes is refused at once.
func (r *reader) count() uint32 {
	n := r.u32()
	if uint64(n) > uint64(len(r.b)) {
		r.fail("%w", errShort)
		return 0
	}
	return n
}

// name skips a length and that many bytes.
func (r *reader) name() { r.bytes(r.u32()) }

// limits skips the limits of a table or memory.
func (r *reader) limits() {
	switch r.byte() {
	case 0:
		r.u32()
	case 1:
		r.u32()
		r.u32()
	default:
		r.fail("unknown limits")
	}
}

func appendU32(dst []byte, v uint32) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

// appendI32 appends a number that is not negative as a signed one.
func appendI32(dst []byte, v uint32) []byte {
	for v >= 0x40 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}
