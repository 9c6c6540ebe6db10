package engine

import (
	"context"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

func passageItem(p *passage) Item {
	ep := &p.episode
	it := Item{
		ID: p.ID, Kind: ItemPassage, Text: p.text(), Score: p.score, At: ep.At, Role: ep.Role, Speaker: ep.Speaker,
		Session: ep.Session, Episode: ep.ID, Key: ep.Key, Source: ep.Source,
		Sources: []Cite{{Passage: p.ID, Mark: mark(p.ID), Episode: ep.ID, At: ep.At, Text: p.text()}},
	}
	for _, x := range p.ended {
		if x.Start >= p.Start && x.End <= p.End {
			it.Outdated = append(it.Outdated, Outdated{Text: ep.Text[x.Start:x.End], Now: x.Now, By: x.By})
		}
	}
	return it
}

func stateItem(st *core.State, now time.Time) Item {
	f := factOf(st, now, nil)
	it := Item{ID: st.ID, Kind: ItemState, Text: f.Text, At: st.Said, State: &f}
	if st.Forbidden {
		it.Kind, it.Text = ItemRule, st.Value
	}
	return it
}

func eventItem(ev *core.Event) Item {
	e := Event{ID: ev.ID, Subject: ev.Subject, Event: ev.Text, Start: ev.Start, End: ev.End, Sources: []Cite{}}
	return Item{ID: ev.ID, Kind: ItemEvent, Text: ev.Text, At: ev.Said, Event: &e}
}

// cite fills in the sources of facts and events, with one read of the store for what
// neither the index nor this run has kept.
func (r *run) cite(ctx context.Context, items []Item) error {
	var all []core.Source
	of := make([][]core.Source, len(items))
	for i := range items {
		switch it := &items[i]; {
		case it.State != nil:
			st, _ := r.view.State(it.ID)
			of[i] = st.Sources
		case it.Event != nil:
			ev, _ := r.view.Event(it.ID)
			of[i] = ev.Sources
		}
		all = append(all, of[i]...)
	}
	if len(all) == 0 {
		return nil
	}
	ids := make([]core.ID, 0, len(all))
	for _, s := range all {
		if _, kept := r.view.Quote(s); !kept && !slices.Contains(ids, s.Episode) {
			ids = append(ids, s.Episode)
		}
	}
	if err := r.episodes(ctx, ids); err != nil {
		return err
	}
	words := func(s core.Source) string {
		if words, kept := r.view.Quote(s); kept {
			return words
		}
		ep := r.read[s.Episode]
		if ep == nil {
			return "" // it is gone
		}
		words := spanOf(ep.Text, s)
		r.view.KeepQuote(s, words)
		return words
	}
	for i := range items {
		it := &items[i]
		cites := citesFrom(of[i], words)
		switch {
		case it.State != nil:
			it.Sources, it.State.Sources = cites, cites
		case it.Event != nil:
			it.Sources, it.Event.Sources = cites, cites
		}
	}
	return nil
}
