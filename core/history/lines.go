package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/orma-memory/orma/core"
)

// MaxLine is the longest line that is read, in bytes. JSON escapes make a line up to
// six times as long as its text.
const MaxLine = 16 << 20

// Line is a line of a file.
type Line struct {
	Number int   // from 1
	End    int64 // bytes read up to here, with its line break
	Data   []byte
	Err    error // the line cannot be read; the next one can

	listed bool // it is no line but an element of a list
}

// place names the line in a file.
func (l *Line) place(f *File) string {
	if l.listed {
		return f.place("row %d", l.Number)
	}
	return fmt.Sprintf("%s:%d", f.Name, l.Number)
}

// Lines yields the lines of r that hold something. A line too long has an error and
// is passed over; an error of r itself ends the lines and is yielded with number 0.
// Data is valid until the next line.
func Lines(r io.Reader) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		br := bufio.NewReaderSize(r, 256<<10)
		var long []byte
		at := int64(0)
		for n := 1; ; n++ {
			data, size, err := readLine(br, &long)
			at += size
			l := Line{Number: n, End: at, Data: data}
			if n == 1 {
				l.Data = bytes.TrimPrefix(l.Data, []byte("\xef\xbb\xbf"))
			}
			l.Data = bytes.TrimSpace(l.Data)
			if size > MaxLine {
				l.Data, l.Err = nil, core.Errorf(core.CodeTooLarge, "the line has %d bytes, more than %d", size, MaxLine)
			}
			if (len(l.Data) > 0 || l.Err != nil) && !yield(l) {
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Line{End: at, Err: err})
				return
			}
		}
	}
}

// readLine reads up to a line break. Of a line longer than MaxLine only the size is
// kept.
func readLine(br *bufio.Reader, long *[]byte) (data []byte, size int64, err error) {
	data, err = br.ReadSlice('\n')
	size = int64(len(data))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return data, size, err
	}
	*long = append((*long)[:0], data...)
	for errors.Is(err, bufio.ErrBufferFull) {
		data, err = br.ReadSlice('\n')
		if size += int64(len(data)); size <= MaxLine {
			*long = append(*long, data...)
		}
	}
	return *long, size, err
}
