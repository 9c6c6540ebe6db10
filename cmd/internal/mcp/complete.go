package mcp

import (
	"context"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/core"
)

// maxValues is how many values the protocol lets a completion have.
const maxValues = 100

// complete offers the spaces that begin with what was typed, and for a subject or a
// topic the people and things that a space knows.
func (s *server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	var all []string
	var err error
	switch req.Params.Argument.Name {
	case "space":
		all, err = s.spaces(ctx)
	case "subject", "topic", "q":
		space := ""
		if c := req.Params.Context; c != nil {
			space = c.Arguments["space"]
		}
		all, err = s.entities(ctx, space)
	}
	if err != nil {
		return nil, invalid(err)
	}
	typed := strings.ToLower(req.Params.Argument.Value)
	values := []string{}
	for _, v := range all {
		if strings.HasPrefix(strings.ToLower(v), typed) {
			values = append(values, v)
		}
	}
	total := len(values)
	values = values[:min(total, maxValues)]
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: total, HasMore: total > len(values)}}, nil
}

func (s *server) spaces(ctx context.Context) ([]string, error) {
	_, st, err := s.visible(ctx, "")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, sp := range st.Spaces {
		names = append(names, sp.Space)
	}
	return names, nil
}

func (s *server) entities(ctx context.Context, space string) ([]string, error) {
	e, space, err := s.open(ctx, space, core.RightRead)
	if err != nil {
		return nil, err
	}
	list, err := e.Store().Entities(ctx, space)
	if err != nil && core.CodeOf(err) != core.CodeNotFound {
		return nil, err
	}
	names := []string{core.SubjectUser}
	for _, en := range list {
		names = append(names, en.Name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
