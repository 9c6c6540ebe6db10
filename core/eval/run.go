package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// Memory is what is measured: an engine.
type Memory interface {
	Add(ctx context.Context, space string, inputs ...engine.Input) ([]engine.Added, error)
	Search(ctx context.Context, req engine.Request) (*engine.Found, error)
	Recall(ctx context.Context, req engine.Request) (*engine.Recalled, error)
}

// depth is how many passages are asked for: more than the deepest cut-off, since
// several can be of one turn.
const depth = 100

// Answer is what one question got.
type Answer struct {
	Conversation string
	Category     string
	Turn         Ranking
	Session      Ranking
	Tokens       float64 // of the recalled block; -1 when it was not measured
	Millis       float64 // wall time of the search with the query's embedding
}

// Fill puts a data set into a memory, a space a conversation.
func Fill(ctx context.Context, m Memory, s *Set, progress func(done, total int)) error {
	for i, c := range s.Conversations {
		inputs := make([]engine.Input, 0, 512)
		flush := func() error {
			added, err := m.Add(ctx, spaceOf(i), inputs...)
			if err != nil {
				return err
			}
			for _, a := range added {
				if a.Error != "" {
					return core.Errorf(a.Code, "turn %q: %s", a.Key, a.Error)
				}
			}
			inputs = inputs[:0]
			return nil
		}
		for _, t := range c.Turns {
			inputs = append(inputs, engine.Input{Text: t.Text, Key: t.Key, Session: t.Session, At: t.At, Speaker: t.Speaker, Role: t.Role, Kind: t.Kind, Source: "eval"})
			if len(inputs) == cap(inputs) {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		if err := flush(); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(s.Conversations))
		}
	}
	return nil
}

func spaceOf(i int) string { return fmt.Sprintf("eval-%d", i) }

// Options choose how questions are asked.
type Options struct {
	Off    []string
	Set    map[string]string
	Tokens bool // recall the block too, and count its tokens
	Limit  int  // questions a conversation; 0: all
}

// Ask asks every question and returns the answers, in order.
func Ask(ctx context.Context, m Memory, s *Set, o Options) ([]Answer, error) {
	var out []Answer
	for i, c := range s.Conversations {
		sessions := map[string]string{}
		for _, t := range c.Turns {
			sessions[t.Key] = t.Session
		}
		questions := c.Questions
		if o.Limit > 0 {
			questions = questions[:min(o.Limit, len(questions))]
		}
		for _, q := range questions {
			a, err := ask(ctx, m, spaceOf(i), &c, q, sessions, o)
			if err != nil {
				return nil, fmt.Errorf("question %s: %w", q.ID, err)
			}
			out = append(out, a)
		}
	}
	return out, nil
}

func ask(ctx context.Context, m Memory, space string, c *Conversation, q Question, sessions map[string]string, o Options) (Answer, error) {
	req := engine.Request{Space: space, Query: q.Text, Now: c.Now, Limit: depth, Off: o.Off, Set: o.Set}
	start := time.Now()
	found, err := m.Search(ctx, req)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{
		Conversation: c.ID, Category: q.Category, Millis: float64(time.Since(start).Microseconds()) / 1000, Tokens: -1,
		Turn: Ranking{Evidence: q.Turns}, Session: Ranking{Evidence: q.Sessions},
	}
	for _, p := range found.Passages {
		if len(found.Notes) > 0 {
			return a, core.Errorf(core.CodeDegraded, "stage %s was left out: %s", found.Notes[0].Stage, found.Notes[0].Text)
		}
		a.Turn.Keys = appendNew(a.Turn.Keys, p.Key)
		a.Session.Keys = appendNew(a.Session.Keys, sessions[p.Key])
	}
	if o.Tokens {
		r, err := m.Recall(ctx, req)
		if err != nil {
			return a, err
		}
		a.Tokens = float64(r.Tokens)
	}
	return a, nil
}
