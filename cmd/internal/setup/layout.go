package setup

import (
	"encoding/json"
	"strings"
)

// layout is how a file is written: its indentation and line breaks.
type layout struct {
	unit, newline string
	data          string
}

// layoutOf takes the layout from the first indented line.
func layoutOf(data string) layout {
	l := layout{unit: "  ", newline: "\n", data: data}
	if strings.Contains(data, "\r\n") {
		l.newline = "\r\n"
	}
	for line := range strings.Lines(data) {
		if text := strings.TrimLeft(line, " \t"); len(text) < len(line) && strings.HasPrefix(text, `"`) {
			l.unit = line[:len(line)-len(text)]
			break
		}
	}
	return l
}

// indent returns the white space that begins the line of a place, and whether nothing
// else stands before it there.
func (l layout) indent(at int) (string, bool) {
	start := strings.LastIndexByte(l.data[:at], '\n') + 1
	line := l.data[start:at]
	text := strings.TrimLeft(line, " \t")
	return line[:len(line)-len(text)], text == ""
}

// depth returns how often the line of a place is indented.
func (l layout) depth(at int) int {
	in, _ := l.indent(at)
	return strings.Count(in, l.unit)
}

// render writes a value over several lines. All but the first are indented.
func (l layout) render(value any, depth int) string {
	data, err := json.MarshalIndent(value, strings.Repeat(l.unit, depth), l.unit)
	if err != nil {
		panic("setup: " + err.Error()) // a value of ours that is no JSON
	}
	return strings.ReplaceAll(shortLists(string(data)), "\n", l.newline)
}

// shortLists puts lists of plain values on one line.
func shortLists(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		var v json.RawMessage
		d := json.NewDecoder(strings.NewReader(s[i:]))
		if s[i] != '"' && s[i] != '[' || d.Decode(&v) != nil {
			b.WriteByte(s[i])
			i++
			continue
		}
		if s[i] == '"' {
			b.Write(v)
			i += len(v)
			continue
		}
		var list []json.RawMessage
		_ = json.Unmarshal(v, &list) // it is one
		parts := make([]string, len(list))
		plain := true
		for j, e := range list {
			parts[j] = string(e)
			plain = plain && e[0] != '{' && e[0] != '['
		}
		if !plain {
			b.WriteByte('[')
			i++
			continue
		}
		b.WriteString("[" + strings.Join(parts, ", ") + "]")
		i += len(v)
	}
	return b.String()
}

// insert adds an item behind the last one of an object or array.
func (l layout) insert(data string, n *node, key string, value any) string {
	write := func(depth int) string {
		text := l.render(value, depth)
		if n.kind == '{' {
			k, _ := json.Marshal(key) // a string always can
			text = string(k) + ": " + text
		}
		return text
	}
	inside := data[n.start+1 : n.end-1]
	depth := l.depth(n.start) + 1
	if len(n.items) == 0 {
		if strings.TrimSpace(inside) == "" {
			return data[:n.start+1] + l.newline + strings.Repeat(l.unit, depth) + write(depth) + l.newline + strings.Repeat(l.unit, depth-1) + data[n.end-1:]
		}
		at := lineEnd(data, n.start+1, n.end-1)
		return data[:at] + l.newline + strings.Repeat(l.unit, depth) + write(depth) + data[at:]
	}
	last := &n.items[len(n.items)-1]
	if !strings.Contains(inside, "\n") { // all on one line
		text := compact(key, value, n.kind)
		if last.comma >= 0 {
			return data[:last.comma+1] + " " + text + "," + data[last.comma+1:]
		}
		return data[:last.value.end] + ", " + text + data[last.value.end:]
	}
	in, first := l.indent(last.start)
	if first {
		depth = strings.Count(in, l.unit)
	} else {
		in = strings.Repeat(l.unit, depth)
	}
	text := l.newline + in + write(depth)
	if last.comma >= 0 {
		at := lineEnd(data, last.comma+1, n.end-1)
		return data[:at] + text + "," + data[at:]
	}
	at := lineEnd(data, last.value.end, n.end-1)
	return data[:last.value.end] + "," + data[last.value.end:at] + text + data[at:]
}

// compact writes an item on one line.
func compact(key string, value any, kind byte) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic("setup: " + err.Error()) // a value of ours that is no JSON
	}
	if kind != '{' {
		return string(data)
	}
	k, _ := json.Marshal(key) // a string always can
	return string(k) + ": " + string(data)
}

// lineEnd returns where the comments that follow a place on its line end; what stands
// there stays with what it is about.
func lineEnd(data string, at, end int) int {
	done := at
	for i := at; i < end; {
		switch {
		case data[i] == ' ' || data[i] == '\t':
			i++
		case strings.HasPrefix(data[i:end], "//"):
			n := strings.IndexByte(data[i:end], '\n')
			if n < 0 {
				return end
			}
			return i + len(strings.TrimSuffix(data[i:i+n], "\r"))
		case strings.HasPrefix(data[i:end], "/*"):
			n := strings.Index(data[i+2:end], "*/")
			if n < 0 || strings.Contains(data[i+2:i+2+n], "\n") {
				return done
			}
			i += n + 4
			done = i
		default:
			return done
		}
	}
	return done
}
