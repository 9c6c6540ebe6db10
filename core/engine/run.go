package engine

import (
	"context"
	"errors"
	"log/slog"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/text/sentence"
)

// run is one question on its way through the pipeline.
type run struct {
	e       *Engine
	req     Request
	pipe    *pipeline.Pipeline
	packer  pack.Packer
	query   frame.Query
	view    *index.View
	frame   *frame.Frame
	trace   *pipeline.Trace
	notes   []Note
	read    map[core.ID]*core.Episode // what was read of the store; nil: it is gone
	nothing bool                      // the query has nothing to search for
}

// begin checks a request, brings the space's index up to date and pins it. The caller
// must call end.
func (e *Engine) begin(ctx context.Context, req Request) (*run, error) {
	space, err := Space(req.Space)
	if err != nil {
		return nil, err
	}
	req.Space = space
	r := &run{e: e, req: req, pipe: e.o.Recall, packer: e.o.Packer}
	if len(req.Off) > 0 || len(req.Set) > 0 {
		if e.o.Variant == nil {
			return nil, core.Errorf(core.CodeDenied, "stages cannot be changed a request here")
		}
		if r.pipe, r.packer, err = e.o.Variant(req.Off, req.Set); err != nil {
			return nil, err
		}
	}
	body := sentence.Truncate(valid(req.Query), e.o.Limits.QueryBytes)
	r.query = frame.Query{Space: space, Text: body, Now: e.now(req.Now), Zone: e.o.Zone, Session: req.Session}
	r.embed(ctx)
	ix, err := e.cache.Space(ctx, space)
	if err != nil {
		return nil, err
	}
	r.view = ix.Begin(&r.query)
	return r, nil
}

// end gives back what begin took.
func (r *run) end() {
	if r.frame != nil {
		r.pipe.Done(r.frame)
		r.frame = nil
	}
	r.view.End()
}

// embed makes the query's vector, if a stage asks for it. A failure leaves recall to
// the words, with a note.
func (r *run) embed(ctx context.Context) {
	e := r.e
	if e.o.Embedder == nil || r.query.Text == "" || !usesVectors(r.pipe) {
		return
	}
	v := make([]float32, e.o.Embedder.Info().Dim)
	err := e.o.Embedder.Embed(ctx, v, []string{r.query.Text}, embed.Query)
	if errors.Is(err, embed.ErrZero) {
		return // the embedder knows none of its words: the words themselves are what there is
	}
	if err != nil {
		r.note("vector", "no vectors, so recall went by text alone: "+err.Error())
		e.o.Log.Debug("query not embedded", slog.Any("error", err))
		return
	}
	if embed.Usable(v) == nil {
		r.query.Vectors = map[string][]float32{e.o.EmbedderName: v, "": v}
	}
}

func usesVectors(p *pipeline.Pipeline) bool {
	for _, s := range p.Steps() {
		if _, ok := s.Stage.(pipeline.VectorUser); ok {
			return true
		}
	}
	return false
}

func (r *run) note(stage, text string) { r.notes = append(r.notes, Note{Stage: stage, Text: text}) }

// rank runs the pipeline. Afterwards the frame's order is the answer.
func (r *run) rank(ctx context.Context) error {
	r.frame = r.pipe.Frame()
	r.frame.Query, r.frame.Source = &r.query, r.view
	if r.view.Empty() {
		r.nothing = true
		return nil
	}
	if r.req.Explain {
		r.trace = &pipeline.Trace{}
	}
	r.view.ReadBy(func(docs []uint32, dst []string) error { return r.texts(ctx, docs, dst) })
	notes, err := r.pipe.Run(ctx, r.frame, r.trace)
	for _, n := range notes {
		r.note(n.Step, n.Err.Error())
		r.e.o.Log.Warn("stage left out", slog.String("stage", n.Step), slog.Any("error", n.Err))
	}
	if err != nil {
		return err
	}
	expired := r.frame.F32(frame.Expired)
	r.frame.Keep(func(row int32) bool { return expired[row] == 0 })
	r.frame.Rank(frame.Score)
	return nil
}
