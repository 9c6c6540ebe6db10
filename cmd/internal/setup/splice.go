package setup

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/orma-memory/orma/core"
)

// put sets the member at a path of a JSON file to a value: the keys lead through
// objects, which are made where they are missing. made is the first key that was.
// A member that has the value already is left as it is.
func put(data string, path []string, value any) (out string, made int, err error) {
	root, err := parseJSONC(data)
	if err != nil {
		return "", 0, err
	}
	l := layoutOf(data)
	if root.kind == 0 {
		text := l.render(nest(path, value), 0)
		if data != "" && !strings.HasSuffix(data, "\n") && strings.TrimLeft(data, "\ufeff") != "" {
			data += l.newline // behind a comment
		}
		return data + text + l.newline, 0, nil
	}
	at := &root
	for depth, key := range path {
		if at.kind != '{' {
			return "", 0, notObject(path[:depth])
		}
		i := at.find(key)
		if i < 0 {
			return l.insert(data, at, key, nest(path[depth+1:], value)), depth, nil
		}
		at = &at.items[i].value
	}
	if same(plainJSON(data, at), value) {
		return data, len(path), nil
	}
	return data[:at.start] + l.render(value, l.depth(at.start)) + data[at.end:], len(path), nil
}

// add appends a value to the array at a path, which is made if it is missing.
func add(data string, path []string, value any) (string, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return "", err
	}
	at, rest := walk(&root, path)
	if len(rest) > 0 || root.kind == 0 {
		out, _, err := put(data, path, []any{value})
		return out, err
	}
	if at.kind != '[' {
		return "", core.Errorf(core.CodeInvalid, "%s is no list", strings.Join(path, "."))
	}
	return layoutOf(data).insert(data, at, "", value), nil
}

// take removes the member at a path, or, of the array there, the elements that drop
// chooses.
func take(data string, path []string, drop func(plain string) bool) (string, error) {
	for {
		root, err := parseJSONC(data)
		if err != nil {
			return "", err
		}
		parent, i := choose(&root, data, path, drop)
		if parent == nil {
			return data, nil
		}
		data = cutItem(data, parent, i)
	}
}

// choose returns the next item to remove and what it is in; nil if there is none.
func choose(root *node, data string, path []string, drop func(string) bool) (*node, int) {
	if drop == nil {
		parent, rest := walk(root, path[:len(path)-1])
		if len(rest) > 0 || parent.kind != '{' {
			return nil, 0
		}
		if i := parent.find(path[len(path)-1]); i >= 0 {
			return parent, i
		}
		return nil, 0
	}
	list, rest := walk(root, path)
	if len(rest) > 0 || list.kind != '[' {
		return nil, 0
	}
	for i := range list.items {
		if drop(plainJSON(data, &list.items[i].value)) {
			return list, i
		}
	}
	return nil, 0
}

// walk follows keys as far as they lead, and returns those that are left.
func walk(n *node, path []string) (*node, []string) {
	for len(path) > 0 && n.kind == '{' {
		i := n.find(path[0])
		if i < 0 {
			break
		}
		n, path = &n.items[i].value, path[1:]
	}
	return n, path
}

// cutItem removes an item with the white space before it and the comma that belonged
// to it. Comments around it stay.
func cutItem(data string, parent *node, i int) string {
	it := &parent.items[i]
	start, end := it.start, it.value.end
	if it.comma >= 0 {
		end = it.comma + 1
	}
	for start > 0 && strings.IndexByte(" \t\r\n", data[start-1]) >= 0 {
		start--
	}
	if rest := strings.TrimLeft(data[end:], " \t\r"); endsLineComment(data[:start]) && !strings.HasPrefix(rest, "\n") {
		start += strings.IndexByte(data[start:], '\n') + 1 // the break that ends the comment stays
	}
	if len(parent.items) == 1 && strings.TrimSpace(data[end:parent.end-1]) == "" && start == parent.start+1 {
		end = parent.end - 1 // an object that was empty is so again
	}
	head := data[:start]
	if it.comma < 0 && i > 0 { // the item before is the last now
		c := parent.items[i-1].comma
		head = data[:c] + data[c+1:start]
	}
	return head + data[end:]
}

// endsLineComment reports whether a text ends inside a // comment.
func endsLineComment(s string) bool {
	line := s[strings.LastIndexByte(s, '\n')+1:]
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(line[i:], "//"):
			return true
		case strings.HasPrefix(line[i:], "/*"):
			n := strings.Index(line[i+2:], "*/")
			if n < 0 {
				return false
			}
			i += n + 3
		}
	}
	return false
}

func notObject(path []string) error {
	where := "the file"
	if len(path) > 0 {
		where = strings.Join(path, ".")
	}
	return core.Errorf(core.CodeInvalid, "%s is no object", where)
}

// nest wraps a value into objects.
func nest(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = object{{path[i], value}}
	}
	return value
}

// same reports whether JSON text is a value.
func same(text string, value any) bool {
	data, err := json.Marshal(value)
	if err != nil {
		return false
	}
	var a, b any
	return json.Unmarshal([]byte(text), &a) == nil && json.Unmarshal(data, &b) == nil && reflect.DeepEqual(a, b)
}

// object is a JSON object with its members in order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
