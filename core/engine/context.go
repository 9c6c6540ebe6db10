package engine

import (
	"context"
	"strings"
)

// Message is one message of a chat.
type Message struct {
	Role    string `json:"role"` // system, developer, user, assistant, tool
	Content string `json:"content"`
}

// BuildContext returns chat messages with memory in them, and the recall that it came
// from. The given messages stay as they are. Query, Said and Steady of the request are
// set here: the query is the last user message. What was inserted counts as used.
//
// A loop of tool calls keeps its prompt byte for byte when it inserts the same recall
// again with [Insert] rather than building anew.
func (e *Engine) BuildContext(ctx context.Context, req Request, messages []Message) ([]Message, *Recalled, error) {
	at := question(messages)
	req.Query, req.Said, req.Steady = "", nil, true
	if at >= 0 {
		req.Query = messages[at].Content
	}
	for _, m := range messages[:at+1] {
		if !isSystem(m.Role) && m.Content != "" {
			req.Said = append(req.Said, m.Content)
		}
	}
	r, err := e.Recall(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	return Insert(messages, r), r, e.Delivered(ctx, req.Space, req, r.Items)
}

// Insert returns chat messages with a recall in them: rules at the top of the system
// message, the rest of the stable part at its end, and the turn part before the last
// user message. So the beginning of a prompt stays the same from turn to turn, and a
// model's server can keep what it has worked out for it.
func Insert(messages []Message, r *Recalled) []Message {
	rules, facts, turn := trim(r.Rules), trim(strings.TrimPrefix(r.Stable, r.Rules)), trim(r.Turn)
	out := make([]Message, 0, len(messages)+1)
	if rules != "" || facts != "" {
		if len(messages) == 0 || !isSystem(messages[0].Role) {
			out = append(out, Message{Role: "system"})
		}
	}
	out = append(out, messages...)
	if rules != "" || facts != "" {
		out[0].Content = join(join(rules, out[0].Content), facts)
	}
	if at := question(out); at >= 0 {
		out[at].Content = join(turn, out[at].Content)
	}
	return out
}

// question returns the index of the last user message, or -1.
func question(messages []Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return i
		}
	}
	return -1
}

func isSystem(role string) bool { return role == "system" || role == "developer" }

func trim(s string) string { return strings.Trim(s, "\n") }

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
