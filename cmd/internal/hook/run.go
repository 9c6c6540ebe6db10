package hook

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/text"
)

// Limit is the time that a hook may take, from its start to its end.
const Limit = time.Second

// Memory is what hooks need of an engine.
type Memory interface {
	Add(ctx context.Context, space string, inputs ...engine.Input) ([]engine.Added, error)
	Recall(ctx context.Context, req engine.Request) (*engine.Recalled, error)
	Facts(ctx context.Context, req engine.FactsRequest) ([]engine.Fact, error)
	Delivered(ctx context.Context, space string, req engine.Request, items []engine.Item) error
	Known(ctx context.Context, space string, in engine.Input) (core.ID, bool, error)
}

// The tokens of what an agent is given: at the start of a session, for a prompt, and
// of the rules before a tool is used.
const (
	startTokens  = 1200
	promptTokens = 800
	ruleBytes    = 1200
	maxRules     = 3
)

// source is where recorded texts come from: the same as of an imported transcript.
const source = "claude-code"

// Answer is what a hook tells the agent. Context is empty where there is nothing to
// say; Delivered is called once it has been written.
type Answer struct {
	Context   string
	Delivered func(context.Context) error
}

// Recall gives what memory knows that bears on an event in a space. Call it before what
// is said in the event is recorded.
func Recall(ctx context.Context, m Memory, space string, e Event, now time.Time) (Answer, error) {
	switch e.Name {
	case SessionStart:
		return recall(ctx, m, engine.Request{Space: space, Budget: startTokens, Now: now, Session: e.Session})
	case UserPromptSubmit:
		said := history.Said(e.Prompt)
		if said == "" {
			return Answer{}, nil
		}
		return recall(ctx, m, engine.Request{Space: space, Query: said, Budget: promptTokens, Now: now, Session: e.Session, Said: []string{said}})
	case PreToolUse:
		return rules(ctx, m, space, e, now)
	}
	return Answer{}, nil
}

// Inputs are what an event has that is to be recorded.
func Inputs(e Event, now time.Time) ([]engine.Input, error) {
	in := engine.Input{Role: core.RoleUser, Session: e.Session, Source: source, At: now}
	switch e.Name {
	case UserPromptSubmit:
		in.Text = history.Said(e.Prompt)
	case PostToolUse:
		in.Kind, in.Role = core.KindTool, core.RoleTool
		in.Text = history.ToolText(e.Tool, eventText(e.Input), eventText(e.Response))
	case Stop, SubagentStop:
		in.Role = core.RoleAssistant
		var err error
		if in.Text, err = lastReply(e); err != nil {
			return nil, err
		}
	}
	if strings.TrimSpace(in.Text) == "" {
		return nil, nil
	}
	if len(in.Text) > maxText {
		in.Text = history.HeadTail(in.Text, maxText/4)
	}
	sum := sha256.Sum256([]byte(e.Session + "\x00" + e.Name + "\x00" + in.Text))
	in.Key = fmt.Sprintf("hook/%d/%x", now.UnixNano(), sum[:6]) // the same when it is tried again
	return []engine.Input{in}, nil
}

// Record adds texts. A text that is refused is an error.
func Record(ctx context.Context, m Memory, space string, inputs []engine.Input) error {
	if len(inputs) == 0 {
		return nil
	}
	added, err := m.Add(ctx, space, inputs...)
	if err != nil {
		return err
	}
	for _, a := range added {
		if a.Error != "" {
			err = errors.Join(err, core.Errorf(a.Code, "%s", a.Error))
		}
	}
	return err
}

// recall gives the block for a request.
func recall(ctx context.Context, m Memory, req engine.Request) (Answer, error) {
	req.Format = string(pack.FormatSutra)
	r, err := m.Recall(ctx, req)
	if err != nil || r.Block == "" {
		return Answer{}, err
	}
	return Answer{Context: r.Block, Delivered: func(ctx context.Context) error { return m.Delivered(ctx, req.Space, req, r.Items) }}, nil
}

// maxText is the longest text that is recorded whole, in bytes.
const maxText = 256 << 10

// rules gives the rules that share a word with what a tool is about to do: the words of
// a rule are the best hint there is that it is about to be broken.
func rules(ctx context.Context, m Memory, space string, e Event, now time.Time) (Answer, error) {
	facts, err := m.Facts(ctx, engine.FactsRequest{Space: space, Now: now})
	if err != nil {
		return Answer{}, err
	}
	doing := map[string]bool{}
	for _, t := range text.ParseQuery(history.HeadTail(e.Tool+" "+eventText(e.Input), 20_000)).Terms {
		doing[t.Text] = true
	}
	type near struct {
		rule   string
		shared int
	}
	var found []near
	for _, f := range facts {
		if !f.Forbidden {
			continue
		}
		n := 0
		for _, t := range text.ParseQuery(f.Value + " " + f.Condition).Terms {
			if doing[t.Text] && t.Class == text.Word && len(t.Text) > 2 && !slices.Contains(weak, t.Text) {
				n++
			}
		}
		if n > 0 {
			found = append(found, near{f.Value, n})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return b.shared - a.shared })
	var b strings.Builder
	for _, r := range found[:min(len(found), maxRules)] {
		line := strings.Join(strings.Fields(r.rule), " ")
		b.WriteString("[FORBIDDEN: " + history.HeadTail(line, ruleBytes/maxRules) + "]\n")
	}
	if b.Len() == 0 {
		return Answer{}, nil
	}
	return Answer{Context: "Memory holds rules that bear on this. FORBIDDEN is strict.\n" + b.String()}, nil
}

// weak are stems that say nothing of what a rule is about.
var weak = []string{"never", "alwai", "must", "dont", "use", "run", "file", "command", "make", "thi", "that", "ani"}

// Output returns what the agent reads from standard output; nothing where there is
// nothing to say.
func Output(event string, a Answer) []byte {
	if a.Context == "" {
		return nil
	}
	data, err := json.Marshal(map[string]any{
		"hookSpecificOutput": map[string]any{"hookEventName": event, "additionalContext": a.Context},
		"suppressOutput":     true,
	})
	if err != nil {
		return nil // two texts always can be written
	}
	return append(data, '\n')
}
