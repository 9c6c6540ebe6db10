package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// found is what a run found, with texts: what recall packs and search lists.
type found struct {
	rules    []*core.State
	states   []scoredState
	events   []scoredEvent
	passages []passage
}

type scoredState struct {
	*core.State
	score float32
}

type scoredEvent struct {
	core.Event
	score float32
}

// passage is a passage with its episode.
type passage struct {
	core.Passage
	episode core.Episode
	score   float32
	ended   []index.Ended // bytes of the episode
}

func (p *passage) text() string { return p.episode.Text[p.Start:p.End] }

// gather turns the ranked frame into items: up to n passages, and as many of the
// states and events as were found.
func (r *run) gather(ctx context.Context, n int) (*found, error) {
	out := &found{rules: r.view.Rules()}
	if r.nothing {
		return out, nil
	}
	score := r.frame.F32(frame.Score)
	var hits []hit
	kept := map[core.ID]bool{} // states and events in out already
	for _, row := range r.frame.Order() {
		ref := r.view.Ref(r.frame.Docs()[row])
		if score[row] <= 0 {
			break // what no channel found is no answer
		}
		if r.e.o.PassagesOnly && ref.Kind != frame.ItemPassage {
			continue
		}
		switch ref.Kind {
		case frame.ItemPassage:
			if len(hits) < n {
				hits = append(hits, hit{core.Passage{ID: ref.ID, Episode: ref.Episode, Start: ref.Start, End: ref.End}, score[row]})
				r.restingOn(out, kept, ref.ID, score[row])
			}
		case frame.ItemState:
			if st, ok := r.view.State(ref.ID); ok && !kept[ref.ID] && st.Active(r.query.Now) {
				kept[ref.ID] = true
				out.states = append(out.states, scoredState{st, score[row]})
			}
		case frame.ItemEvent:
			if ev, ok := r.view.Event(ref.ID); ok && !kept[ref.ID] {
				kept[ref.ID] = true
				out.events = append(out.events, scoredEvent{ev, score[row]})
			}
		}
	}
	var err error
	out.passages, err = r.load(ctx, hits)
	return out, err
}

// restingOn adds the states and events that were taken from a passage that was found:
// who finds the line wants the fact, and the day that "yesterday" was.
func (r *run) restingOn(out *found, kept map[core.ID]bool, passage core.ID, score float32) {
	if r.e.o.PassagesOnly {
		return
	}
	for _, id := range r.view.RestingOn(passage) {
		st, ok := r.view.State(id)
		if ok && !kept[id] && st.Active(r.query.Now) && !st.Forbidden {
			kept[id] = true
			out.states = append(out.states, scoredState{st, score})
		}
	}
	for _, id := range r.view.HappenedIn(passage) {
		ev, ok := r.view.Event(id)
		if ok && !kept[id] && (ev.Expires.IsZero() || ev.Expires.After(r.query.Now)) {
			kept[id] = true
			out.events = append(out.events, scoredEvent{ev, score})
		}
	}
}

// hit is a passage that was found.
type hit struct {
	core.Passage
	score float32
}

// load reads the texts of passages, in the order of hits. What the reader sees anyway is
// left out, and so is what is gone since.
func (r *run) load(ctx context.Context, hits []hit) ([]passage, error) {
	episodes := make([]core.ID, 0, len(hits))
	for _, h := range hits {
		if !slices.Contains(episodes, h.Episode) {
			episodes = append(episodes, h.Episode)
		}
	}
	if err := r.episodes(ctx, episodes); err != nil {
		return nil, err
	}
	said := newSaid(r.req.Said)
	out := make([]passage, 0, len(hits))
	for _, h := range hits {
		ep := r.read[h.Episode]
		if ep == nil {
			continue
		}
		if _, ok := span(ep.Text, h.Start, h.End); !ok {
			continue
		}
		x := passage{Passage: h.Passage, episode: *ep, score: h.score, ended: r.view.Ended(h.ID)}
		if !said.has(x.text()) {
			out = append(out, x)
		}
	}
	return out, nil
}

// said knows the texts that a reader sees anyway.
type said struct{ all string }

func newSaid(texts []string) said {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(normalise(t))
		b.WriteByte('\n')
	}
	return said{b.String()}
}

func (s said) has(text string) bool { return s.all != "" && strings.Contains(s.all, normalise(text)) }

// cites shows sources with their text.
func (e *Engine) cites(ctx context.Context, space string, sources []core.Source) ([]Cite, error) {
	ids := make([]core.ID, 0, len(sources))
	for _, s := range sources {
		ids = append(ids, s.Episode)
	}
	eps, err := e.o.Store.EpisodesByID(ctx, space, ids)
	if err != nil {
		return nil, err
	}
	texts := make(map[core.ID]string, len(eps))
	for _, ep := range eps {
		texts[ep.ID] = ep.Text
	}
	return citesFrom(sources, func(s core.Source) string { return spanOf(texts[s.Episode], s) }), nil
}

func citesFrom(sources []core.Source, words func(core.Source) string) []Cite {
	out := make([]Cite, 0, len(sources))
	for _, s := range sources {
		out = append(out, Cite{Passage: s.Passage, Mark: mark(s.Passage), Episode: s.Episode, At: s.At, Text: words(s)})
	}
	return out
}

// spanOf is what a source says, of its episode's text; empty if that is gone.
func spanOf(text string, s core.Source) string {
	words, _ := span(text, s.Start, s.End)
	return words
}

// span returns bytes start to end of a text, and whether they are in it.
func span(text string, start, end int) (string, bool) {
	if start < 0 || start > end || end > len(text) {
		return "", false
	}
	return text[start:end], true
}

// factOf shows a state.
func factOf(st *core.State, now time.Time, cites []Cite) Fact {
	f := Fact{
		ID: st.ID, Subject: st.Subject, Attribute: st.Attribute, Value: st.Value, Condition: st.Condition,
		Forbidden: st.Forbidden, Active: st.Active(now), ValidFrom: st.ValidFrom, ValidTo: st.ValidTo,
		RecordedAt: st.Recorded, ClosedAt: st.Closed, SupersededBy: st.SupersededBy, Forgotten: st.Retracted,
		Backend: st.Backend, Text: index.StateText(st), Sources: cites, Trust: st.Trust.String(),
	}
	if cites == nil {
		f.Sources = []Cite{}
	}
	return f
}
