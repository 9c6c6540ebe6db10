package engine

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// defaultLimit is how many passages a search lists.
const defaultLimit = 10

// Search lists what a query finds, best first: passages up to the limit, and the
// states and events among what was found.
func (e *Engine) Search(ctx context.Context, req Request) (*Found, error) {
	if err := checkRequest(&req); err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = defaultLimit
	}
	r, err := e.begin(ctx, req)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.rank(ctx); err != nil {
		return nil, err
	}
	f, err := r.gather(ctx, req.Limit)
	if err != nil {
		return nil, err
	}
	out := &Found{States: []Item{}, Passages: []Item{}, Events: []Item{}, Notes: r.notes, Trace: r.explain(), Approximate: r.view.Approximate()}
	if r.nothing && !e.o.PassagesOnly {
		for _, st := range r.view.Current() {
			f.states = append(f.states, scoredState{st, 0})
		}
	}
	for i := range f.states {
		it := stateItem(f.states[i].State, r.query.Now)
		it.Score = f.states[i].score
		out.States = append(out.States, it)
	}
	for i := range f.events {
		it := eventItem(&f.events[i].Event)
		it.Score = f.events[i].score
		out.Events = append(out.Events, it)
	}
	for i := range f.passages {
		out.Passages = append(out.Passages, passageItem(&f.passages[i]))
	}
	if err := r.cite(ctx, out.States); err != nil {
		return nil, err
	}
	return out, r.cite(ctx, out.Events)
}

// Episode returns one episode.
func (e *Engine) Episode(ctx context.Context, space string, id core.ID) (core.Episode, error) {
	space, err := Space(space)
	if err != nil {
		return core.Episode{}, err
	}
	return e.o.Store.Episode(ctx, space, id)
}
