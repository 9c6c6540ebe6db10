package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

type statsIn struct {
	Space     string `json:"space,omitempty" jsonschema:"only this space"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"most tokens of the result, default 2000"`
	Handle    string `json:"handle,omitempty" jsonschema:"the next page: more of an earlier result"`
}

type statsOut struct {
	Spaces   []spaceStats `json:"spaces"`
	Bytes    int64        `json:"bytes,omitempty" jsonschema:"of the database"`
	Embedder string       `json:"embedder,omitempty" jsonschema:"what finds meaning beyond words"`
	Problem  string       `json:"problem,omitempty" jsonschema:"why meaning is not searched now"`
	More     string       `json:"more,omitempty" jsonschema:"handle of the next page"`
}

type spaceStats struct {
	Space   string `json:"space"`
	Records int    `json:"records"`
	Facts   int    `json:"facts"`
	Rules   int    `json:"rules"`
	Events  int    `json:"events"`
	Pending int    `json:"pending" jsonschema:"records that wait to be made facts"`
	Last    string `json:"last,omitempty" jsonschema:"when something was last said"`
}

func (s *server) stats(ctx context.Context, in statsIn) (statsOut, error) {
	h := handle{kind: kindSpaces}
	if in.Handle != "" {
		var err error
		if h, err = s.next(in.Handle, "", kindSpaces); err != nil {
			return statsOut{}, err
		}
	}
	if in.Space != "" {
		space, err := s.who.Space(s.o.Space, in.Space)
		if err != nil {
			return statsOut{}, err
		}
		in.Space = space
	}
	return s.statsPage(ctx, h, in.Space, limitOf(in.MaxTokens), 2)
}

// statsPage lists spaces from h.from on, as many as fit.
func (s *server) statsPage(ctx context.Context, h handle, only string, limit, shown int) (statsOut, error) {
	e, st, err := s.visible(ctx, only)
	if err != nil {
		return statsOut{}, err
	}
	m := newMeter(e)
	out := statsOut{Spaces: []spaceStats{}, Embedder: st.Embedder}
	if len(s.who.Spaces) == 0 {
		out.Bytes = st.Store.Bytes + st.Store.WALBytes
	}
	out.Problem, _ = m.clip(st.EmbedderError, textTokens/2)
	room := limit - shown*(listMargin+m.cost(out.Problem)+m.cost(out.Embedder))
	for i := min(h.from, len(st.Spaces)); i < len(st.Spaces); i++ {
		sp := &st.Spaces[i]
		line := spaceStats{Space: sp.Space, Records: sp.Episodes, Facts: sp.States, Rules: sp.Rules, Events: sp.Events, Pending: sp.Pending}
		if !sp.Last.IsZero() {
			line.Last = sp.Last.UTC().Format(time.RFC3339)
		}
		data, err := json.Marshal(line)
		if err != nil {
			return out, core.Errorf(core.CodeInternal, "space: %w", err)
		}
		if room -= shown * (m.cost(string(data)) + 1); room < 0 && len(out.Spaces) > 0 {
			h.from = i
			out.More = h.String()
			break
		}
		out.Spaces = append(out.Spaces, line)
	}
	return out, nil
}

// visible returns the statistics of the spaces that the principal may know of, or of
// one of them.
func (s *server) visible(ctx context.Context, only string) (*engine.Engine, *engine.Stats, error) {
	if err := s.who.Need(core.RightRead); err != nil {
		return nil, nil, err
	}
	e, err := s.o.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	st, err := e.Stats(ctx)
	if err != nil {
		return nil, nil, err
	}
	st.Spaces = slices.DeleteFunc(st.Spaces, func(sp core.SpaceStats) bool {
		return only != "" && sp.Space != only || !s.who.Opens(sp.Space)
	})
	return e, &st, nil
}
