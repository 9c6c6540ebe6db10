package abi

import (
	"strconv"
	"unicode/utf8"
)

// AppendManifest appends a manifest as JSON. Guests use it instead of encoding/json,
// which would double their size.
func AppendManifest(dst []byte, m *Manifest) []byte {
	o := object{b: append(dst, '{')}
	o.text("name", m.Name)
	o.text("version", m.Version)
	o.text("contract", m.Contract)
	o.text("summary", m.Summary)
	o.text("doc", m.Doc)
	if len(m.Columns) > 0 {
		o.list("columns", len(m.Columns), func(o *object, i int) { o.column(&m.Columns[i]) })
	}
	o.flag("drops", m.Drops)
	o.flag("orders", m.Orders)
	o.flag("query", m.Query)
	if m.Dim != 0 {
		o.number("dim", float64(m.Dim))
	}
	if len(m.Params) > 0 {
		o.list("params", len(m.Params), func(o *object, i int) { o.param(&m.Params[i]) })
	}
	return append(o.b, '}')
}

func (o *object) column(c *Column) {
	o.text("name", c.Name)
	o.text("kind", c.Kind)
	o.flag("read", c.Read)
	o.flag("write", c.Write)
	if c.Neutral != 0 {
		o.number("neutral", float64(c.Neutral))
	}
	o.text("doc", c.Doc)
}

func (o *object) param(p *Param) {
	o.text("name", p.Name)
	o.text("kind", p.Kind)
	o.text("doc", p.Doc)
	if p.Kind == Number {
		o.number("default", p.Default)
		if p.Min != p.Max {
			o.number("min", p.Min)
			o.number("max", p.Max)
		}
		if p.HasNeutral {
			o.number("neutral", p.Neutral)
		}
		return
	}
	o.text("default", p.Text)
	if len(p.OneOf) > 0 {
		o.key("one_of")
		o.b = append(o.b, '[')
		for i, s := range p.OneOf {
			if i > 0 {
				o.b = append(o.b, ',')
			}
			o.b = appendQuoted(o.b, s)
		}
		o.b = append(o.b, ']')
	}
	if p.Bytes != 0 {
		o.number("max_bytes", float64(p.Bytes))
	}
}

// object writes the keys of one JSON object. Empty texts and false flags are left out.
type object struct {
	b    []byte
	keys int
}

func (o *object) key(name string) {
	if o.keys > 0 {
		o.b = append(o.b, ',')
	}
	o.keys++
	o.b = append(appendQuoted(o.b, name), ':')
}

func (o *object) text(name, v string) {
	if v != "" {
		o.key(name)
		o.b = appendQuoted(o.b, v)
	}
}

func (o *object) flag(name string, v bool) {
	if v {
		o.key(name)
		o.b = append(o.b, "true"...)
	}
}

func (o *object) number(name string, v float64) {
	o.key(name)
	o.b = strconv.AppendFloat(o.b, v, 'g', -1, 64)
}

func (o *object) list(name string, n int, each func(o *object, i int)) {
	o.key(name)
	o.b = append(o.b, '[')
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		inner := object{b: append(o.b, '{')}
		each(&inner, i)
		o.b = append(inner.b, '}')
	}
	o.b = append(o.b, ']')
}

const hex = "0123456789abcdef"

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
