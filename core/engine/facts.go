package engine

import (
	"context"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/sleep"
)

// Facts lists what holds, or with History everything that ever held, oldest first.
func (e *Engine) Facts(ctx context.Context, req FactsRequest) ([]Fact, error) {
	space, err := Space(req.Space)
	if err != nil {
		return nil, err
	}
	now := e.now(req.Now)
	states, err := e.o.Store.States(ctx, space, core.StateFilter{
		Subject: req.Subject, Open: !req.History && req.AsOf.IsZero(), AsOf: req.AsOf,
	})
	if err != nil {
		return nil, err
	}
	kept := states[:0]
	for _, st := range states {
		if req.History || !req.AsOf.IsZero() || st.Active(now) {
			kept = append(kept, st)
		}
	}
	var all []core.Source
	for _, st := range kept {
		all = append(all, st.Sources...)
	}
	cites, err := e.cites(ctx, space, all)
	if err != nil {
		return nil, err
	}
	out := make([]Fact, 0, len(kept))
	for i := range kept {
		n := len(kept[i].Sources)
		out = append(out, factOf(&kept[i], now, cites[:n:n]))
		cites = cites[n:]
	}
	return out, nil
}

// Forbid makes a rule that stands at once and heads every block.
func (e *Engine) Forbid(ctx context.Context, space, rule string, in Input) (Added, error) {
	in.Text, in.Kind = rule, core.KindAntiPattern
	added, err := e.Add(ctx, space, in)
	if err != nil {
		return Added{}, err
	}
	if a := added[0]; a.Error != "" {
		return a, core.Errorf(a.Code, "%s", a.Error)
	}
	return added[0], nil
}

// Forget ends a state or lifts a rule: it is not recalled any more, and its line is
// marked. Its history is kept. It does not come back at the next sleep.
func (e *Engine) Forget(ctx context.Context, space string, id core.ID, reason string, at time.Time) (Fact, error) {
	space, err := Space(space)
	if err != nil {
		return Fact{}, err
	}
	st, err := e.openState(ctx, space, id)
	if err != nil {
		return Fact{}, err
	}
	at = e.now(at)
	op := core.OpForget
	if st.Forbidden {
		op = core.OpLift
	}
	taken, err := sleep.TakenFrom(&st, reason)
	if err != nil {
		return Fact{}, err
	}
	plan := &core.Plan{
		Space: space, At: at,
		Close:   []core.Closing{{State: id, ValidTo: clock.Day(at, e.o.Zone), Retracted: true}},
		Entries: []core.Entry{{At: at, Op: op, Data: taken}},
	}
	if err := e.o.Store.Apply(ctx, plan); err != nil {
		return Fact{}, err
	}
	return e.fact(ctx, space, id, at)
}

// openState returns a state that holds, or says what else the id names.
func (e *Engine) openState(ctx context.Context, space string, id core.ID) (core.State, error) {
	states, err := e.o.Store.States(ctx, space, core.StateFilter{IDs: []core.ID{id}})
	if err != nil {
		return core.State{}, err
	}
	if len(states) == 0 {
		if _, err := e.o.Store.Episode(ctx, space, id); err == nil {
			return core.State{}, core.Errorf(core.CodeConflict, "%d is an episode, not a fact", id).Hinted("erase removes episodes; facts lists the ids of facts")
		}
		return core.State{}, core.Errorf(core.CodeNotFound, "there is no fact %d in space %q", id, space).Hinted("facts lists them with their ids")
	}
	if !states[0].Closed.IsZero() {
		return core.State{}, core.Errorf(core.CodeConflict, "fact %d has ended already", id)
	}
	return states[0], nil
}

func (e *Engine) fact(ctx context.Context, space string, id core.ID, now time.Time) (Fact, error) {
	states, err := e.o.Store.States(ctx, space, core.StateFilter{IDs: []core.ID{id}})
	if err != nil {
		return Fact{}, err
	}
	if len(states) == 0 {
		return Fact{}, core.Errorf(core.CodeNotFound, "there is no fact %d in space %q", id, space)
	}
	cites, err := e.cites(ctx, space, states[0].Sources)
	return factOf(&states[0], now, cites), err
}

// Correct replaces a state's value by what the user says it is. The old value stays in
// the history, superseded; the correction is an episode of its own and its source.
func (e *Engine) Correct(ctx context.Context, space string, id core.ID, text string, at time.Time) (Fact, error) {
	space, err := Space(space)
	if err != nil {
		return Fact{}, err
	}
	st, err := e.openState(ctx, space, id)
	if err != nil {
		return Fact{}, err
	}
	at = e.now(at)
	value := strings.TrimSpace(text)
	added, err := e.Add(ctx, space, Input{Text: text, Kind: core.KindNote, At: at, Source: "correct"})
	if err != nil {
		return Fact{}, err
	}
	if added[0].Error != "" {
		return Fact{}, core.Errorf(added[0].Code, "%s", added[0].Error)
	}
	src, err := e.wholeSource(ctx, space, added[0])
	if err != nil {
		return Fact{}, err
	}
	src.At = at
	first, err := e.o.Store.ReserveIDs(ctx, 1)
	if err != nil {
		return Fact{}, err
	}
	day := clock.Day(at, e.o.Zone)
	next := st
	next.ID, next.Value, next.Sources = first, value, []core.Source{src}
	next.Said, next.Recorded, next.ValidFrom, next.Stated = at, at, day, false
	next.Trust, next.Backend, next.Expires = core.TrustUser, "command", time.Time{}
	taken, err := sleep.TakenFrom(&st, "corrected")
	if err != nil {
		return Fact{}, err
	}
	plan := &core.Plan{
		Space: space, At: at, States: []core.State{next},
		Close:   []core.Closing{{State: id, ValidTo: day, SupersededBy: first, Retracted: true}},
		Entries: []core.Entry{{At: at, Op: core.OpCorrect, Data: taken}},
		Done:    []core.ID{added[0].ID},
	}
	if err := e.o.Store.Apply(ctx, plan); err != nil {
		return Fact{}, err
	}
	return e.fact(ctx, space, first, at)
}
