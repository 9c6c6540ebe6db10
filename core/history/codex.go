package history

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/orma-memory/orma/core"
)

// codexLine is a line of a session of Codex, as it keeps them under ~/.codex/sessions.
// Older versions write the payload itself.
type codexLine struct {
	At      moment          `json:"timestamp"`
	Type    string          `json:"type"`
	ID      name            `json:"id"`
	Payload json.RawMessage `json:"payload"`
}

// codexItem is what was said or done.
type codexItem struct {
	Type    string            `json:"type"`
	ID      name              `json:"id"`
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
	Name    string            `json:"name"`
	Args    string            `json:"arguments"` // JSON
	Input   string            `json:"input"`
	Call    string            `json:"call_id"`
	Output  json.RawMessage   `json:"output"`
	Action  json.RawMessage   `json:"action"`
}

func readCodex(r io.Reader, f *File) iter.Seq[Item] {
	return transcripts(r, f, func(line []byte, n int, t *transcript) error {
		var l codexLine
		if err := json.Unmarshal(line, &l); err != nil {
			return explain(line, err)
		}
		id := fmt.Sprint(n)
		body := []byte(l.Payload)
		switch {
		case l.Payload == nil && l.Type == "": // the first line, or a state, of an older version
			t.begin(string(l.ID), l.At)
			t.skip(id)
			return nil
		case l.Payload == nil:
			body = line
		case l.Type == "session_meta":
			var meta codexLine
			if err := json.Unmarshal(l.Payload, &meta); err != nil {
				return notA("session", err)
			}
			t.begin(string(meta.ID), l.At)
			t.skip(id)
			return nil
		case l.Type != "response_item":
			t.skip(id) // events repeat what the items say
			return nil
		}
		var it codexItem
		if err := json.Unmarshal(body, &it); err != nil {
			return notA("item", err)
		}
		t.begin("", l.At)
		it.read(id, l.At, t)
		return nil
	})
}

// begin sets the session's name and time, each once it is known.
func (t *transcript) begin(id string, at moment) {
	if id != "" && t.id == "" {
		t.id = id
	}
	if t.id == "" {
		t.id = t.file.Name
	}
	if t.last.IsZero() {
		t.started(at)
	}
}

func (it *codexItem) read(id string, at moment, t *transcript) {
	switch it.Type {
	case "message":
		text := paragraphs(texts(it.Content, func(kind string) bool { return strings.HasSuffix(kind, "text") }))
		switch it.Role {
		case "user":
			t.add(message{id: id, role: core.RoleUser, kind: core.KindTurn, at: at, text: Said(text)})
		case "assistant":
			t.add(message{id: id, role: core.RoleAssistant, kind: core.KindTurn, at: at, text: text})
		default: // what the program tells the model
			t.skip(id)
		}
	case "function_call":
		t.call(it.Call, it.Name, it.Args)
	case "custom_tool_call":
		t.call(it.Call, it.Name, it.Input)
	case "local_shell_call":
		t.call(it.Call, "shell", oneLine(it.Action))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		t.result(id, it.Call, codexOutput(it.Output), at)
	default:
		t.skip(id)
	}
}

// codexOutput returns the text of a tool's output: a text, which may be JSON with the
// text inside, a list of blocks, or an object.
func codexOutput(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		var inner struct {
			Output *string `json:"output"`
		}
		if json.Unmarshal([]byte(s), &inner) == nil && inner.Output != nil {
			return *inner.Output
		}
		return s
	}
	var o struct {
		Output  string          `json:"output"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &o) == nil {
		if o.Output != "" {
			return o.Output
		}
		raw = o.Content
	}
	var blocks []json.RawMessage
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	_ = json.Unmarshal(raw, &blocks) // anything else holds no text
	return paragraphs(texts(blocks, func(kind string) bool { return kind == "" || strings.HasSuffix(kind, "text") }))
}
