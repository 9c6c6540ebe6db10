package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Erase removes an episode and all that was made of it; nothing of its text stays in
// the file. It cannot be undone.
func (e *Engine) Erase(ctx context.Context, space string, id core.ID) (core.Receipt, error) {
	space, err := Space(space)
	if err != nil {
		return core.Receipt{}, err
	}
	defer e.cache.Drop(space)
	rc, err := e.o.Store.Erase(ctx, space, id, e.o.Now())
	if errors.Is(err, core.ErrNotFound) {
		if other := e.notEpisode(ctx, space, id); other != nil {
			err = other
		}
	}
	return rc, err
}

// notEpisode says what an id names that is no episode's, or nil.
func (e *Engine) notEpisode(ctx context.Context, space string, id core.ID) error {
	ps, err := e.o.Store.Passages(ctx, space, []core.ID{id})
	if err == nil && len(ps) == 1 {
		return core.Errorf(core.CodeConflict, "%d is a line of episode %d", id, ps[0].Episode).Hinted("erase %d removes the episode whole", ps[0].Episode)
	}
	states, err := e.o.Store.States(ctx, space, core.StateFilter{IDs: []core.ID{id}})
	if err != nil || len(states) == 0 {
		return nil
	}
	var from []string
	for _, s := range states[0].Sources {
		from = append(from, fmt.Sprint(s.Episode))
	}
	return core.Errorf(core.CodeConflict, "%d is a fact, not an episode", id).
		Hinted("forget ends a fact; to remove what it was taken from, erase %s", strings.Join(from, ", "))
}

// EraseSource removes likewise what came from a source and no other one said, such as an
// import that was a mistake. A source that ends with * is all whose names begin so. With
// dry nothing is removed, and the receipt says what would be.
func (e *Engine) EraseSource(ctx context.Context, space, source string, dry bool) (core.Receipt, error) {
	space, err := Space(space)
	if err != nil {
		return core.Receipt{}, err
	}
	if strings.Trim(source, "*") == "" {
		return core.Receipt{}, core.Errorf(core.CodeInvalid, "a source has a name").Hinted("to remove everything, erase the space")
	}
	if !dry {
		defer e.cache.Drop(space)
	}
	return e.o.Store.EraseSource(ctx, space, source, e.o.Now(), dry)
}

// EraseSpace removes a space likewise.
func (e *Engine) EraseSpace(ctx context.Context, space string) (core.Receipt, error) {
	space, err := Space(space)
	if err != nil {
		return core.Receipt{}, err
	}
	defer e.cache.Drop(space)
	return e.o.Store.EraseSpace(ctx, space, e.o.Now())
}

// Stats counts the spaces, or one of them.
func (e *Engine) Stats(ctx context.Context) (Stats, error) {
	spaces, err := e.o.Store.Spaces(ctx)
	if err != nil {
		return Stats{}, err
	}
	info, err := e.o.Store.Info(ctx)
	if err != nil {
		return Stats{}, err
	}
	vectors, err := e.o.Store.Embedders(ctx)
	if err != nil {
		return Stats{}, err
	}
	s := Stats{Store: info, Spaces: spaces, Vectors: vectors}
	s.IndexSpaces, s.IndexBytes = e.cache.Loaded()
	if e.o.Embedder != nil {
		s.Embedder = EmbedderKey(e.o.Embedder)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last != nil {
		s.EmbedderError = e.last.Error()
	}
	return s, nil
}

// Stats describe a store.
type Stats struct {
	Store         core.StoreInfo    `json:"store"`
	Spaces        []core.SpaceStats `json:"spaces"`
	Embedder      string            `json:"embedder,omitempty"`
	Vectors       map[string]int    `json:"vectors"` // by embedder
	EmbedderError string            `json:"embedder_error,omitempty"`
	IndexSpaces   int               `json:"index_spaces"`
	IndexBytes    int64             `json:"index_bytes"`
}

// wholeSource cites the first passage of an episode that was just added.
func (e *Engine) wholeSource(ctx context.Context, space string, a Added) (core.Source, error) {
	id := a.ID
	if a.RepeatOf != 0 {
		id = a.RepeatOf
	}
	ps, err := e.o.Store.PassagesOf(ctx, space, []core.ID{id})
	if err != nil {
		return core.Source{}, err
	}
	if len(ps) == 0 {
		return core.Source{}, core.Errorf(core.CodeInvalid, "the text has nothing that can be cited")
	}
	return core.Source{Episode: id, Passage: ps[0].ID, Start: ps[0].Start, End: ps[0].End, At: e.o.Now()}, nil
}
