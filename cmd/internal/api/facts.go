package api

import (
	"net/http"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Facts is a page of facts, oldest first.
type Facts struct {
	Facts []engine.Fact `json:"facts"`
	Next  string        `json:"next,omitempty" doc:"cursor of the next page; missing on the last one"`
}

// RuleBody is a rule that stands at once.
type RuleBody struct {
	In
	Rule    string    `json:"rule" doc:"what must not be done"`
	Session string    `json:"session,omitempty"`
	Source  string    `json:"source,omitempty"`
	At      time.Time `json:"at,omitzero" doc:"when it was said; default now"`
	TTL     string    `json:"ttl,omitempty" doc:"how long it stands: 30m, 12h, 7d, session, forever"`
}

// ForgetBody says why a fact ends.
type ForgetBody struct {
	In
	Reason string    `json:"reason,omitempty" doc:"kept in the journal"`
	At     time.Time `json:"at,omitzero" doc:"default now"`
}

// CorrectBody is what a fact should say.
type CorrectBody struct {
	In
	Text string    `json:"text" doc:"the value as it is"`
	At   time.Time `json:"at,omitzero" doc:"default now"`
}

func factRoutes() []route {
	return []route{
		on(route{
			method: http.MethodGet, path: "/facts", verb: "facts", about: "List what holds: rules and facts",
			params: append([]param{
				{name: "subject", kind: "string", about: "only those about this name; the speaker is user"},
				{name: "history", kind: "boolean", about: "those that ended too"},
				{name: "as_of", kind: "time", about: "those true at that time"},
				{name: "now", kind: "time", about: "the time to take as now"},
			}, pageParams...),
		}, listFacts),
		on(route{
			method: http.MethodPost, path: "/rules", verb: "forbid", about: "Make a rule that stands at once and heads every block", once: true,
		}, func(c *call, b *RuleBody) (engine.Added, error) {
			in := engine.Input{Session: b.Session, Source: b.Source, At: b.At, TTL: b.TTL}
			a, err := c.api.o.Engine.Forbid(c.Context(), c.space, b.Rule, in)
			c.item = a.RuleID
			return a, err
		}),
		on(route{
			method: http.MethodPost, path: "/facts/{id}/forget", verb: "forget", about: "End a fact or lift a rule; its history is kept", params: []param{idParam},
		}, func(c *call, b *ForgetBody) (engine.Fact, error) {
			id, err := c.id()
			if err != nil {
				return engine.Fact{}, err
			}
			return c.api.o.Engine.Forget(c.Context(), c.space, id, b.Reason, b.At)
		}),
		on(route{
			method: http.MethodPost, path: "/facts/{id}/correct", verb: "correct", about: "Replace the value of a fact by what it should be", params: []param{idParam}, once: true,
		}, func(c *call, b *CorrectBody) (engine.Fact, error) {
			id, err := c.id()
			if err != nil {
				return engine.Fact{}, err
			}
			return c.api.o.Engine.Correct(c.Context(), c.space, id, b.Text, b.At)
		}),
	}
}

func listFacts(c *call, _ *none) (out Facts, err error) {
	req := engine.FactsRequest{Space: c.space, Subject: c.query("subject")}
	if req.History, err = c.flag("history"); err != nil {
		return out, err
	}
	if req.AsOf, err = c.time("as_of"); err != nil {
		return out, err
	}
	if req.Now, err = c.time("now"); err != nil {
		return out, err
	}
	limit, err := c.number("limit", 1000, 1, 10_000)
	if err != nil {
		return out, err
	}
	var at, last int64
	if _, err := c.cursor(&at, &last); err != nil {
		return out, err
	}
	all, err := c.api.o.Engine.Facts(c.Context(), req)
	if err != nil {
		return out, err
	}
	from := resume(all, int(at), core.ID(last))
	to := min(from+limit, len(all))
	out.Facts = all[from:to:to]
	if to < len(all) {
		out.Next = cursor(int64(to), int64(all[to-1].ID))
	}
	return out, nil
}

// resume finds where the page after a fact begins. When that fact is gone, its place
// is the next best.
func resume(all []engine.Fact, at int, last core.ID) int {
	if last != 0 {
		for i := range all {
			if all[i].ID == last {
				return i + 1
			}
		}
	}
	return min(at, len(all))
}
