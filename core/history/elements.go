package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

// MaxElement is the longest element of a JSON list that is read, in bytes: one
// conversation, or one memory. Only one is in memory at a time.
const MaxElement = 128 << 20

// element is a value of a JSON file.
type element struct {
	n    int    // from 1
	end  int64  // bytes read up to here
	data []byte // valid until the next one
	err  error  // it cannot be read. With n 0 it is the file that cannot
}

// elements yields the values of a JSON file: the elements of a list, those of a list
// that an object holds under one of the keys, or the object itself. It finds where
// values end and leaves what is inside to the caller, so that one broken element costs
// that element alone.
func elements(r io.Reader, limit int, keys ...string) iter.Seq[element] {
	return func(yield func(element) bool) {
		s := &splitter{br: bufio.NewReaderSize(r, 256<<10), limit: limit, keys: keys, yield: yield}
		if bom, _ := s.br.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
			s.skip(3)
		}
		err := s.top()
		switch {
		case err == nil, errors.Is(err, errStopped):
		case core.CodeOf(err) == core.CodeInvalid:
			yield(element{n: s.n + 1, end: s.at, err: err})
		default:
			yield(element{end: s.at, err: err})
		}
	}
}

// errStopped says that the caller wants no more.
var errStopped = errors.New("stopped")

// errCutOff says that a file ends where a value has not ended.
var errCutOff error = core.Errorf(core.CodeInvalid, "the file ends in the middle of it")

type splitter struct {
	br    *bufio.Reader
	at    int64 // bytes read
	n     int   // elements so far
	limit int
	keys  []string
	yield func(element) bool

	buf  []byte
	long bool // the value is longer than limit, and is not kept
}

// top reads the values that stand at the top of a file: one, or one a line.
func (s *splitter) top() error {
	for {
		c, err := s.peek()
		if errors.Is(err, io.EOF) {
			return nil
		}
		switch {
		case err != nil:
			return err
		case c == '[':
			err = s.list()
		case c == '{':
			err = s.object()
		default:
			return core.Errorf(core.CodeInvalid, "byte %d is %q, where a list or an object should begin", s.at+1, c)
		}
		if err != nil {
			return err
		}
	}
}

// list yields the elements of the list that begins here.
func (s *splitter) list() error {
	s.skip(1)
	for {
		c, err := s.peek()
		if err != nil {
			return cutOff(err)
		}
		if c == ']' {
			s.skip(1)
			return nil
		}
		if c == ',' {
			s.skip(1)
			continue
		}
		s.buf, s.long = s.buf[:0], false
		if err := s.value(c); err != nil {
			return err
		}
		if err := s.element(); err != nil {
			return err
		}
	}
}

// object yields the lists that the object here holds under one of the keys, and
// itself if it holds none.
func (s *splitter) object() error {
	s.skip(1)
	s.buf, s.long = append(s.buf[:0], '{'), false
	found, first := false, true
	for {
		c, err := s.peek()
		switch {
		case err != nil:
			return cutOff(err)
		case c == '}':
			s.skip(1)
			if found {
				return nil
			}
			s.keep('}')
			return s.element()
		case c == ',' || c == ':':
			s.skip(1)
			continue
		}
		if !first {
			s.keep(',')
		}
		first = false
		listed, err := s.member(c, found)
		found = found || listed
		if err != nil {
			return err
		}
	}
}

// member reads one key of an object with its value, and reports whether the value was
// a list that is wanted. What is not wanted and comes after one is passed over.
func (s *splitter) member(c byte, found bool) (listed bool, err error) {
	start := len(s.buf)
	if err := s.value(c); err != nil {
		return false, err
	}
	var key string
	if !s.long {
		_ = json.Unmarshal(s.buf[start:], &key) // what is no key matches none
	}
	if c, err = s.peek(); err != nil {
		return false, cutOff(err)
	}
	if c == ':' {
		s.skip(1)
		s.keep(':')
		if c, err = s.peek(); err != nil {
			return false, cutOff(err)
		}
	}
	if c == '[' && slices.Contains(s.keys, key) {
		return true, s.list()
	}
	if found {
		s.buf, s.long = s.buf[:0], false
	}
	if c == '}' || c == ',' { // no value: the object's own reader says so
		return false, nil
	}
	return false, s.value(c)
}

// element hands a value on.
func (s *splitter) element() error {
	s.n++
	e := element{n: s.n, end: s.at, data: s.buf}
	if s.long {
		e.err = core.Errorf(core.CodeTooLarge, "it has more than %d MB", s.limit>>20)
	}
	if !s.yield(e) {
		return errStopped
	}
	if cap(s.buf) > keptBuffer {
		s.buf = nil
	}
	return nil
}

// keptBuffer is the largest buffer that is kept for the next element.
const keptBuffer = 4 << 20

// value reads the value that begins with c, at least one byte, into buf.
func (s *splitter) value(c byte) error {
	scan := (&scalar{}).end
	if c == '{' || c == '[' || c == '"' {
		scan = (&nesting{}).end
	}
	for {
		if _, err := s.br.Peek(1); err != nil {
			return cutOff(err)
		}
		chunk, _ := s.br.Peek(s.br.Buffered())
		n, done := scan(chunk)
		s.keep(chunk[:n]...)
		s.skip(n)
		if done {
			return nil
		}
	}
}

// scalar finds the end of a number or word. Its first byte may be any.
type scalar struct{ begun bool }

func (s *scalar) end(chunk []byte) (n int, done bool) {
	for i, c := range chunk {
		if s.begun && strings.IndexByte(" \t\r\n,:]}", c) >= 0 {
			return i, true
		}
		s.begun = true
	}
	return len(chunk), false
}

// nesting finds the end of a string, a list or an object.
type nesting struct {
	depth     int
	text, esc bool // inside a string, after its backslash
}

func (s *nesting) end(chunk []byte) (n int, done bool) {
	for i, c := range chunk {
		switch {
		case s.esc:
			s.esc = false
		case s.text && c == '\\':
			s.esc = true
		case c == '"':
			s.text = !s.text
		case s.text:
		case c == '{' || c == '[':
			s.depth++
			continue
		case c == '}' || c == ']':
			s.depth--
		default:
			continue
		}
		if s.depth <= 0 && !s.text {
			return i + 1, true
		}
	}
	return len(chunk), false
}

// peek returns the next byte that is no white space, without taking it.
func (s *splitter) peek() (byte, error) {
	for {
		b, err := s.br.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			s.skip(1)
		default:
			return b[0], nil
		}
	}
}

func (s *splitter) skip(n int) {
	n, _ = s.br.Discard(n)
	s.at += int64(n)
}

func (s *splitter) keep(b ...byte) {
	if s.long = s.long || len(s.buf)+len(b) > s.limit; s.long {
		s.buf = s.buf[:0]
		return
	}
	s.buf = append(s.buf, b...)
}

// cutOff makes the end of a file an error of the value that it cuts.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return errCutOff
	}
	return err
}
