package setup

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/core"
)

// node is a value of a JSON file: bytes start to end of it.
type node struct {
	kind       byte // '{', '[', or the first byte of what holds no others
	start, end int
	items      []item
}

// item is a member of an object or an element of an array.
type item struct {
	key   string // of a member
	start int    // where its key begins, or its value
	value node
	comma int // where the comma behind it stands, or -1
}

// find returns the index of a key's member: the last, which is the one that counts.
func (n *node) find(key string) int {
	for i := len(n.items) - 1; i >= 0; i-- {
		if n.items[i].key == key {
			return i
		}
	}
	return -1
}

// maxDepth bounds how deep a file may be nested.
const maxDepth = 200

// parseJSONC reads JSON as editors write it: with comments, trailing commas and a byte
// order mark. A file of nothing but white space and comments has kind 0.
func parseJSONC(data string) (root node, err error) {
	p := &parser{data: data}
	defer p.caught(&err)
	p.at = len(data) - len(strings.TrimPrefix(data, "\ufeff"))
	p.space()
	if p.at == len(data) {
		return node{start: p.at, end: p.at}, nil
	}
	root = p.value(0)
	p.space()
	if p.at < len(data) {
		p.fail("something follows the end")
	}
	return root, nil
}

type syntaxError struct {
	at   int
	what string
}

type parser struct {
	data string
	at   int
}

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{p.at, fmt.Sprintf(format, args...)})
}

// caught makes the error of what [parser.fail] said.
func (p *parser) caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case syntaxError:
		line := 1 + strings.Count(p.data[:min(e.at, len(p.data))], "\n")
		*err = core.Errorf(core.CodeInvalid, "line %d: %s", line, e.what)
	default:
		panic(e)
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

// space passes over white space and comments.
func (p *parser) space() {
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.at++
		case strings.HasPrefix(p.data[p.at:], "//"):
			if n := strings.IndexByte(p.data[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.data)
			}
		case strings.HasPrefix(p.data[p.at:], "/*"):
			n := strings.Index(p.data[p.at+2:], "*/")
			if n < 0 {
				p.fail("a comment does not end")
			}
			p.at += n + 4
		default:
			return
		}
	}
}

func (p *parser) value(depth int) node {
	if depth > maxDepth {
		p.fail("it is nested too deeply")
	}
	n := node{kind: p.peek(), start: p.at}
	switch n.kind {
	case '{', '[':
		p.list(&n, depth)
	case '"':
		p.text()
	default:
		for p.at < len(p.data) && strings.IndexByte(" \t\r\n,]}/:\"[{", p.data[p.at]) < 0 {
			p.at++
		}
		if !json.Valid([]byte(p.data[n.start:p.at])) {
			p.at = n.start
			p.fail("a value is expected")
		}
	}
	n.end = p.at
	return n
}

// list reads what an object or array holds.
func (p *parser) list(n *node, depth int) {
	end := byte(']')
	if n.kind == '{' {
		end = '}'
	}
	p.at++
	for {
		p.space()
		if p.peek() == end {
			p.at++
			return
		}
		it := item{start: p.at, comma: -1}
		if n.kind == '{' {
			it.key = p.text()
			p.space()
			if p.peek() != ':' {
				p.fail("a colon is expected after %q", it.key)
			}
			p.at++
			p.space()
		}
		it.value = p.value(depth + 1)
		p.space()
		if p.peek() == ',' {
			it.comma = p.at
			p.at++
		} else if p.peek() != end {
			p.fail("a comma or %q is expected", end)
		}
		n.items = append(n.items, it)
	}
}

// text reads a string.
func (p *parser) text() string {
	start := p.at
	if p.peek() != '"' {
		p.fail("a name in quotation marks is expected")
	}
	for p.at++; p.at < len(p.data) && p.data[p.at] != '"'; p.at++ {
		switch p.data[p.at] {
		case '\\':
			p.at++
		case '\n':
			p.at = start
			p.fail("a text does not end on its line")
		}
	}
	if p.at++; p.at > len(p.data) {
		p.at = start
		p.fail("a text does not end")
	}
	var s string
	if err := json.Unmarshal([]byte(p.data[start:p.at]), &s); err != nil {
		p.at = start
		p.fail("a text cannot be read")
	}
	return s
}

// plainJSON returns a value without comments and trailing commas.
func plainJSON(data string, n *node) string {
	if n.kind != '{' && n.kind != '[' {
		return data[n.start:n.end]
	}
	var b strings.Builder
	b.WriteByte(n.kind)
	for i, it := range n.items {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.kind == '{' {
			key, _ := json.Marshal(it.key) // a string always can
			b.Write(key)
			b.WriteByte(':')
		}
		b.WriteString(plainJSON(data, &it.value))
	}
	b.WriteByte(n.kind + 2) // ']' and '}' stand two behind '[' and '{'
	return b.String()
}
