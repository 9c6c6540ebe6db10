package chat

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// errSyntax says that bytes are not JSON.
var errSyntax = errors.New("not JSON")

// errDepth says that JSON is nested too deeply to be looked into.
var errDepth = errors.New("JSON is nested too deeply")

// maxDepth is how deeply a body may be nested.
const maxDepth = 512

// span is a value: bytes start to end.
type span struct{ start, end int }

// scanner walks over JSON and knows the place of every value. It accepts what
// encoding/json accepts.
type scanner struct {
	b []byte
	i int
	// depth counts the open objects and arrays.
	depth int
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// peek returns the first byte of the next value, or 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i == len(s.b) {
		return 0
	}
	return s.b[s.i]
}

// end returns an error unless nothing follows.
func (s *scanner) end() error {
	if s.peek() != 0 || s.i < len(s.b) {
		return errSyntax
	}
	return nil
}

// object calls fn before each value of an object, with its key. fn must consume the
// value.
func (s *scanner) object(fn func(key string) error) error {
	return s.list('{', '}', func() error {
		if s.peek() != '"' {
			return errSyntax
		}
		k, err := s.text()
		if err != nil {
			return err
		}
		if s.peek() != ':' {
			return errSyntax
		}
		s.i++
		return fn(k)
	})
}

// array calls fn before each element of an array. fn must consume it.
func (s *scanner) array(fn func() error) error { return s.list('[', ']', fn) }

func (s *scanner) list(open, shut byte, fn func() error) error {
	if s.peek() != open {
		return errSyntax
	}
	if s.depth++; s.depth > maxDepth {
		return errDepth
	}
	defer func() { s.depth-- }()
	s.i++
	if s.peek() == shut {
		s.i++
		return nil
	}
	for {
		if err := fn(); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.i++
		case shut:
			s.i++
			return nil
		default:
			return errSyntax
		}
	}
}

// skip consumes one value of any kind and returns its place.
func (s *scanner) skip() (span, error) {
	s.space()
	start := s.i
	var err error
	switch c := s.peek(); {
	case c == '{':
		err = s.object(func(string) error { _, err := s.skip(); return err })
	case c == '[':
		err = s.array(func() error { _, err := s.skip(); return err })
	case c == '"':
		_, err = s.str()
	case c == '-' || c >= '0' && c <= '9':
		err = s.number()
	default:
		err = s.word()
	}
	return span{start, s.i}, err
}

func (s *scanner) word() error {
	for _, w := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.b[s.i:], []byte(w)) {
			s.i += len(w)
			return nil
		}
	}
	return errSyntax
}

func (s *scanner) number() error {
	digits := func() bool {
		from := s.i
		for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
			s.i++
		}
		return s.i > from
	}
	at := func(c ...byte) bool {
		if s.i < len(s.b) && bytes.IndexByte(c, s.b[s.i]) >= 0 {
			s.i++
			return true
		}
		return false
	}
	at('-')
	if !at('0') && !digits() {
		return errSyntax
	}
	if at('.') && !digits() {
		return errSyntax
	}
	if at('e', 'E') {
		at('+', '-')
		if !digits() {
			return errSyntax
		}
	}
	return nil
}

// str consumes a string and returns the place of what is between its quotes.
func (s *scanner) str() (inner span, err error) {
	s.i++
	inner.start = s.i
	for {
		rest := s.b[s.i:]
		n := bytes.IndexByte(rest, '"')
		if n < 0 {
			return inner, errSyntax
		}
		part := rest[:n]
		if e := bytes.IndexByte(part, '\\'); e >= 0 {
			part = part[:e]
			n = e
		}
		for _, c := range part {
			if c < 0x20 {
				return inner, errSyntax
			}
		}
		s.i += n
		if s.b[s.i] == '"' {
			inner.end = s.i
			s.i++
			return inner, nil
		}
		if err := s.escape(); err != nil {
			return inner, err
		}
	}
}

func (s *scanner) escape() error {
	s.i++
	if s.i == len(s.b) {
		return errSyntax
	}
	c := s.b[s.i]
	s.i++
	if c != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), c) < 0 {
			return errSyntax
		}
		return nil
	}
	for range 4 {
		if s.i == len(s.b) || bytes.IndexByte([]byte("0123456789abcdefABCDEF"), s.b[s.i]) < 0 {
			return errSyntax
		}
		s.i++
	}
	return nil
}

// text consumes a string and returns what it says. Half of a surrogate pair becomes
// U+FFFD.
func (s *scanner) text() (string, error) {
	inner, err := s.str()
	if err != nil {
		return "", err
	}
	return unquote(s.b, inner), nil
}

// unquote returns what is between the quotes of a string that was scanned.
func unquote(b []byte, inner span) string {
	raw := b[inner.start:inner.end]
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for at >= 0 {
		out = append(out, raw[:at]...)
		raw = raw[at+1:]
		c := raw[0]
		raw = raw[1:]
		if c == 'u' {
			r := hex4(raw)
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
					pair = utf16.DecodeRune(r, hex4(raw[2:]))
				}
				if r = pair; pair != utf8.RuneError {
					raw = raw[6:]
				}
			}
			out = utf8.AppendRune(out, r)
		} else if i := strings.IndexByte("bfnrt", c); i >= 0 {
			out = append(out, "\b\f\n\r\t"[i])
		} else {
			out = append(out, c) // a quote, a backslash or a slash
		}
		at = bytes.IndexByte(raw, '\\')
	}
	return string(append(out, raw...))
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune) {
	for _, c := range b[:4] {
		switch {
		case c >= 'a':
			c -= 'a' - 10
		case c >= 'A':
			c -= 'A' - 10
		default:
			c -= '0'
		}
		r = r<<4 | rune(c)
	}
	return r
}

// maybeText consumes any value and returns it when it is a string.
func (s *scanner) maybeText() (string, error) {
	if s.peek() == '"' {
		return s.text()
	}
	_, err := s.skip()
	return "", err
}
