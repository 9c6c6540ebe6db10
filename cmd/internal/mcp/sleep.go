package mcp

import (
	"context"

	"github.com/orma-memory/orma/core"
)

type sleepIn struct {
	Space string `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
}

type sleepOut struct {
	Records  int            `json:"records" jsonschema:"read and finished"`
	Lines    int            `json:"lines" jsonschema:"sentences in them"`
	Backend  string         `json:"backend,omitempty" jsonschema:"what read them"`
	Outcomes map[string]int `json:"outcomes" jsonschema:"what became of what was found, by outcome"`
	Rejected map[string]int `json:"rejected" jsonschema:"what was not believed, by reason"`
	Failed   int            `json:"failed" jsonschema:"records that could not be read this time"`
}

func (s *server) sleep(ctx context.Context, in sleepIn) (sleepOut, error) {
	_, space, err := s.open(ctx, in.Space, core.RightWrite)
	if err != nil {
		return sleepOut{}, err
	}
	if s.o.Sleep == nil {
		return sleepOut{}, core.Errorf(core.CodeUnsupported, "nothing consolidates memory here")
	}
	r, err := s.o.Sleep(ctx, space)
	if err != nil {
		return sleepOut{}, err
	}
	out := sleepOut{Records: r.Episodes, Lines: r.Lines, Backend: r.Backend, Outcomes: map[string]int{}, Rejected: map[string]int{}}
	for what, n := range r.Outcomes {
		out.Outcomes[what] = n
	}
	for why, n := range r.Reasons {
		out.Rejected[why] = n
	}
	for _, f := range r.Failed {
		out.Failed += len(f.Episodes)
	}
	return out, nil
}
