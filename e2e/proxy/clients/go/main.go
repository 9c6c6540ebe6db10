// Command go-client is the official OpenAI client for Go, holding one session of the
// end-to-end tests.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type asker struct {
	client openai.Client
	stream bool
}

func (a *asker) ask(ctx context.Context, p openai.ChatCompletionNewParams) (*openai.ChatCompletionMessage, error) {
	p.Model = "m"
	if !a.stream {
		r, err := a.client.Chat.Completions.New(ctx, p)
		if err != nil {
			return nil, err
		}
		return &r.Choices[0].Message, nil
	}
	s := a.client.Chat.Completions.NewStreaming(ctx, p)
	acc := openai.ChatCompletionAccumulator{}
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			return nil, fmt.Errorf("a chunk does not fit: %s", s.Current().RawJSON())
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return &acc.Choices[0].Message, nil
}

func run(ctx context.Context) error {
	a := &asker{
		client: openai.NewClient(option.WithBaseURL(os.Getenv("E2E_BASE")+"/v1"), option.WithAPIKey("none"), option.WithHeader("x-orma-space", os.Getenv("E2E_SPACE"))),
		stream: os.Getenv("E2E_STREAM") != "",
	}
	says := func(text string, more ...openai.ChatCompletionMessageParamUnion) error {
		m, err := a.ask(ctx, openai.ChatCompletionNewParams{Messages: append([]openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}, more...)})
		if err != nil {
			return err
		}
		return expect(m.Content, os.Getenv("E2E_REPLY"))
	}
	switch os.Args[1] {
	case "1":
		return says(os.Getenv("E2E_FACT"))
	case "2":
		return a.tool(ctx)
	}
	return says("Which number is my locker?")
}

func (a *asker) tool(ctx context.Context) error {
	p := openai.ChatCompletionNewParams{
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Please look into the shed.")},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
			Name: "look", Parameters: openai.FunctionParameters{"type": "object", "properties": map[string]any{"where": map[string]string{"type": "string"}}},
		})},
	}
	m, err := a.ask(ctx, p)
	if err != nil {
		return err
	}
	if len(m.ToolCalls) != 1 {
		return fmt.Errorf("%d tool calls", len(m.ToolCalls))
	}
	call := m.ToolCalls[0]
	var args struct{ Where string }
	if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil {
		return err
	}
	if err := expect(args.Where, "shed"); err != nil {
		return err
	}
	p.Messages = append(p.Messages, m.ToParam(), openai.ToolMessage("There is a ladder in the shed.", call.ID))
	if m, err = a.ask(ctx, p); err != nil {
		return err
	}
	return expect(m.Content, os.Getenv("E2E_REPLY"))
}

func expect(got, want string) error {
	if got != want {
		return fmt.Errorf("got %q, want %q", got, want)
	}
	return nil
}
