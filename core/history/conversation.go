package history

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// longTurn is the longest message that stays one episode, in bytes. A longer one is a
// pasted document, and is cut like one.
const longTurn = 64 << 10

// conversation collects the episodes of one conversation, in order.
type conversation struct {
	file  *File
	place string // "conversations.json: conversation 3"
	id    string
	last  time.Time // when the message before was said
	items []Item
}

// conversations reads a JSON file of conversations. read reads one.
func conversations(r io.Reader, f *File, read func(data []byte, c *conversation) error) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for e := range elements(r, MaxElement, "conversations") {
			if e.n == 0 {
				yield(Item{Err: e.err})
				return
			}
			c := &conversation{file: f, place: f.place("conversation %d", e.n)}
			err := e.err
			if err == nil {
				err = read(e.data, c)
			}
			if err != nil {
				c.items = append(c.items, Item{Place: c.place, Err: err})
			}
			markItems(c.items, e.data)
			for _, it := range c.items {
				it.End = e.end
				if !yield(it) {
					return
				}
			}
		}
	}
}

// message is one message of a conversation, as all formats have it.
type message struct {
	id   string
	role core.Role
	kind core.Kind
	at   moment
	text string
	note string
}

// started sets the time of messages before the first that has one.
func (c *conversation) started(times ...moment) {
	for _, m := range times {
		if t, err := m.time(c.file.Zone); err == nil && !t.IsZero() {
			c.last = t
			return
		}
	}
}

// add takes a message in. One without a time was said when the one before was; one
// without text is passed over.
func (c *conversation) add(m message) {
	place := c.at(m.id)
	at, err := m.at.time(c.file.Zone)
	if err != nil {
		m.note = err.Error() + "; that of the message before is taken"
	}
	if !at.IsZero() {
		c.last = at
	}
	if strings.TrimSpace(m.text) == "" {
		c.items = append(c.items, Item{Place: place, Skipped: true})
		return
	}
	in := engine.Input{Role: m.role, Kind: m.kind, Session: c.id, At: c.last}
	c.cut(place, in, m, longTurn)
}

// attach takes in a document that came with a message.
func (c *conversation) attach(m message) {
	if strings.TrimSpace(m.text) == "" {
		c.items = append(c.items, Item{Place: c.at(m.id), Skipped: true})
		return
	}
	in := engine.Input{Role: core.RoleUser, Kind: core.KindDocument, Session: c.id, At: c.last}
	c.cut(c.at(m.id), in, m, PartBytes)
}

// cut makes one episode of a message, or several if it is longer than size.
func (c *conversation) cut(place string, in engine.Input, m message, size int) {
	key := c.id + "/" + m.id
	if len(m.text) <= size {
		in.Text, in.Key = m.text, key
		c.items = append(c.items, Item{Place: place, Input: in, Note: m.note})
		return
	}
	for i, part := range Split(m.text, PartBytes) {
		in.Text, in.Key = part, PartKey(key, i+1)
		c.items = append(c.items, Item{Place: place, Input: in, Note: m.note})
		m.note = ""
	}
}

// bad reports a message that cannot be read.
func (c *conversation) bad(id string, err error) {
	c.items = append(c.items, Item{Place: c.at(id), Err: err})
}

// skip counts something that holds nothing to remember.
func (c *conversation) skip(id string) {
	c.items = append(c.items, Item{Place: c.at(id), Skipped: true})
}

// at is the place of a message.
func (c *conversation) at(id string) string {
	return c.place + ", message " + clip(id)
}

// longestShown is how much of a foreign name is shown, in bytes.
const longestShown = 64

// clip shortens a name for messages.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= longestShown {
		return s
	}
	return strings.ToValidUTF8(s[:longestShown], "") + "…"
}

// paragraphs joins the texts that are not empty.
func paragraphs(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		if strings.TrimSpace(t) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(t)
	}
	return b.String()
}

// texts returns the texts of a list whose elements are texts, or objects that have one
// under "text". Other elements, such as pictures, are passed over.
func texts(list []json.RawMessage, want func(kind string) bool) []string {
	var out []string
	for _, raw := range list {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			out = append(out, s)
			continue
		}
		var o struct {
			Type        string `json:"type"`
			ContentType string `json:"content_type"`
			Text        string `json:"text"`
		}
		if json.Unmarshal(raw, &o) == nil && want(o.Type+o.ContentType) {
			out = append(out, o.Text)
		}
	}
	return out
}

// notA says that a value of a file is not what the format has there.
func notA(what string, err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return core.Errorf(core.CodeInvalid, "it is no %s: its %s is %s", what, wrong.Field, article(wrong.Value))
	case errors.As(err, &wrong):
		return core.Errorf(core.CodeInvalid, "it is no %s but %s", what, article(wrong.Value))
	}
	return core.Errorf(core.CodeInvalid, "it is no %s: %w", what, err)
}
