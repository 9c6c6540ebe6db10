package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/engine"
)

type factsIn struct {
	Space     string `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
	History   bool   `json:"include_history,omitempty" jsonschema:"what has ended, too"`
	AsOf      string `json:"as_of,omitempty" jsonschema:"what was true then, in place of now: a day YYYY-MM-DD, or a time"`
	Subject   string `json:"subject,omitempty" jsonschema:"only facts about this: user, or a name"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"most tokens of the result, default 2000"`
	Handle    string `json:"handle,omitempty" jsonschema:"the next page: more of an earlier result"`
}

type factsOut struct {
	Facts []fact `json:"facts"`
	Total int    `json:"total" jsonschema:"of the whole list"`
	More  string `json:"more,omitempty" jsonschema:"handle of the next page"`
}

// fact is a state as agents see it.
type fact struct {
	ID           core.ID `json:"id"`
	Rule         bool    `json:"rule,omitempty" jsonschema:"it must not be done"`
	Subject      string  `json:"subject" jsonschema:"user, or a name"`
	Attribute    string  `json:"attribute,omitempty"`
	Value        string  `json:"value"`
	Condition    string  `json:"condition,omitempty" jsonschema:"what limits it"`
	ValidFrom    string  `json:"valid_from,omitempty" jsonschema:"day, YYYY-MM-DD"`
	ValidTo      string  `json:"valid_to,omitempty" jsonschema:"day it ended"`
	Ended        bool    `json:"ended,omitempty"`
	SupersededBy core.ID `json:"superseded_by,omitempty"`
	Handle       string  `json:"handle,omitempty" jsonschema:"reads it in full, where something was cut"`
}

func (s *server) facts(ctx context.Context, in factsIn) (factsOut, error) {
	h := handle{kind: kindFacts, space: in.Space, subject: in.Subject, history: in.History, asOf: in.AsOf}
	if in.Handle != "" {
		var err error
		if h, err = s.next(in.Handle, in.Space, kindFacts, kindRules); err != nil {
			return factsOut{}, err
		}
	}
	return s.factsPage(ctx, h, limitOf(in.MaxTokens), 2)
}

// next reads the handle of a page of a list.
func (s *server) next(uri, space string, kinds ...string) (handle, error) {
	h, err := parseHandle(uri)
	if err != nil {
		return h, err
	}
	for _, k := range kinds {
		if h.kind == k && h.id == 0 {
			return h, agree(h, space)
		}
	}
	return h, core.Errorf(core.CodeInvalid, "this handle is no page of such a list").Hinted("orma_recall reads every handle")
}

// agree refuses a request whose handle and space name two spaces.
func agree(h handle, space string) error {
	if space != "" && h.space != "" && space != h.space {
		return core.Errorf(core.CodeInvalid, "the handle is of space %q, not of %q", h.space, space)
	}
	return nil
}

// factsPage lists facts or rules from h.from on, as many as fit into a number of tokens
// when the list is shown a number of times.
func (s *server) factsPage(ctx context.Context, h handle, limit, shown int) (factsOut, error) {
	e, space, err := s.open(ctx, h.space, core.RightRead)
	if err != nil {
		return factsOut{}, err
	}
	h.space = space
	req := engine.FactsRequest{Space: space, Subject: h.subject, History: h.history, Now: s.o.Now()}
	if h.asOf != "" {
		if req.AsOf, err = clock.ParseTime(h.asOf, e.Zone()); err != nil {
			return factsOut{}, core.Errorf(core.CodeInvalid, "as_of: %w", err)
		}
	}
	all, err := e.Facts(ctx, req)
	if err != nil {
		return factsOut{}, err
	}
	all = rulesFirst(all, h.kind == kindRules)
	out := factsOut{Facts: []fact{}, Total: len(all)}
	m := listMeter(e, limit, shown)
	room := limit - shown*listMargin
	for i := min(h.from, len(all)); i < len(all); i++ {
		f := m.fact(&all[i], space)
		data, err := json.Marshal(f)
		if err != nil {
			return out, core.Errorf(core.CodeInternal, "fact: %w", err)
		}
		if room -= shown * (m.cost(string(data)) + 1); room < 0 && len(out.Facts) > 0 {
			h.from = i
			out.More = h.String()
			break
		}
		out.Facts = append(out.Facts, f)
	}
	return out, nil
}

// listMargin is what a list costs beside its items: its frame and the handle of the
// next page.
const listMargin = 80

// rulesFirst puts rules before facts, or leaves only them. The order is otherwise kept.
func rulesFirst(all []engine.Fact, only bool) []engine.Fact {
	out := make([]engine.Fact, 0, len(all))
	for _, f := range all {
		if f.Forbidden {
			out = append(out, f)
		}
	}
	for _, f := range all {
		if !f.Forbidden && !only {
			out = append(out, f)
		}
	}
	return out
}

func (m meter) fact(f *engine.Fact, space string) fact {
	out := fact{ID: f.ID, Rule: f.Forbidden, ValidFrom: f.ValidFrom, ValidTo: f.ValidTo, Ended: !f.Active, SupersededBy: f.SupersededBy}
	long := false
	clip := func(dst *string, text string, tokens int) {
		var cut bool
		*dst, cut = m.clip(text, tokens)
		long = long || cut
	}
	clip(&out.Subject, f.Subject, nameTokens)
	if !f.Forbidden { // what a rule is about, its words say
		clip(&out.Attribute, f.Attribute, nameTokens)
	}
	clip(&out.Condition, f.Condition, nameTokens)
	clip(&out.Value, f.Value, m.short)
	if long {
		out.Handle = handle{kind: kindFacts, space: space, id: f.ID}.String()
	}
	return out
}

type forgetIn struct {
	StateID core.ID `json:"state_id" jsonschema:"id of the fact or rule"`
	Space   string  `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
	Reason  string  `json:"reason,omitempty" jsonschema:"why, kept in the journal"`
}

func (s *server) forget(ctx context.Context, in forgetIn) (fact, error) {
	e, space, err := s.open(ctx, in.Space, core.RightWrite)
	if err != nil {
		return fact{}, err
	}
	f, err := e.Forget(ctx, space, in.StateID, in.Reason, time.Time{})
	return newMeter(e).fact(&f, space), err
}

type correctIn struct {
	StateID core.ID `json:"state_id" jsonschema:"id of the fact"`
	Text    string  `json:"text" jsonschema:"its value from now on"`
	Space   string  `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
}

func (s *server) correct(ctx context.Context, in correctIn) (fact, error) {
	e, space, err := s.open(ctx, in.Space, core.RightWrite)
	if err != nil {
		return fact{}, err
	}
	f, err := e.Correct(ctx, space, in.StateID, in.Text, time.Time{})
	return newMeter(e).fact(&f, space), err
}
