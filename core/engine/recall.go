package engine

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/pack"
)

// unsearched is the score of current facts that the query did not find: below all that
// it did.
const unsearched = 1e-6

// spare is how many passages more than a block takes are read, for those of which
// nothing can be shown.
const spare = 4

// Recall returns the block for a query: rules, current facts, and what was said and
// what happened that bears on it, within the budget. It calls no model but the
// embedder, and changes nothing: see [Engine.Delivered].
func (e *Engine) Recall(ctx context.Context, req Request) (*Recalled, error) {
	if err := checkRequest(&req); err != nil {
		return nil, err
	}
	r, err := e.begin(ctx, req)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.rank(ctx); err != nil {
		return nil, err
	}
	params := r.packer.Params()
	want := params.MaxPassages + spare
	if len(req.Said) > 0 {
		want = 2*params.MaxPassages + len(req.Said)
	}
	f, err := r.gather(ctx, want)
	if err != nil {
		return nil, err
	}
	in := r.input(f)
	packed := r.packer.Pack(in, e.o.Counter)
	out := &Recalled{
		Block: packed.Block, Rules: packed.Rules, Stable: packed.Stable, Turn: packed.Turn, Tokens: packed.Tokens, OverBudget: packed.OverBudget,
		LeftOut: len(packed.LeftOut), Notes: r.notes, Trace: r.explain(),
	}
	out.Items, err = r.items(ctx, &packed, f)
	return out, err
}

func checkRequest(req *Request) error {
	if req.Budget < 0 || req.Budget > 1_000_000 {
		return core.Errorf(core.CodeInvalid, "budget %d is not between 0 and 1000000", req.Budget)
	}
	if req.Limit < 0 || req.Limit > 1000 {
		return core.Errorf(core.CodeInvalid, "limit %d is not between 0 and 1000", req.Limit)
	}
	if req.Format != "" && !slices.Contains(pack.Formats(), pack.Format(req.Format)) {
		return core.Errorf(core.CodeInvalid, "format %q is not known", req.Format).Hinted("use classic, sutra, grouped or json")
	}
	return nil
}

// input is what the packer chooses from. All current facts about the user are in it:
// those that the query found first, then the ones said last.
func (r *run) input(f *found) *pack.Input {
	in := &pack.Input{
		Rules: f.rules, Today: r.query.Now, Zone: r.e.o.Zone, Budget: r.req.Budget, Format: pack.Format(r.req.Format),
		Steady: r.req.Steady,
	}
	var rest []*core.State
	if !r.e.o.PassagesOnly {
		rest = r.view.Current()
	}
	have := make(map[core.ID]bool, len(f.states))
	in.States = make([]pack.State, 0, len(f.states)+len(rest))
	for _, s := range f.states {
		have[s.ID] = true
		in.States = append(in.States, pack.State{State: s.State, Score: s.score})
	}
	for i, st := range rest {
		if !have[st.ID] && (st.Subject == core.SubjectUser || r.nothing) {
			in.States = append(in.States, pack.State{State: st, Score: unsearched * float32(len(rest)-i) / float32(len(rest))})
		}
	}
	in.Passages = make([]pack.Passage, 0, len(f.passages))
	for _, ev := range f.events {
		in.Events = append(in.Events, pack.Event{Event: ev.Event, Score: ev.score})
	}
	for i := range f.passages {
		// A rule that stands heads the block; one that was lifted is over.
		if f.passages[i].episode.Kind != core.KindAntiPattern {
			in.Passages = append(in.Passages, r.packable(&f.passages[i]))
		}
	}
	return in
}

// packable is a passage as the packer takes it.
func (r *run) packable(p *passage) pack.Passage {
	ep := &p.episode
	out := pack.Passage{
		Source: core.Source{Episode: ep.ID, Passage: p.ID, Start: p.Start, End: p.End, At: ep.At},
		Score:  p.score, At: ep.At, Zone: r.e.zone(ep.Zone), Role: ep.Role, Kind: ep.Kind, Speaker: ep.Speaker,
		Text: p.text(), Quoted: ep.Marks&core.MarkInstruction != 0,
	}
	for _, x := range p.ended {
		start, end := max(x.Start, p.Start)-p.Start, min(x.End, p.End)-p.Start
		if start < end {
			out.Outdated = append(out.Outdated, pack.Span{Start: start, End: end, Now: x.Now})
		}
	}
	return out
}

// items lists what is in a block, in its order.
func (r *run) items(ctx context.Context, packed *pack.Packed, f *found) ([]Item, error) {
	passages := map[core.ID]*passage{}
	for i := range f.passages {
		passages[f.passages[i].ID] = &f.passages[i]
	}
	out := make([]Item, 0, len(packed.Items))
	for _, it := range packed.Items {
		var item Item
		switch it.Kind {
		case pack.KindPassage:
			item = passageItem(passages[it.ID])
		case pack.KindEvent:
			ev, _ := r.view.Event(it.ID)
			item = eventItem(&ev)
		default:
			st, _ := r.view.State(it.ID)
			item = stateItem(st, r.query.Now)
		}
		item.Score = it.Score
		out = append(out, item)
	}
	return out, r.cite(ctx, out)
}

// Delivered records that an answer reached a reader: each of its items was used. Only
// front ends that deliver call it, after the answer.
func (e *Engine) Delivered(ctx context.Context, space string, req Request, items []Item) error {
	space, err := Space(space)
	if err != nil || len(items) == 0 {
		return err
	}
	uses := make([]core.Use, 0, len(items))
	for _, it := range items {
		uses = append(uses, core.Use{Item: it.ID, Kind: core.UseRecalled, At: e.now(req.Now)})
	}
	return e.o.Store.AddUses(ctx, space, uses)
}
