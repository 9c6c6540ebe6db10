package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/orma-memory/orma/cmd/internal/chat"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// ContextBody is a conversation that is to get memory.
type ContextBody struct {
	In
	Messages json.RawMessage `json:"messages" doc:"the conversation, as chat completions have it: objects with role and content"`
	Session  string          `json:"session,omitempty" doc:"the conversation being held"`
	Budget   int             `json:"budget,omitempty" doc:"most tokens of the block"`
	Now      time.Time       `json:"now,omitzero" doc:"the time to take as now"`
	Preview  bool            `json:"preview,omitempty" doc:"nobody will read it: nothing counts as used"`
}

// Context is a conversation with memory in it.
type Context struct {
	Messages json.RawMessage `json:"messages" doc:"the conversation; nothing but texts of memory was added"`
	Block    string          `json:"block" doc:"what was added"`
	Tokens   int             `json:"tokens"`
	Items    []engine.Item   `json:"items"`
	Notes    []engine.Note   `json:"notes,omitempty"`
}

func contextRoutes() []route {
	return []route{on(route{
		method: http.MethodPost, path: "/context", verb: "context", about: "Put memory into a conversation, as the proxy does", right: core.RightRead,
		doc: "Rules go to the top of the system message and facts to its end, which is made if there is none; what bears on the last message of the user goes before its text.",
	}, buildContext)}
}

func buildContext(c *call, b *ContextBody) (Context, error) {
	body := append([]byte(`{"messages":`), b.Messages...)
	if len(b.Messages) == 0 {
		body = append(body, "[]"...)
	}
	r, err := chat.Parse(chat.Completions, append(body, '}'))
	if err != nil {
		return Context{}, core.Errorf(core.CodeInvalid, "messages: %w", err).Hinted(`give a list of objects such as {"role": "user", "content": "…"}`)
	}
	req := engine.Request{Space: c.space, Session: b.Session, Budget: b.Budget, Now: b.Now, Said: r.Said(), Steady: true}
	if q := r.Question(); q >= 0 {
		req.Query = r.Turns[q].Text
	}
	got, err := c.api.o.Engine.Recall(c.Context(), req)
	if err != nil {
		return Context{}, err
	}
	var with struct {
		Messages json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(r.Inject(chat.Recalled(got)), &with); err != nil {
		return Context{}, core.Errorf(core.CodeInternal, "the conversation with memory cannot be read: %w", err)
	}
	if !b.Preview {
		c.delivered(req, got.Items)
	}
	return Context{Messages: with.Messages, Block: got.Block, Tokens: got.Tokens, Items: got.Items, Notes: got.Notes}, nil
}
