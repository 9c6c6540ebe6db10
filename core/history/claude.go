package history

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/orma-memory/orma/core"
)

// claudeConversation is one conversation of a Claude export.
type claudeConversation struct {
	ID       name              `json:"uuid"`
	Created  moment            `json:"created_at"`
	Messages []json.RawMessage `json:"chat_messages"`
}

type claudeMessage struct {
	ID          name              `json:"uuid"`
	Text        string            `json:"text"`
	Content     []json.RawMessage `json:"content"` // newer exports; it says more than text
	Sender      string            `json:"sender"`
	Created     moment            `json:"created_at"`
	Attachments []json.RawMessage `json:"attachments"`
}

// claudeResult is what a tool answered, inside a message of the assistant.
type claudeResult struct {
	Type    string          `json:"type"`
	Content json.RawMessage `json:"content"` // a text, or a list of blocks
}

func readClaude(r io.Reader, f *File) iter.Seq[Item] {
	return conversations(r, f, func(data []byte, c *conversation) error {
		var v claudeConversation
		if err := json.Unmarshal(data, &v); err != nil {
			return notA("conversation", err)
		}
		if v.Messages == nil {
			return core.Errorf(core.CodeInvalid, "it has no chat_messages")
		}
		if c.id = string(v.ID); c.id == "" {
			c.id = c.place
		}
		c.started(v.Created)
		for i, raw := range v.Messages {
			var m claudeMessage
			if err := json.Unmarshal(raw, &m); err != nil {
				c.bad(fmt.Sprint(i+1), notA("message", err))
				continue
			}
			if m.ID == "" {
				m.ID = name(fmt.Sprint(i + 1))
			}
			m.read(c)
		}
		return nil
	})
}

func (m *claudeMessage) read(c *conversation) {
	said := paragraphs(texts(m.Content, func(kind string) bool { return kind == "text" || kind == "voice_note" }))
	if said == "" {
		said = m.Text
	}
	id := string(m.ID)
	c.add(message{id: id, role: role(strings.ToLower(m.Sender)), kind: core.KindTurn, at: m.Created, text: said})
	for i, raw := range m.Content {
		var r claudeResult
		if json.Unmarshal(raw, &r) == nil && r.Type == "tool_result" {
			c.add(message{id: fmt.Sprintf("%s/tool%d", id, i+1), role: core.RoleTool, kind: core.KindTool, text: r.text()})
		}
	}
	for i, raw := range m.Attachments {
		var a struct {
			Name string `json:"file_name"`
			Text string `json:"extracted_content"`
		}
		at := fmt.Sprintf("%s/file%d", id, i+1)
		if err := json.Unmarshal(raw, &a); err != nil {
			c.bad(at, notA("attachment", err))
			continue
		}
		if a.Name != "" {
			at = id + "/" + clip(a.Name)
		}
		c.attach(message{id: at, text: a.Text})
	}
}

func (r *claudeResult) text() string {
	var s string
	if json.Unmarshal(r.Content, &s) == nil {
		return s
	}
	var blocks []json.RawMessage
	_ = json.Unmarshal(r.Content, &blocks) // anything else holds no text
	return paragraphs(texts(blocks, func(kind string) bool { return kind == "text" || kind == "" }))
}
