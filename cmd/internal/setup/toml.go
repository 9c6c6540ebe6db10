package setup

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

// table is a table of a TOML file: its header's keys and what stands below it. The
// first table has no header.
type table struct {
	keys       []string
	array      bool // [[keys]]
	start, end int  // of the header's line; end of the last line that belongs to it
	body       int  // where what stands below the header begins
	pairs      []pair
}

// pair is a key and its value: bytes start to end of the whole, value to end of the
// value.
type pair struct {
	keys       []string
	start, end int
	value      int
}

// scanTOML finds the tables and keys of a TOML file. It does not read values: it only
// has to know where they end.
func scanTOML(data string) (tables []table, err error) {
	p := &parser{data: data}
	defer p.caught(&err)
	p.at = len(data) - len(strings.TrimPrefix(data, "\ufeff"))
	tables = []table{{}}
	for {
		p.tomlSpace()
		if p.at == len(data) {
			return tables, nil
		}
		start := p.at
		if p.peek() == '[' {
			tables = append(tables, p.header(start))
			continue
		}
		kv := pair{start: start, keys: p.tomlKeys('=')}
		p.blank()
		kv.value = p.at
		p.tomlValue()
		kv.end = p.at
		p.restOfLine()
		t := &tables[len(tables)-1]
		t.pairs = append(t.pairs, kv)
		t.end = p.at
	}
}

func (p *parser) header(start int) table {
	t := table{start: start}
	p.at++
	if p.peek() == '[' {
		t.array = true
		p.at++
	}
	t.keys = p.tomlKeys(']')
	if t.array {
		if p.peek() != ']' {
			p.fail("a header does not end")
		}
		p.at++
	}
	p.restOfLine()
	t.body, t.end = p.at, p.at
	return t
}

// blank passes over spaces and tabs.
func (p *parser) blank() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
}

// tomlSpace passes over white space and comments.
func (p *parser) tomlSpace() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '#':
			p.comment()
		default:
			return
		}
	}
}

func (p *parser) comment() {
	if n := strings.IndexByte(p.data[p.at:], '\n'); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.data)
	}
}

// restOfLine passes over a comment and the line break.
func (p *parser) restOfLine() {
	p.blank()
	if p.peek() == '#' {
		p.comment()
	}
	if p.peek() == '\r' {
		p.at++
	}
	switch {
	case p.at == len(p.data):
	case p.peek() == '\n':
		p.at++
	default:
		p.fail("something follows on the line")
	}
}

// tomlKeys reads a dotted key up to and with what ends it.
func (p *parser) tomlKeys(end byte) []string {
	var keys []string
	for {
		p.blank()
		start := p.at
		switch c := p.peek(); c {
		case '"', '\'':
			p.tomlString()
			key := p.data[start+1 : p.at-1]
			if c == '"' && json.Unmarshal([]byte(p.data[start:p.at]), &key) != nil {
				p.fail("a name cannot be read")
			}
			keys = append(keys, key)
		default:
			for p.at < len(p.data) && strings.IndexByte(" \t\r\n.=[]#\"'", p.data[p.at]) < 0 {
				p.at++
			}
			if p.at == start {
				p.fail("a name is expected")
			}
			keys = append(keys, p.data[start:p.at])
		}
		p.blank()
		switch p.peek() {
		case '.':
			p.at++
		case end:
			p.at++
			return keys
		default:
			p.fail("%q is expected after a name", end)
		}
	}
}

// tomlString passes over a string of any of the four kinds.
func (p *parser) tomlString() {
	start, quote := p.at, p.data[p.at:p.at+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(p.data[p.at:], long) {
		p.at += 3
		for !strings.HasPrefix(p.data[p.at:], long) {
			if quote == `"` && p.peek() == '\\' {
				p.at++
			}
			if p.at++; p.at >= len(p.data) {
				p.at = start
				p.fail("a text does not end")
			}
		}
		p.at += 3
		for n := 0; n < 2 && strings.HasPrefix(p.data[p.at:], quote); n++ { // quotes that belong to the text
			p.at++
		}
		return
	}
	for p.at++; ; p.at++ {
		if p.at >= len(p.data) || p.data[p.at] == '\n' {
			p.at = start
			p.fail("a text does not end")
		}
		if quote == `"` && p.data[p.at] == '\\' {
			p.at++
			continue
		}
		if p.data[p.at] == quote[0] {
			p.at++
			return
		}
	}
}

// tomlValue passes over a value.
func (p *parser) tomlValue() {
	start, depth := p.at, 0
	for p.at < len(p.data) {
		switch c := p.data[p.at]; c {
		case '"', '\'':
			p.tomlString()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#', '\n', '\r':
			if depth <= 0 {
				p.endValue(start)
				return
			}
			if c == '#' {
				p.comment()
				continue
			}
		}
		p.at++
	}
	if depth > 0 {
		p.at = start
		p.fail("a value does not end")
	}
	p.endValue(start)
}

// endValue goes back over the spaces behind a value.
func (p *parser) endValue(start int) {
	for p.at > start && (p.data[p.at-1] == ' ' || p.data[p.at-1] == '\t') {
		p.at--
	}
	if p.at == start {
		p.fail("a value is expected")
	}
}

// putTOML sets keys of the table at a path, which is added at the end of the file if it
// is missing. unset keys of the table are removed.
func putTOML(data string, path []string, set object, unset ...string) (string, error) {
	tables, err := scanTOML(data)
	if err != nil {
		return "", err
	}
	nl := layoutOf(data).newline
	i := slices.IndexFunc(tables, func(t table) bool { return !t.array && slices.Equal(t.keys, path) })
	if i < 0 {
		if err := elsewhere(tables, path); err != nil {
			return "", err
		}
		if data != "" && !strings.HasSuffix(data, "\n") {
			data += nl
		}
		if strings.TrimSpace(data) != "" {
			data += nl
		}
		data += "[" + strings.Join(path, ".") + "]" + nl
		for _, m := range set {
			data += m.key + " = " + tomlText(m.value) + nl
		}
		return data, nil
	}
	t := &tables[i]
	missing := ""
	for _, m := range set {
		if !slices.ContainsFunc(t.pairs, func(kv pair) bool { return slices.Equal(kv.keys, []string{m.key}) }) {
			missing += m.key + " = " + tomlText(m.value) + nl
		}
	}
	for _, kv := range slices.Backward(t.pairs) { // from the end, so that places stay right
		if len(kv.keys) != 1 {
			continue
		}
		if slices.Contains(unset, kv.keys[0]) {
			data = data[:kv.start] + data[lineBreak(data, kv.end):]
			continue
		}
		for _, m := range set {
			if m.key == kv.keys[0] {
				data = data[:kv.value] + tomlText(m.value) + data[kv.end:]
			}
		}
	}
	return data[:t.body] + missing + data[t.body:], nil
}

// elsewhere refuses a file that defines the table in a way that is not a header.
func elsewhere(tables []table, path []string) error {
	for _, t := range tables {
		for _, kv := range t.pairs {
			full := slices.Concat(t.keys, kv.keys)
			n := min(len(full), len(path))
			if slices.Equal(full[:n], path[:n]) {
				return core.Errorf(core.CodeInvalid, "%s is not written as a table", strings.Join(full, "."))
			}
		}
		if t.array && slices.Equal(t.keys, path[:min(len(path), len(t.keys))]) {
			return core.Errorf(core.CodeInvalid, "%s is a list of tables", strings.Join(t.keys, "."))
		}
	}
	return nil
}

// takeTOML removes the table at a path and those below it. Comments that follow it
// stay.
func takeTOML(data string, path []string) (string, error) {
	tables, err := scanTOML(data)
	if err != nil {
		return "", err
	}
	for _, t := range slices.Backward(tables) {
		if len(t.keys) < len(path) || !slices.Equal(t.keys[:len(path)], path) {
			continue
		}
		start := t.start
		for start > 0 && data[start-1] != '\n' {
			start--
		}
		if strings.TrimSpace(data[t.end:]) == "" { // with the empty line before it
			for _, nl := range []string{"\r\n", "\n"} {
				if strings.HasSuffix(data[:start], nl+nl) {
					start -= len(nl)
					break
				}
			}
		}
		data = data[:start] + data[t.end:]
	}
	return data, nil
}

// lineBreak returns where the line of a place ends.
func lineBreak(data string, at int) int {
	if n := strings.IndexByte(data[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(data)
}

// tomlText writes a text, a list of texts, or an inline table of them. A JSON string is
// a TOML string.
func tomlText(v any) string {
	if o, ok := v.(object); ok {
		parts := make([]string, len(o))
		for i, m := range o {
			parts[i] = m.key + " = " + tomlText(m.value)
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic("setup: " + err.Error()) // a value of ours that is no JSON
	}
	return strings.ReplaceAll(string(data), `","`, `", "`)
}
