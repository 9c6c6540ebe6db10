package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/orma-memory/orma/sdk/guest"
)

// client asks an OpenAI-compatible server.
type client struct {
	url, model, key string
	maxTokens       int
	plain           atomic.Bool // the server refuses schemas
}

// maxBody is the most of a server's answer that is read.
const maxBody = 1 << 20

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ask returns what the model says.
func (c *client) ask(ctx context.Context, system, user string) (string, error) {
	for {
		plain := c.plain.Load()
		text, refused, err := c.try(ctx, system, user, plain)
		if !refused || plain {
			return text, err
		}
		c.plain.Store(true)
	}
}

// try asks once. refused says that the server does not take the schema.
func (c *client) try(ctx context.Context, system, user string, plain bool) (text string, refused bool, err error) {
	body := map[string]any{
		"model": c.model, "temperature": 0, "max_tokens": c.maxTokens,
		"messages": []message{{"system", system}, {"user", user}},
	}
	if !plain {
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "items", "strict": true, "schema": json.RawMessage(schema)}}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return "", false, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/chat/completions", bytes.NewReader(b))
	if err != nil {
		return "", false, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false, guest.Unavailable(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return "", false, guest.Unavailable(err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", refuses(got), statusError(resp.StatusCode, got)
	}
	var r struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(got, &r); err != nil {
		return "", false, fmt.Errorf("the server's answer: %w", err)
	}
	if len(r.Choices) == 0 {
		return "", false, errors.New("the server's answer has no choices")
	}
	return r.Choices[0].Message.Content, false, nil
}

// refuses reports whether an error is about the schema.
func refuses(body []byte) bool {
	s := strings.ToLower(string(body))
	return strings.Contains(s, "response_format") || strings.Contains(s, "schema") || strings.Contains(s, "grammar")
}

// statusError is the server's refusal. One that has nothing to do with the lines keeps
// them waiting.
func statusError(code int, body []byte) error {
	err := fmt.Errorf("the server answers %d: %.200s", code, body)
	switch {
	case code == http.StatusRequestEntityTooLarge, code == http.StatusBadRequest, code == http.StatusUnprocessableEntity:
		return err
	}
	return guest.Unavailable(err)
}

const schema = `{"type": "object", "additionalProperties": false, "required": ["items"], "properties": {"items": {"type": "array", "items": {
"type": "object", "additionalProperties": false,
"required": ["kind", "subject", "attribute", "value", "condition", "when", "forbidden", "lines"],
"properties": {"kind": {"type": "string", "enum": ["state", "event"]}, "subject": {"type": "string"}, "attribute": {"type": "string"},
"value": {"type": "string"}, "condition": {"type": "string"}, "when": {"type": "string"}, "forbidden": {"type": "boolean"},
"lines": {"type": "array", "items": {"type": "integer"}}}}}}}`
