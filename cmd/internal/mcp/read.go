package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// page is what reading a handle gives: a text, or the part of it that fits.
type page struct {
	text  string
	mime  string
	from  int    // where in the whole text it begins; lists have no such place
	total int    // bytes of the whole text
	more  string // handle of what comes next
}

const (
	mimeText = "text/plain"
	mimeJSON = "application/json"
)

// readOn reads a handle for a tool: its text is shown twice, plain and structured.
func (s *server) readOn(ctx context.Context, uri, space string, limit int) (recallOut, error) {
	h, err := parseHandle(uri)
	if err != nil {
		return recallOut{}, err
	}
	if err := agree(h, space); err != nil {
		return recallOut{}, err
	}
	return shrink(limit, (limit-recallMargin)/2, func(tokens int) (recallOut, int, error) {
		p, e, err := s.read(ctx, h, tokens)
		if err != nil {
			return recallOut{}, 0, err
		}
		m := newMeter(e)
		out := recallOut{Block: p.text, Tokens: m.cost(p.text), More: p.more, From: p.from, Total: p.total}
		total, err := out.cost(m)
		return out, total, err
	})
}

// read reads a handle: at most so many tokens of it.
func (s *server) read(ctx context.Context, h handle, tokens int) (page, *engine.Engine, error) {
	if h.kind == kindSpaces {
		out, err := s.statsPage(ctx, h, "", tokens, 1)
		return s.list(ctx, out, out.More, err)
	}
	e, space, err := s.open(ctx, h.space, core.RightRead)
	if err != nil {
		return page{}, nil, err
	}
	h.space = space
	switch {
	case h.kind == kindSearch:
		out, err := s.searchPage(ctx, h, maxFound, tokens, 1)
		return s.list(ctx, out, out.More, err)
	case h.kind == kindEpisodes && h.id == 0:
		out, err := s.recent(ctx, e, h, tokens)
		return s.list(ctx, out, out.More, err)
	case (h.kind == kindFacts || h.kind == kindRules) && h.id == 0:
		out, err := s.factsPage(ctx, h, tokens, 1)
		return s.list(ctx, out, out.More, err)
	}
	text, err := s.whole(ctx, e, h)
	if err != nil {
		return page{}, nil, err
	}
	p, err := newMeter(e).part(text, h, tokens)
	return p, e, err
}

// list makes a page of a list.
func (s *server) list(ctx context.Context, v any, more string, err error) (page, *engine.Engine, error) {
	if err != nil {
		return page{}, nil, err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return page{}, nil, core.Errorf(core.CodeInternal, "list: %w", err)
	}
	e, err := s.o.Open(ctx)
	return page{text: string(data), mime: mimeJSON, more: more}, e, err
}

// part makes a page of a text from h.from on. Pages put together are the text.
func (m meter) part(text string, h handle, tokens int) (page, error) {
	if h.from > len(text) {
		return page{}, core.Errorf(core.CodeInvalid, "the text ends at byte %d, before %d", len(text), h.from)
	}
	rest := text[h.from:]
	p := page{text: rest, mime: mimeText, from: h.from, total: len(text)}
	if n := m.cut(rest, tokens); n < len(rest) {
		p.text = rest[:n]
		h.from += n
		p.more = h.String()
	}
	return p, nil
}

// whole returns the full text of a record, a fact, or the identity notes.
func (s *server) whole(ctx context.Context, e *engine.Engine, h handle) (string, error) {
	switch h.kind {
	case kindEpisodes:
		ep, err := e.Episode(ctx, h.space, h.id)
		if err == nil && ep.Quarantined {
			err = core.Errorf(core.CodeDenied, "record %d is in quarantine", h.id)
		}
		return ep.Text, err
	case kindIdentity:
		notes, err := s.ids.notes(ctx, e, h.space, s.o.Now())
		var b strings.Builder
		for _, ep := range notes {
			b.WriteString("- " + strings.TrimSpace(ep.Text) + "\n")
		}
		return b.String(), err
	}
	all, err := e.Facts(ctx, engine.FactsRequest{Space: h.space, History: true, Now: s.o.Now()})
	if err != nil {
		return "", err
	}
	for i := range all {
		if all[i].ID == h.id {
			return factText(&all[i], h.space), nil
		}
	}
	return "", core.Errorf(core.CodeNotFound, "there is no fact %d in space %q", h.id, h.space).Hinted("orma_facts lists them with their ids")
}

// factText writes a fact in full, with the lines it rests on.
func factText(f *engine.Fact, space string) string {
	var b strings.Builder
	what := "fact"
	if f.Forbidden {
		what = "rule"
	}
	fmt.Fprintf(&b, "%s %d: %s · %s: %s\n", what, f.ID, f.Subject, f.Attribute, f.Value)
	line := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	line("condition", f.Condition)
	line("true from", f.ValidFrom)
	line("true until", f.ValidTo)
	if !f.Active {
		b.WriteString("it does not hold any more\n")
	}
	for _, c := range f.Sources {
		h := handle{kind: kindEpisodes, space: space, id: c.Episode}
		fmt.Fprintf(&b, "said on %s (%s): %s\n", c.At.Format(time.DateOnly), h, c.Text)
	}
	return b.String()
}

// recentOut lists the latest records.
type recentOut struct {
	Records []record `json:"records"`
	More    string   `json:"more,omitempty"`
}

type record struct {
	ID      core.ID `json:"id"`
	At      string  `json:"at"`
	Who     string  `json:"who"`
	Kind    string  `json:"kind"`
	Session string  `json:"session,omitempty"`
	Text    string  `json:"text"`
	Handle  string  `json:"handle"`
}

// recentAtOnce is how many records are read for a page.
const recentAtOnce = 100

// recent lists the latest records, newest first; h.from is the id they are older than.
func (s *server) recent(ctx context.Context, e *engine.Engine, h handle, limit int) (recentOut, error) {
	eps, err := e.Store().Recent(ctx, h.space, core.ID(h.from), recentAtOnce)
	if err != nil && core.CodeOf(err) != core.CodeNotFound {
		return recentOut{}, err
	}
	m, now := listMeter(e, limit, 1), s.o.Now()
	out := recentOut{Records: []record{}}
	room := limit - listMargin
	for i, ep := range eps {
		if ep.Quarantined || !ep.Expires.IsZero() && !now.Before(ep.Expires) {
			continue
		}
		r := m.record(&ep, h.space)
		data, err := json.Marshal(r)
		if err != nil {
			return out, core.Errorf(core.CodeInternal, "record: %w", err)
		}
		if room -= m.cost(string(data)) + 1; room < 0 && len(out.Records) > 0 {
			h.from = int(eps[i-1].ID)
			out.More = h.String()
			return out, nil
		}
		out.Records = append(out.Records, r)
	}
	if len(eps) == recentAtOnce {
		h.from = int(eps[len(eps)-1].ID)
		out.More = h.String()
	}
	return out, nil
}

func (m meter) record(ep *core.Episode, space string) record {
	r := record{ID: ep.ID, At: ep.At.Format(time.RFC3339), Kind: string(ep.Kind), Handle: handle{kind: kindEpisodes, space: space, id: ep.ID}.String()}
	who := ep.Speaker
	if who == "" {
		who = string(ep.Role)
	}
	r.Who, _ = m.clip(who, nameTokens)
	r.Session, _ = m.clip(ep.Session, nameTokens)
	r.Text, _ = m.clip(ep.Text, m.short)
	return r
}
