package api

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Question is a question to a space.
type Question struct {
	engine.Request
}

func (q Question) spaceName() string { return q.Space }

// RecallBody is a question whose answer may go to a reader.
type RecallBody struct {
	Question
	Deliver bool `json:"deliver,omitempty" doc:"the block goes to a reader: each of its items counts as used"`
}

func recallRoutes() []route {
	return []route{
		on(route{
			method: http.MethodPost, path: "/recall", verb: "recall", about: "Return the block of memory for a query", right: core.RightRead, tag: true,
		}, func(c *call, b *RecallBody) (*engine.Recalled, error) {
			if err := c.mayVary(&b.Request); err != nil {
				return nil, err
			}
			b.Space = c.space
			r, err := c.api.o.Engine.Recall(c.Context(), b.Request)
			if err == nil && b.Deliver {
				c.delivered(b.Request, r.Items)
			}
			return r, err
		}),
		on(route{
			method: http.MethodGet, path: "/recall", verb: "recall_block", about: "Return the block of memory for a query, with an ETag", tag: true,
			params: []param{
				{name: "query", kind: "string", about: "what is asked; empty for rules and current facts"},
				{name: "budget", kind: "integer", about: "most tokens of the block"},
				{name: "format", kind: "string", about: "classic, sutra, grouped or json"},
				{name: "session", kind: "string", about: "the conversation being held"},
				{name: "now", kind: "time", about: "the time to take as now"},
			},
		}, func(c *call, _ *none) (*engine.Recalled, error) {
			budget, err := c.number("budget", 0, 0, 1_000_000)
			if err != nil {
				return nil, err
			}
			now, err := c.time("now")
			if err != nil {
				return nil, err
			}
			return c.api.o.Engine.Recall(c.Context(), engine.Request{
				Space: c.space, Query: c.query("query"), Budget: budget, Format: c.query("format"), Session: c.query("session"), Now: now,
			})
		}),
		on(route{
			method: http.MethodPost, path: "/search", verb: "search", about: "List what a query finds, best first", right: core.RightRead,
		}, func(c *call, b *Question) (*engine.Found, error) {
			if err := c.mayVary(&b.Request); err != nil {
				return nil, err
			}
			b.Space = c.space
			return c.api.o.Engine.Search(c.Context(), b.Request)
		}),
	}
}

// mayVary refuses stages that a client of a space wants changed: their cost is the
// operator's.
func (c *call) mayVary(r *engine.Request) error {
	if len(r.Off) == 0 && len(r.Set) == 0 || c.who.NeedAll() == nil {
		return nil
	}
	return core.Errorf(core.CodeDenied, "this token may not change stages").Hinted("it takes an admin token for all spaces")
}

// delivered counts the use of what was answered. A failure costs no answer.
func (c *call) delivered(req engine.Request, items []engine.Item) {
	if c.who.Need(core.RightWrite) != nil {
		return
	}
	if err := c.api.o.Engine.Delivered(context.WithoutCancel(c.Context()), c.space, req, items); err != nil {
		c.api.o.Log.Warn("use was not counted", slog.String("space", c.space), slog.String("error", strings.ToValidUTF8(err.Error(), "")))
	}
}
