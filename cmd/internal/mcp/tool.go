package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// texter is a result that reads better as text than as JSON.
type texter interface{ text() string }

// typed holds the schemas of a tool.
type typed struct{ in, out *jsonschema.Schema }

// add adds a tool. Its arguments and result are typed by In and Out; a result without
// a text of its own is shown as the JSON that it is.
func add[In, Out any](s *server, srv *sdk.Server, types map[string]*typed, t sdk.Tool, call func(context.Context, In) (Out, error)) {
	t.InputSchema, t.OutputSchema = types[t.Name].in, types[t.Name].out
	sdk.AddTool(srv, &t, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (res *sdk.CallToolResult, out Out, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(t.Name, p)
				res, err = nil, errors.New(describe(errPanic)) // which the agent reads
			}
		}()
		out, err = call(ctx, in)
		if err != nil {
			return nil, out, errors.New(describe(err))
		}
		if tx, ok := any(out).(texter); ok {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: tx.text()}}}, out, nil
		}
		return nil, out, nil
	})
}

// typesOf makes the schemas of a tool from its Go types.
func typesOf[In, Out any]() *typed {
	return &typed{in: schemaOf[In](), out: schemaOf[Out]()}
}

// schemaOf makes a schema that every client understands: one type a value, no null.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic("mcp: " + err.Error()) // a type of ours that no schema can describe
	}
	return plain(s)
}

// plain takes null from the types of a schema, and adds what the Go types do not say.
func plain(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for name, p := range s.Properties {
		plain(p)
		if limits, ok := ranges[name]; ok && p.Type == "integer" {
			p.Minimum, p.Maximum = &limits[0], &limits[1]
		}
	}
	plain(s.Items)
	return s
}

// ranges are those of arguments and results with these names.
var ranges = map[string]*[2]float64{
	"max_tokens": {minTokens, MaxTokens},
	"limit":      {1, 1000},
	"state_id":   {1, 1<<53 - 1},
}

// words are the values that a property may have.
func words[T ~string](s *jsonschema.Schema, property string, list []T, normal T) {
	p := s.Properties[property]
	for _, w := range list {
		p.Enum = append(p.Enum, string(w))
	}
	p.Default, _ = json.Marshal(string(normal)) // a string always can
}

// Annotations of tools: none of them reaches beyond this machine's memory.
func reads(title string) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}

func writes(title string, again, destroys bool) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, IdempotentHint: again, DestructiveHint: &destroys, OpenWorldHint: &no}
}
