package contract

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// caller makes the calls of the list with the Go API.
type caller struct {
	*local.Memory
	home string
}

// arguments are those of all calls.
type arguments struct {
	Space string `json:"space"`

	// An episode.
	Text    string    `json:"text"`
	Rule    string    `json:"rule"`
	Kind    core.Kind `json:"kind"`
	Role    core.Role `json:"role"`
	Speaker string    `json:"speaker"`
	Session string    `json:"session"`
	Source  string    `json:"source"`
	Trust   string    `json:"trust"`
	At      time.Time `json:"at"`
	Zone    string    `json:"tz"`
	TTL     string    `json:"ttl"`

	Items   []json.RawMessage `json:"items"`
	Name    string            `json:"name"`
	Content *string           `json:"content"`

	Fact, Episode core.ID
	ID            json.RawMessage `json:"id"` // a key, or a number
	Reason        string          `json:"reason"`
	Release       bool            `json:"release"`
	Yes           bool            `json:"yes"`

	// A question.
	Query    string           `json:"query"`
	Now      time.Time        `json:"now"`
	AsOf     time.Time        `json:"as_of"`
	Limit    int              `json:"limit"`
	Budget   int              `json:"budget"`
	Format   string           `json:"format"`
	Off      []string         `json:"off"`
	Of       string           `json:"of"`
	Kinds    []string         `json:"kinds"`
	Subject  string           `json:"subject"`
	History  bool             `json:"history"`
	Messages []engine.Message `json:"messages"`
	Backend  string           `json:"backend"`
}

func (a *arguments) input() (engine.Input, error) {
	in := engine.Input{
		Text: a.Text, Kind: a.Kind, Role: a.Role, Speaker: a.Speaker, Session: a.Session, Source: a.Source,
		At: a.At, Zone: a.Zone, TTL: a.TTL,
	}
	_ = json.Unmarshal(a.ID, &in.Key) // a number is no key
	if a.Trust == "" {
		return in, nil
	}
	t, ok := core.ParseTrust(a.Trust)
	if !ok {
		return in, core.Errorf(core.CodeInvalid, "trust %q is not known", a.Trust)
	}
	if t > core.TrustOf(cmp.Or(in.Role, core.RoleUser), in.Kind) {
		return in, core.Errorf(core.CodeDenied, "trust %q is too much", a.Trust)
	}
	in.Trust = t
	return in, nil
}

func (a *arguments) request() engine.Request {
	return engine.Request{
		Space: a.Space, Query: a.Query, Now: a.Now, Limit: a.Limit, Budget: a.Budget, Format: a.Format, Session: a.Session, Off: a.Off,
	}
}

func (c *caller) call(ctx context.Context, name string, with json.RawMessage) (any, error) {
	var a arguments
	if err := json.Unmarshal(with, &a); err != nil {
		return nil, err
	}
	switch name {
	case "add", "observe", "add_many", "add_file", "forbid", "forget", "correct":
		return c.write(ctx, name, &a)
	case "search", "recall", "build_context", "facts", "episode", "episodes", "export", "stats", "graph", "node", "pending":
		return c.read(ctx, name, &a)
	}
	return c.keep(ctx, name, &a)
}

func (c *caller) write(ctx context.Context, name string, a *arguments) (any, error) {
	switch name {
	case "add":
		a.Kind = cmp.Or(a.Kind, core.KindNote)
		return c.addOne(ctx, a)
	case "observe":
		a.Source, a.Kind = "chat", core.KindTurn
		if a.Role == core.RoleTool {
			a.Kind = core.KindTool
		}
		return c.addOne(ctx, a)
	case "add_many":
		return c.addMany(ctx, a)
	case "add_file":
		if a.Content == nil {
			return nil, core.Errorf(core.CodeNotFound, "there is no file %s: %w", a.Name, error(fs.ErrNotExist))
		}
		base, err := a.input()
		if err != nil {
			return nil, err
		}
		inputs, err := history.Document(a.Name, *a.Content, base)
		if err != nil {
			return nil, err
		}
		return c.Add(ctx, a.Space, inputs...)
	case "forbid":
		in, err := a.input()
		if err != nil {
			return nil, err
		}
		return c.Forbid(ctx, a.Space, a.Rule, in)
	case "forget":
		return c.Forget(ctx, a.Space, a.Fact, a.Reason, a.At)
	}
	return c.Correct(ctx, a.Space, a.Fact, a.Text, a.At)
}

func (c *caller) addOne(ctx context.Context, a *arguments) (any, error) {
	in, err := a.input()
	if err != nil {
		return nil, err
	}
	added, err := c.Add(ctx, a.Space, in)
	if err == nil && added[0].Error != "" {
		err = core.Errorf(added[0].Code, "%s", added[0].Error)
	}
	if err != nil {
		return nil, err
	}
	return added[0], nil
}

func (c *caller) addMany(ctx context.Context, a *arguments) (any, error) {
	inputs := make([]engine.Input, len(a.Items))
	for i, raw := range a.Items {
		var one arguments
		if json.Unmarshal(raw, &one.Text) != nil {
			if err := json.Unmarshal(raw, &one); err != nil {
				return nil, err
			}
		}
		one.Kind = cmp.Or(one.Kind, core.KindNote)
		var err error
		if inputs[i], err = one.input(); err != nil {
			return nil, err
		}
	}
	return c.Add(ctx, a.Space, inputs...)
}

func (c *caller) read(ctx context.Context, name string, a *arguments) (any, error) {
	switch name {
	case "search":
		return c.Search(ctx, a.request())
	case "recall":
		return c.Recall(ctx, a.request())
	case "build_context":
		out, _, err := c.BuildContext(ctx, a.request(), a.Messages)
		return out, err
	case "facts":
		return c.Facts(ctx, engine.FactsRequest{Space: a.Space, Subject: a.Subject, History: a.History, AsOf: a.AsOf, Now: a.Now})
	case "episode":
		var id core.ID
		if err := json.Unmarshal(a.ID, &id); err != nil {
			return nil, err
		}
		e, err := c.Episode(ctx, a.Space, id)
		return view(&e), err
	case "export":
		return c.export(ctx, a)
	case "graph":
		return c.Graph(ctx, engine.GraphRequest{Space: a.Space, Of: a.Of, AsOf: a.AsOf, History: a.History, Kinds: a.Kinds, Source: a.Source, Limit: a.Limit})
	case "node":
		var id string
		if err := json.Unmarshal(a.ID, &id); err != nil {
			return nil, err
		}
		return c.Node(ctx, a.Space, id, a.Now)
	case "pending":
		return c.pending(ctx, a)
	case "stats":
		st, err := c.Stats(ctx)
		kept := st.Spaces[:0]
		for _, s := range st.Spaces {
			if a.Space == "" || s.Space == a.Space {
				kept = append(kept, s)
			}
		}
		st.Spaces = kept
		return st, err
	}
	return c.list(ctx, a)
}

// export returns the rows of a space.
func (c *caller) export(ctx context.Context, a *arguments) (any, error) {
	out := []json.RawMessage{}
	var b bytes.Buffer
	_, err := history.Export(ctx, c.Store, cmp.Or(a.Space, core.DefaultSpace), "", &b)
	if errors.Is(err, core.ErrNotFound) {
		return out, nil
	}
	for line := range bytes.Lines(b.Bytes()) {
		out = append(out, line)
	}
	return out, err
}

// pending returns what waits for sleep.
func (c *caller) pending(ctx context.Context, a *arguments) (any, error) {
	eps, err := c.Store.Pending(ctx, cmp.Or(a.Space, core.DefaultSpace), time.Now(), 100)
	if errors.Is(err, core.ErrNotFound) {
		err = nil
	}
	out := []map[string]any{}
	for i := range eps {
		out = append(out, view(&eps[i].Episode))
	}
	return map[string]any{"total": len(out), "episodes": out}, err
}

// list returns all episodes of a space, newest first.
func (c *caller) list(ctx context.Context, a *arguments) (any, error) {
	space, err := engine.Space(a.Space)
	if err != nil {
		return nil, err
	}
	out := []map[string]any{}
	for e, err := range c.Store.Scan(ctx, space, 0) {
		if errors.Is(err, core.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		out = append([]map[string]any{view(&e)}, out...)
	}
	return out, nil
}

// view is an episode as answers show it.
func view(e *core.Episode) map[string]any {
	out := map[string]any{
		"id": e.ID, "key": e.Key, "kind": e.Kind, "role": e.Role, "speaker": e.Speaker, "session": e.Session, "source": e.Source,
		"trust": e.Trust.String(), "at": e.At, "tz": e.Zone, "text": e.Text, "repeat_of": e.RepeatOf, "quarantined": e.Quarantined,
	}
	if !e.Expires.IsZero() {
		out["expires"] = e.Expires
	}
	return out
}

func (c *caller) keep(ctx context.Context, name string, a *arguments) (any, error) {
	switch name {
	case "sleep":
		return c.Sleep(ctx, sleep.Run{Space: a.Space, Backend: a.Backend, Now: a.Now})
	case "sleep_reports":
		rs, err := c.Store.Reports(ctx, cmp.Or(a.Space, core.DefaultSpace), a.Limit)
		out := make([]json.RawMessage, len(rs))
		for i := range rs {
			out[i] = rs[i].Data
		}
		return out, err
	case "erase":
		return c.Erase(ctx, a.Space, a.Episode)
	case "erase_space":
		if !a.Yes {
			return nil, core.Errorf(core.CodeInvalid, "erasing a space cannot be undone")
		}
		return c.EraseSpace(ctx, a.Name)
	case "quarantine":
		return c.Quarantine(ctx, a.Space, a.Source, time.Time{}, !a.Release)
	}
	return nil, fmt.Errorf("no call is named %q", name)
}
