package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/vector"
)

// embedBatch is how many passages are embedded at a time: a slow model answers
// within seconds, and a stop is not waited for longer.
const embedBatch = 32

// nudge wakes the goroutine that makes vectors.
func (e *Engine) nudge() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// degraded remembers why there are no vectors, and logs it once.
func (e *Engine) degraded(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		e.o.Log.Warn("no vectors: recall goes on by text alone", slog.Any("error", err))
	}
	e.last = err
}

// mended forgets why there were no vectors: the embedder answers again.
func (e *Engine) mended() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = nil
}

// embedLoop makes vectors for passages that have none, until ctx ends.
func (e *Engine) embedLoop(ctx context.Context) {
	for {
		if _, err := e.Reindex(ctx, nil); err != nil && ctx.Err() == nil {
			e.degraded(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
		}
	}
}

// Reindex makes the vectors that are missing, of every space, and returns how many it
// made. It can be stopped and goes on where it was. Vectors that cannot be used are
// left out, and their error is returned at the end. progress may be nil.
func (e *Engine) Reindex(ctx context.Context, progress func(made int)) (int, error) {
	if e.o.Embedder == nil {
		return 0, core.Errorf(core.CodeConfig, "no embedder is configured").Hinted("add an [embedder.NAME] table, or use the default profile")
	}
	dim, key := e.o.Embedder.Info().Dim, EmbedderKey(e.o.Embedder)
	made := 0
	var after core.ID
	var bad error
	for {
		batch, err := e.o.Store.MissingVectors(ctx, "", key, after, embedBatch)
		if err != nil || len(batch) == 0 {
			return made, cmp.Or(err, bad)
		}
		after = batch[len(batch)-1].ID
		texts := make([]string, len(batch))
		for i, p := range batch {
			texts[i] = Body(p.Speaker, p.Text)
		}
		vecs, err := e.vectorsOf(ctx, texts)
		if errors.As(err, new(*embed.BadError)) { // the others are good
			bad = cmp.Or(bad, err)
		} else if err != nil {
			return made, err
		} else {
			e.mended()
		}
		if err := e.putVectors(ctx, key, batch, vecs, dim, &made); err != nil {
			return made, err
		}
		if progress != nil {
			progress(made)
		}
	}
}

// vectorsOf embeds passages. A text without a direction, such as an emoji that the model
// does not know, is no failure: its vector is zero, and it is found by its words. With a
// [*embed.BadError] the vectors that it does not name are good.
func (e *Engine) vectorsOf(ctx context.Context, texts []string) ([]float32, error) {
	vecs := make([]float32, len(texts)*e.o.Embedder.Info().Dim)
	err := e.o.Embedder.Embed(ctx, vecs, texts, embed.Passage)
	var bad *embed.BadError
	if errors.As(err, &bad) && !slices.ContainsFunc(bad.Bad, func(b embed.BadVector) bool { return !errors.Is(b.Err, embed.ErrZero) }) {
		err = nil
	}
	return vecs, err
}

// putVectors stores a batch, a transaction a space.
func (e *Engine) putVectors(ctx context.Context, key string, batch []core.PassageText, vecs []float32, dim int, made *int) error {
	ids, blobs := map[string][]core.ID{}, map[string][][]byte{}
	var spaces []string
	for i, p := range batch {
		v := vecs[i*dim : (i+1)*dim]
		if embed.Usable(v) != nil {
			continue
		}
		blob, err := vector.AppendBlob(nil, v)
		if err != nil {
			continue
		}
		if ids[p.Space] == nil {
			spaces = append(spaces, p.Space)
		}
		ids[p.Space], blobs[p.Space] = append(ids[p.Space], p.ID), append(blobs[p.Space], blob)
	}
	for _, s := range spaces {
		if err := e.o.Store.PutVectors(ctx, s, key, ids[s], blobs[s]); err != nil {
			return err
		}
		*made += len(ids[s])
	}
	return nil
}
