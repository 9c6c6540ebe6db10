package llm

import "encoding/json"

// request is a chat completion. It never asks for a stream.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	Format      any       `json:"response_format,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// form is how an answer in JSON is asked for, strictest first.
type form int

const (
	formSchema     form = iota // strict JSON schema
	formObjectWith             // llama.cpp: a JSON object with a schema
	formObject                 // a JSON object
	formNone                   // words only
)

func (f form) format() any {
	switch f {
	case formSchema:
		return map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "memory", "strict": true, "schema": schema}}
	case formObjectWith:
		return map[string]any{"type": "json_object", "schema": schema}
	case formObject:
		return map[string]any{"type": "json_object"}
	}
	return nil
}

// schema is the shape of an answer.
var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["states","events"],"properties":{` +
	`"states":{"type":"array","items":{"type":"object","additionalProperties":false,` +
	`"required":["subject","attribute","value","condition","prohibited","cites"],"properties":{` +
	`"subject":{"type":"string"},"attribute":{"type":"string"},"value":{"type":"string"},"condition":{"type":"string"},` +
	`"prohibited":{"type":"boolean"},"cites":{"type":"array","items":{"type":"string"}}}}},` +
	`"events":{"type":"array","items":{"type":"object","additionalProperties":false,` +
	`"required":["subject","event","when","cites"],"properties":{` +
	`"subject":{"type":"string"},"event":{"type":"string"},"when":{"type":"string"},"cites":{"type":"array","items":{"type":"string"}}}}}}}`)
