package engine

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// episodes reads episodes into r.read, each once a run. What is gone stays nil there.
func (r *run) episodes(ctx context.Context, ids []core.ID) error {
	ids = slices.DeleteFunc(ids, func(id core.ID) bool {
		_, asked := r.read[id]
		return asked
	})
	if len(ids) == 0 {
		return nil
	}
	if r.read == nil {
		r.read = make(map[core.ID]*core.Episode, len(ids))
	}
	for _, id := range ids {
		r.read[id] = nil
	}
	eps, err := r.e.o.Store.EpisodesByID(ctx, r.req.Space, ids)
	if err != nil {
		return err
	}
	for i := range eps {
		r.read[eps[i].ID] = &eps[i]
	}
	return nil
}

// texts writes what items say: passages as they stand in their episodes, states and
// events as they are listed.
func (r *run) texts(ctx context.Context, docs []uint32, dst []string) error {
	refs := make([]index.Ref, len(docs))
	ids := make([]core.ID, 0, len(docs))
	for i, doc := range docs {
		refs[i] = r.view.Ref(doc)
		if refs[i].Kind == frame.ItemPassage {
			ids = append(ids, refs[i].Episode)
		}
	}
	slices.Sort(ids)
	if err := r.episodes(ctx, slices.Compact(ids)); err != nil {
		return err
	}
	for i, ref := range refs {
		dst[i] = ""
		switch ref.Kind {
		case frame.ItemPassage:
			if ep := r.read[ref.Episode]; ep != nil {
				dst[i], _ = span(ep.Text, ref.Start, ref.End)
			}
		case frame.ItemState:
			if st, ok := r.view.State(ref.ID); ok {
				dst[i] = index.StateText(st)
			}
		case frame.ItemEvent:
			if ev, ok := r.view.Event(ref.ID); ok {
				dst[i] = ev.Text
			}
		}
	}
	return nil
}
