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
	rules, facts, turn := r.Parts()
	out := make([]Message, 0, len(messages)+1)
	if rules != "" || facts != "" {
		if len(messages) == 0 || !isSystem(messages[0].Role) {
			out = append(out, Message{Role: "system"})
		}
	}
	out = append(out, messages...)
	if rules != "" || facts != "" {
		out[0].Content = Paragraphs(rules, out[0].Content, facts)
	}
	if at := question(out); at >= 0 {
		out[at].Content = Paragraphs(turn, out[at].Content)
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

// Parts returns a recall by where its texts go in a prompt: rules to the top of the
// system message, facts to its end, turn before the last user message. They begin and
// end without line breaks.
func (r *Recalled) Parts() (rules, facts, turn string) {
	trim := func(s string) string { return strings.Trim(s, "\n") }
	return trim(r.Rules), trim(strings.TrimPrefix(r.Stable, r.Rules)), trim(r.Turn)
}

// Gap is what stands between texts of memory and those of the conversation.
const Gap = "\n\n"

// Paragraphs joins texts with a [Gap]; empty ones are left out.
func Paragraphs(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t != "" && b.Len() > 0 {
			b.WriteString(Gap)
		}
		b.WriteString(t)
	}
	return b.String()
}
