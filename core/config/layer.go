package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// maxBytes is the longest file that is read.
const maxBytes = 1 << 20

// origin says what a layer is.
type origin uint8

const (
	builtin  origin = iota // a profile in the binary
	file                   // a user's file
	override               // an environment variable or a flag: it has no lines
)

// layer is one parsed source of keys.
type layer struct {
	origin origin
	name   string // for problems
	dir    string // where relative paths in it start; empty for the working folder
	order  int
	line   int // if above 0, the line that all of it is attributed to

	md  toml.MetaData
	top map[string]toml.Primitive
}

// parse reads TOML into a layer. A layer with a problem is empty.
func (r *report) parse(l *layer, src string) *layer {
	l.top = map[string]toml.Primitive{}
	src = strings.TrimPrefix(src, "\ufeff") // what some editors put before UTF-8
	at := place{l.order, l.name, 0}
	switch {
	case len(src) > maxBytes:
		r.add(at, "more than %d bytes", maxBytes)
		return l
	case strings.HasPrefix(src, "\xff\xfe"), strings.HasPrefix(src, "\xfe\xff"):
		r.add(at, "UTF-16 text; save it as UTF-8")
		return l
	case !utf8.ValidString(src):
		n := 0
		for n < len(src) {
			c, size := utf8.DecodeRuneInString(src[n:])
			if c == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		at.line = 1 + strings.Count(src[:n], "\n")
		r.add(l.attribute(at), "byte %#x is not UTF-8", src[n])
		return l
	}
	md, err := toml.Decode(src, &l.top)
	if err != nil {
		at.line, err = position(err)
		r.add(l.attribute(at), "%v", err)
		l.top = map[string]toml.Primitive{}
		return l
	}
	l.md = md
	var refused []string
	for _, k := range md.Keys() {
		if md.Type(k...) == "ArrayHash" {
			r.add(l.atKey(k), "[[%s]]: arrays of tables are not allowed; name the table, as in [stage.NAME]", k)
			refused = append(refused, k[0])
		}
	}
	for _, name := range refused {
		delete(l.top, name)
	}
	return l
}

// position returns the line that an error of the library names, and its message.
func position(err error) (int, error) {
	if pe := (toml.ParseError{}); errors.As(err, &pe) {
		line, text := pe.Position.Line, strings.TrimSuffix(strings.TrimSpace(pe.Message), ".")
		if strings.Contains(text, `'\n'`) {
			line-- // it stands at the end of the line before
		}
		if first, n := utf8.DecodeRuneInString(text); n < len(text) && !unicode.IsUpper(rune(text[1])) {
			text = string(unicode.ToLower(first)) + text[n:]
		}
		return line, errors.New(text)
	}
	var line int
	if n, _ := fmt.Sscanf(err.Error(), "toml: line %d", &line); n == 1 {
		_, text, _ := strings.Cut(err.Error(), "): ")
		return line, errors.New(text)
	}
	return 0, err
}

// find returns the value of a key, or of the longest beginning of it that can be
// reached.
func (l *layer) find(key toml.Key) toml.Primitive {
	at, tables := l.top[key[0]], l.top
	for _, name := range key {
		p, ok := tables[name]
		if !ok {
			break
		}
		at, tables = p, nil
		if l.md.PrimitiveDecode(p, &tables) != nil {
			break
		}
	}
	return at
}

// at returns the place of a value. The library keeps positions to itself, except in
// errors: so a value that refuses to be decoded gives its line away.
func (l *layer) at(p toml.Primitive) place {
	pe := toml.ParseError{}
	errors.As(l.md.PrimitiveDecode(p, new(refuser)), &pe)
	return l.attribute(place{l.order, l.name, pe.Position.Line})
}

// atKey returns the place of a key. A table that no line begins, such as stage in
// [stage.bm25], is where the first of its keys is.
func (l *layer) atKey(key toml.Key) place {
	at := l.at(l.find(key))
	for _, k := range l.md.Keys() {
		if at.line != 0 || l.origin == override {
			break
		}
		if len(k) > len(key) && slices.Equal(k[:len(key)], key) {
			at = l.at(l.find(k))
		}
	}
	return at
}

func (l *layer) attribute(p place) place {
	if l.line > 0 {
		p.line = l.line
	}
	if l.origin == override {
		p.line = 0
	}
	return p
}

type refuser struct{}

// UnmarshalTOML refuses every value.
func (*refuser) UnmarshalTOML(any) error { return errors.New("refused") }

// names returns the keys of a table in the order of the file, or by name where that
// is not known.
func (l *layer) names(tables map[string]toml.Primitive, prefix ...string) []string {
	var out []string
	for _, k := range l.md.Keys() {
		if len(k) > len(prefix) && slices.Equal(k[:len(prefix)], prefix) {
			if name := k[len(prefix)]; !slices.Contains(out, name) {
				if _, ok := tables[name]; ok {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// readFile reads a configuration file.
func readFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", bare(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return "", bare(err)
	} else if info.IsDir() {
		return "", errors.New("a folder, not a file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1+utf8.UTFMax))
	if err != nil {
		return "", bare(err)
	}
	return string(data), nil
}

// bare drops the operation and path that a problem says itself.
func bare(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("no such file")
	}
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
