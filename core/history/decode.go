package history

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"golang.org/x/text/encoding/unicode"

	"github.com/orma-memory/orma/core"
)

// decoded undoes what stands around the text of a file: gzip, and UTF-16, which some
// systems write where they are asked for text.
func decoded(r io.Reader) (io.Reader, error) {
	br := bufio.NewReader(r)
	if head, _ := br.Peek(2); string(head) == "\x1f\x8b" {
		in := &counted{r: br}
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, core.Errorf(core.CodeInvalid, "the gzip archive cannot be read: %w", err)
		}
		br = bufio.NewReader(&unzipped{z: z, in: in})
	}
	head, _ := br.Peek(4) // an error shows at the first read
	if order, ok := utf16Order(head); ok {
		return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(br), nil
	}
	return br, nil
}

// Plain returns text in UTF-8: what it is given, or its translation from UTF-16.
func Plain(data []byte) []byte {
	if order, ok := utf16Order(data); ok {
		if out, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(data); err == nil {
			return out
		}
	}
	return data
}

// utf16Order tells by its first bytes whether a text is UTF-16: by its mark, or by two
// characters of ASCII with a zero beside each.
func utf16Order(head []byte) (unicode.Endianness, bool) {
	ascii := func(b byte) bool { return b >= ' ' && b < 0x7F || b == '\n' || b == '\r' || b == '\t' }
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.BigEndian, true
	case len(head) < 4:
		return unicode.BigEndian, false
	case ascii(head[0]) && head[1] == 0 && ascii(head[2]) && head[3] == 0:
		return unicode.LittleEndian, true
	case head[0] == 0 && ascii(head[1]) && head[2] == 0 && ascii(head[3]):
		return unicode.BigEndian, true
	}
	return unicode.BigEndian, false
}

type counted struct {
	r *bufio.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte spares gzip a buffer of its own, which would count ahead.
func (c *counted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// unzipped reads a gzip archive within the limits of one in a ZIP archive.
type unzipped struct {
	z  *gzip.Reader
	in *counted
	n  int64
}

func (u *unzipped) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	u.n += int64(n)
	switch {
	case u.n > maxEntry:
		return 0, core.Errorf(core.CodeTooLarge, "it unpacks to more than %d GB", maxEntry>>30)
	case u.n > smallEntry && u.n/max(u.in.n, 1) > maxRatio:
		return 0, core.Errorf(core.CodeInvalid, "it unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}
