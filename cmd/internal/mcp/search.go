package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

type searchIn struct {
	Query     string `json:"query,omitempty" jsonschema:"words to look for"`
	Space     string `json:"space,omitempty" jsonschema:"memory space; leave it out for the default"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most items, default 20"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"most tokens of the result, default 2000"`
	Handle    string `json:"handle,omitempty" jsonschema:"the next page: more of an earlier result, instead of a query"`
}

type searchOut struct {
	Items []item `json:"items"`
	More  string `json:"more,omitempty" jsonschema:"handle of the next page"`
	Note  string `json:"note,omitempty" jsonschema:"a part that was left out of the search, and why"`
}

// item is a memory that was found.
type item struct {
	Kind     string  `json:"kind" jsonschema:"rule, state, event, or passage: a piece of a record"`
	ID       core.ID `json:"id" jsonschema:"of the fact, or of the record a passage is of"`
	Text     string  `json:"text"`
	At       string  `json:"at,omitempty" jsonschema:"day it was said"`
	Who      string  `json:"who,omitempty" jsonschema:"who said it"`
	Outdated string  `json:"outdated,omitempty" jsonschema:"what holds instead"`
	Handle   string  `json:"handle" jsonschema:"reads it in full"`
}

// defaultItems is how many items a search lists where it is not said.
const defaultItems = 20

// maxFound bounds how far pages go.
const maxFound = 1000

func (s *server) search(ctx context.Context, in searchIn) (searchOut, error) {
	h := handle{kind: kindSearch, space: in.Space, query: in.Query, at: s.o.Now().Unix()}
	if in.Handle != "" {
		var err error
		if h, err = s.next(in.Handle, in.Space, kindSearch); err != nil {
			return searchOut{}, err
		}
	}
	if h.query == "" {
		return searchOut{}, core.Errorf(core.CodeInvalid, "there is nothing to look for").Hinted("give a query, or the handle of an earlier search")
	}
	items := in.Limit
	if items == 0 {
		items = defaultItems
	}
	return s.searchPage(ctx, h, items, limitOf(in.MaxTokens), 2)
}

// searchPage lists what a query finds from h.from on: at most items of it, as many as
// fit into a number of tokens when the list is shown a number of times. The moment in
// the handle keeps the order the same from page to page.
func (s *server) searchPage(ctx context.Context, h handle, items, limit, shown int) (searchOut, error) {
	e, space, err := s.open(ctx, h.space, core.RightRead)
	if err != nil {
		return searchOut{}, err
	}
	h.space = space
	at := s.o.Now()
	if h.at != 0 {
		at = time.Unix(h.at, 0)
	}
	want := min(h.from+items+1, maxFound)
	f, err := e.Search(ctx, engine.Request{Space: space, Query: h.query, Limit: want, Now: at})
	if err != nil {
		return searchOut{}, err
	}
	all := append(append(f.States, f.Events...), f.Passages...)
	m := listMeter(e, limit, shown)
	out := searchOut{Items: []item{}, Note: notes(m, f.Notes)}
	room := limit - shown*(listMargin+m.cost(out.Note)+m.cost(h.String()))
	for i := min(h.from, len(all)); i < len(all); i++ {
		it := m.item(&all[i], space)
		data, err := json.Marshal(it)
		if err != nil {
			return out, core.Errorf(core.CodeInternal, "item: %w", err)
		}
		room -= shown * (m.cost(string(data)) + 1)
		if len(out.Items) == items || room < 0 && len(out.Items) > 0 {
			h.from = i
			out.More = h.String()
			break
		}
		out.Items = append(out.Items, it)
	}
	return out, nil
}

func (m meter) item(it *engine.Item, space string) item {
	out := item{Kind: it.Kind, ID: it.ID}
	out.Text, _ = m.clip(it.Text, m.short)
	if !it.At.IsZero() {
		out.At = it.At.Format(time.DateOnly)
	}
	h := handle{kind: kindFacts, space: space, id: it.ID}
	switch it.Kind {
	case engine.ItemPassage:
		who := it.Speaker
		if who == "" {
			who = string(it.Role)
		}
		out.Who, _ = m.clip(who, nameTokens)
		out.ID, h.kind, h.id = it.Episode, kindEpisodes, it.Episode
		if len(it.Outdated) > 0 {
			if out.Outdated, _ = m.clip(it.Outdated[0].Now, nameTokens); out.Outdated == "" {
				out.Outdated = "it does not hold any more"
			}
		}
	case engine.ItemEvent:
		h.kind, h.id = kindEpisodes, 0
		if len(it.Sources) > 0 {
			h.id = it.Sources[0].Episode
		}
		if it.Event != nil && it.Event.Start != "" {
			out.At = it.Event.Start
		}
	}
	out.Handle = h.String()
	return out
}
