package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/pack"
)

type recallIn struct {
	Query     string `json:"query,omitempty" jsonschema:"the question or task, in a sentence; without it, the rules and what is true now"`
	Space     string `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"most tokens of the result, default 2000"`
	Handle    string `json:"handle,omitempty" jsonschema:"read on: a handle from an earlier result, instead of a query"`
}

type recallOut struct {
	Block   string `json:"block" jsonschema:"what memory knows; or, for a handle, its text"`
	Tokens  int    `json:"tokens" jsonschema:"of the block"`
	LeftOut int    `json:"left_out,omitempty" jsonschema:"how many more were found"`
	More    string `json:"more,omitempty" jsonschema:"handle of what comes next or was left out"`
	Rules   string `json:"rules,omitempty" jsonschema:"handle of all rules, where the block holds some of them cut"`
	From    int    `json:"from,omitempty" jsonschema:"where in the text the block begins, in bytes"`
	Total   int    `json:"total,omitempty" jsonschema:"bytes of the whole text"`
	Note    string `json:"note,omitempty" jsonschema:"a part that was left out of recall, and why"`
}

// text is the block with its handles below.
func (r recallOut) text() string {
	var b strings.Builder
	b.WriteString(r.Block)
	line := func(what, handle string) {
		if handle == "" {
			return
		}
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString("(" + what + ": orma_recall with handle " + handle + ")\n")
	}
	line("all rules in full", r.Rules)
	line("more", r.More)
	if r.Note != "" {
		b.WriteString("(note: " + r.Note + ")\n")
	}
	if b.Len() == 0 {
		return "Memory knows nothing about this."
	}
	return b.String()
}

// cost is what a client may show of it: text and structured content.
func (r recallOut) cost(m meter) (int, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return 0, core.Errorf(core.CodeInternal, "result: %w", err)
	}
	return m.cost(r.text()) + m.cost(string(data)), nil
}

// recallMargin is what a result costs beside its block, twice.
const recallMargin = 150

func (s *server) recall(ctx context.Context, in recallIn) (recallOut, error) {
	limit := limitOf(in.MaxTokens)
	if in.Handle != "" {
		return s.readOn(ctx, in.Handle, in.Space, limit)
	}
	e, space, err := s.open(ctx, in.Space, core.RightRead)
	if err != nil {
		return recallOut{}, err
	}
	m, now := newMeter(e), s.o.Now()
	req := engine.Request{Space: space, Query: in.Query, Now: now, Format: string(pack.FormatSutra)}
	var last *engine.Recalled
	out, err := shrink(limit, (limit-recallMargin)/2, func(tokens int) (recallOut, int, error) {
		req.Budget = tokens
		r, err := e.Recall(ctx, req)
		if err != nil {
			return recallOut{}, 0, err
		}
		last = r
		out := recallOut{Block: r.Block, LeftOut: r.LeftOut, Note: notes(m, r.Notes)}
		if m.cost(out.Block) > tokens {
			if out.Block = m.clipLines(r.Block, tokens); r.OverBudget {
				out.Rules = handle{kind: kindRules, space: space}.String()
			} else {
				out.LeftOut++
			}
		}
		if out.LeftOut > 0 && in.Query != "" {
			out.More = handle{kind: kindSearch, space: space, query: in.Query, at: now.Unix()}.String()
		}
		out.Tokens = m.cost(out.Block)
		total, err := out.cost(m)
		return out, total, err
	})
	if err == nil {
		s.uses.delivered(e, space, req, last.Items)
	}
	return out, err
}

// notes writes what was left out of an answer, briefly.
func notes(m meter, list []engine.Note) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, n.Stage+": "+n.Text)
	}
	text, _ := m.clip(strings.Join(parts, "; "), nameTokens)
	return text
}

// clipLines makes a block fit whose rules alone are more than its budget: each line is
// cut to an even share, so that of every rule at least the beginning is read. Lines
// that find no room even so are left out from the end.
func (m meter) clipLines(block string, tokens int) string {
	const least = 12
	lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
	var b strings.Builder
	for i, line := range lines {
		share := max(least, tokens/(len(lines)-i))
		if share > tokens {
			break
		}
		if m.cost(line) > share {
			line = strings.TrimSpace(line[:m.cut(line, share-4)]) + "…"
			if strings.HasPrefix(line, "[") {
				line += "]"
			}
		}
		tokens -= m.cost(line) + 1
		b.WriteString(line + "\n")
	}
	return b.String()
}
