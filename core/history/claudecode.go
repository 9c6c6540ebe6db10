package history

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/orma-memory/orma/core"
)

// claudeCodeLine is a line of a session of Claude Code, as it keeps them under
// ~/.claude/projects.
type claudeCodeLine struct {
	Type      string             `json:"type"`
	ID        name               `json:"uuid"`
	Session   name               `json:"sessionId"`
	At        moment             `json:"timestamp"`
	Meta      bool               `json:"isMeta"`           // written by the program
	Compact   bool               `json:"isCompactSummary"` // a summary of what stands above
	Side      bool               `json:"isSidechain"`      // of an agent that the agent started: it is the user there
	APIError  bool               `json:"isApiErrorMessage"`
	Message   *claudeCodeMessage `json:"message"`
	ShownOnly bool               `json:"isVisibleInTranscriptOnly"`
}

type claudeCodeMessage struct {
	Content json.RawMessage `json:"content"` // a text, or a list of blocks
}

// claudeCodeBlock is a part of a message.
type claudeCodeBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Input   json.RawMessage `json:"input"`
	Call    string          `json:"tool_use_id"`
	Content json.RawMessage `json:"content"`
}

func readClaudeCode(r io.Reader, f *File) iter.Seq[Item] {
	return transcripts(r, f, func(line []byte, n int, t *transcript) error {
		var l claudeCodeLine
		if err := json.Unmarshal(line, &l); err != nil {
			return explain(line, err)
		}
		id := string(l.ID)
		if id == "" {
			id = fmt.Sprint(n)
		}
		if l.Session != "" {
			t.id = string(l.Session)
		} else if t.id == "" {
			t.id = t.file.Name
		}
		if l.Message == nil || l.Type != "user" && l.Type != "assistant" || l.Meta || l.Compact || l.APIError || l.ShownOnly {
			t.skip(id)
			return nil
		}
		l.read(id, t)
		return nil
	})
}

func (l *claudeCodeLine) read(id string, t *transcript) {
	role := core.RoleUser
	if l.Type == "assistant" || l.Side {
		role = core.RoleAssistant
	}
	var text string
	if json.Unmarshal(l.Message.Content, &text) == nil {
		l.said(id, role, text, t)
		return
	}
	var blocks []json.RawMessage
	if err := json.Unmarshal(l.Message.Content, &blocks); err != nil {
		t.bad(id, notA("message", err))
		return
	}
	var texts []string
	for i, raw := range blocks {
		var b claudeCodeBlock
		if err := json.Unmarshal(raw, &b); err != nil {
			t.bad(fmt.Sprintf("%s/%d", id, i+1), notA("part of a message", err))
			continue
		}
		switch b.Type {
		case "text":
			texts = append(texts, b.Text)
		case "tool_use":
			t.call(b.ID, b.Name, oneLine(b.Input))
		case "tool_result":
			out := claudeResult{Content: b.Content}
			t.result(fmt.Sprintf("%s/tool%d", id, i+1), b.Call, out.text(), l.At)
		}
	}
	l.said(id, role, paragraphs(texts), t)
}

// said takes in a text. The task of an agent that the agent started is no word of the
// user's, and says nothing that its answer does not.
func (l *claudeCodeLine) said(id string, role core.Role, text string, t *transcript) {
	if l.Type == "user" {
		if text = Said(text); l.Side {
			text = ""
		}
	}
	if strings.TrimSpace(text) == "" && len(t.items) > 0 {
		return // only results of tools
	}
	t.add(message{id: id, role: role, kind: core.KindTurn, at: l.At, text: text})
}
