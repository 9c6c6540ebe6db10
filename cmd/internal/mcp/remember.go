package mcp

import (
	"context"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// source is where texts come from that agents add.
const source = "mcp"

type rememberIn struct {
	Text    string    `json:"text" jsonschema:"what to remember, in full sentences"`
	Kind    core.Kind `json:"kind,omitempty" jsonschema:"what sort of text it is"`
	Role    core.Role `json:"role,omitempty" jsonschema:"who says it: user where the user said or decided it, assistant for your own conclusions"`
	Space   string    `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
	Session string    `json:"session,omitempty" jsonschema:"name of the conversation"`
	TTL     string    `json:"ttl,omitempty" jsonschema:"how long it holds, such as 30m, 12h, 7d; forever without it"`
}

type forbidIn struct {
	Rule  string `json:"rule" jsonschema:"what must not be done, as an order: Never …"`
	Space string `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
}

type addedOut struct {
	ID       core.ID `json:"id" jsonschema:"of the record"`
	RuleID   core.ID `json:"rule_id,omitempty" jsonschema:"of the rule it made; orma_forget lifts it"`
	RepeatOf core.ID `json:"repeat_of,omitempty" jsonschema:"the record that said the same before"`
	Masked   int     `json:"masked,omitempty" jsonschema:"secrets that were replaced before it was stored"`
	Repaired bool    `json:"repaired,omitempty" jsonschema:"bytes that were no text were replaced"`
	Handle   string  `json:"handle" jsonschema:"reads the record"`
}

func (s *server) remember(ctx context.Context, in rememberIn) (addedOut, error) {
	input := engine.Input{Text: in.Text, Kind: in.Kind, Role: in.Role, Session: in.Session, TTL: in.TTL, Source: source}
	return s.add(ctx, in.Space, input)
}

func (s *server) forbid(ctx context.Context, in forbidIn) (addedOut, error) {
	return s.add(ctx, in.Space, engine.Input{Text: in.Rule, Kind: core.KindAntiPattern, Role: core.RoleUser, Source: source})
}

func (s *server) add(ctx context.Context, space string, in engine.Input) (addedOut, error) {
	e, space, err := s.open(ctx, space, core.RightWrite)
	if err != nil {
		return addedOut{}, err
	}
	in.At = s.o.Now()
	added, err := e.Add(ctx, space, in)
	if err != nil {
		return addedOut{}, err
	}
	a := added[0]
	if a.Error != "" {
		return addedOut{}, core.Errorf(a.Code, "%s", a.Error)
	}
	out := addedOut{
		ID: a.ID, RuleID: a.RuleID, RepeatOf: a.RepeatOf, Masked: a.Masked, Repaired: a.Repaired,
		Handle: handle{kind: kindEpisodes, space: space, id: a.ID}.String(),
	}
	return out, nil
}
