package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Event is what an agent tells a hook, in the form of Claude Code.
type Event struct {
	Name       string          `json:"hook_event_name"`
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"`
	Prompt     string          `json:"prompt"`
	Tool       string          `json:"tool_name"`
	Input      json.RawMessage `json:"tool_input"`
	Response   json.RawMessage `json:"tool_response"`
	Reply      string          `json:"last_assistant_message"`
	AgentFile  string          `json:"agent_transcript_path"` // of an agent that the agent started
}

// The events that do something.
const (
	SessionStart     = "SessionStart"
	UserPromptSubmit = "UserPromptSubmit"
	PreToolUse       = "PreToolUse"
	PostToolUse      = "PostToolUse"
	Stop             = "Stop"
	SubagentStop     = "SubagentStop"
)

// known are all events of Claude Code; the others are accepted and do nothing.
var known = []string{
	SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, Stop, SubagentStop,
	"SessionEnd", "PreCompact", "PostCompact", "Notification", "PermissionRequest", "PermissionDenied", "PostToolUseFailure", "PostToolBatch",
	"SubagentStart", "StopFailure", "Setup", "UserPromptExpansion", "TaskCreated", "TaskCompleted", "ConfigChange", "CwdChanged", "FileChanged",
	"InstructionsLoaded", "TeammateIdle", "WorktreeCreate", "WorktreeRemove", "Elicitation", "ElicitationResult",
}

// eventName returns an event's name however it is written: session-start is
// SessionStart.
func eventName(s string) (string, bool) {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
	}
	for _, k := range known {
		if plain(k) == plain(s) {
			return k, true
		}
	}
	return "", false
}

// maxEvent is how much of an event is read, in bytes. Longer ones are cut JSON, and so
// an error.
const maxEvent = 32 << 20

// Read reads an event. name is the one that the command line has; empty leaves it to
// the event.
func Read(r io.Reader, name string) (Event, error) {
	var e Event
	data, err := io.ReadAll(io.LimitReader(r, maxEvent))
	if err != nil {
		return e, err
	}
	if data = bytes.TrimSpace(data); len(data) > 0 {
		if err := json.Unmarshal(data, &e); err != nil {
			return e, core.Errorf(core.CodeInvalid, "the event is not JSON as it should be: %w", err)
		}
	}
	if name == "" {
		name = e.Name
	}
	var ok bool
	if e.Name, ok = eventName(name); !ok {
		return e, core.Errorf(core.CodeUsage, "event %q is not known", name).Hinted("use %s", strings.Join(known[:6], ", "))
	}
	return e, nil
}

// eventText returns what a value of the event says: a text as it is, else its JSON, or the
// texts in it.
func eventText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var out struct {
		Stdout   string          `json:"stdout"`
		Stderr   string          `json:"stderr"`
		Content  json.RawMessage `json:"content"`
		Result   string          `json:"result"`
		FilePath string          `json:"filePath"`
	}
	if json.Unmarshal(raw, &out) == nil {
		switch {
		case out.Stdout != "" || out.Stderr != "":
			return strings.TrimSpace(out.Stdout + "\n" + out.Stderr)
		case out.Content != nil && json.Unmarshal(out.Content, &s) == nil:
			return s
		case out.Result != "":
			return out.Result
		case out.FilePath != "":
			return out.FilePath
		}
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}
