package chat

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/engine"
)

// Memory is what goes into a request.
type Memory struct {
	Rules string // to the top of the system message
	Facts string // to its end
	Turn  string // before the text of the last user message
}

// Recalled returns the memory that a recall found.
func Recalled(r *engine.Recalled) (m Memory) {
	m.Rules, m.Facts, m.Turn = r.Parts()
	return m
}

// Empty reports whether there is nothing to put in.
func (m Memory) Empty() bool { return m.Rules == "" && m.Facts == "" && m.Turn == "" }

// edit puts bytes in place of others.
type edit struct {
	at, end int
	text    string
}

// Inject returns the body with memory in it. All other bytes stay as they are. What
// has no place is left out: a request without a user's message has none for a turn.
func (r *Request) Inject(m Memory) []byte {
	var edits []edit
	if m.Rules != "" || m.Facts != "" {
		edits = append(edits, r.inject(r.system, m.Rules, m.Facts)...)
	}
	if m.Turn != "" {
		edits = append(edits, r.inject(r.user, m.Turn, "")...)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	n := len(r.body)
	for _, e := range edits {
		n += len(e.text)
	}
	out := make([]byte, 0, n)
	from := 0
	for _, e := range edits {
		out = append(out, r.body[from:e.at]...)
		out = append(out, e.text...)
		from = e.end
	}
	return append(out, r.body[from:]...)
}

// HasUser reports whether there is a user's message that a turn can go into.
func (r *Request) HasUser() bool { return r.user.how != slotNone }

// inject puts texts to the start and the end of a slot.
func (r *Request) inject(s slot, before, after string) []edit {
	whole := engine.Paragraphs(before, after)
	switch s.how {
	case slotText:
		return inText(s, before, after)
	case slotPart:
		return []edit{{s.at, s.at, `{"type":"` + s.part + `","text":` + quote(whole) + `}` + comma(s.more)}}
	case slotValue:
		return []edit{{s.at, s.end, quote(whole)}}
	case slotTurn:
		return []edit{{s.at, s.at, `{"role":"system","content":` + quote(whole) + `}` + comma(s.more)}}
	case slotField:
		name := "system"
		if r.Dialect == Responses {
			name = "instructions"
		}
		return []edit{{s.at, s.at, `"` + name + `":` + quote(whole) + comma(s.more)}}
	}
	return nil
}

func inText(s slot, before, after string) (out []edit) {
	if s.first == s.last {
		return []edit{{s.first, s.first, escape(engine.Paragraphs(before, after))}}
	}
	if before != "" {
		out = append(out, edit{s.first, s.first, escape(before + engine.Gap)})
	}
	if after != "" {
		out = append(out, edit{s.last, s.last, escape(engine.Gap + after)})
	}
	return out
}

func comma(more bool) string {
	if more {
		return ","
	}
	return ""
}

func quote(s string) string { return `"` + escape(s) + `"` }

// escape writes a text as it stands inside a JSON string. Bytes that are no text
// become U+FFFD.
func escape(s string) string {
	const hex = "0123456789abcdef"
	clean := utf8.ValidString(s)
	for i := 0; clean && i < len(s); i++ {
		clean = s[i] >= 0x20 && s[i] != '"' && s[i] != '\\'
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16 + 8)
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20:
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
