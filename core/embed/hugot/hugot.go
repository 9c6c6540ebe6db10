package hugot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/pipelines"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/internal/fingerprint"
)

// SlowNote is what a front end tells a user who chose this embedder.
const SlowNote = "hugot runs the model in plain Go, about 0.3 s of CPU for a question with a model of MiniLM's size; minilm and bert are faster where they can run it"

// ErrClosed says that the model was closed.
var ErrClosed = errors.New("model is closed")

// Model is an embedder. It is safe for concurrent use; calls take turns, since each uses all cores.
type Model struct {
	cfg   Config
	model model
	info  embed.Info
	turn  chan *runner // holds the one runner, which is nil before the first call
}

var _ embed.Embedder = (*Model)(nil)

// runner is a loaded model.
type runner struct {
	session  *hugot.Session
	pipeline *pipelines.FeatureExtractionPipeline
	err      error // why it could not be loaded; ErrClosed after Close
}

// Open checks the model's folder. The weights, which may take seconds, are loaded by the first Embed.
// A folder without a model gives [ErrNoModel], one that wants another pooling [ErrPooling].
func Open(c Config) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	m, err := inspect(c)
	if err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	id := c.ID
	if id == "" {
		id = filepath.Base(c.Path)
	}
	revision, err := revise(m, c)
	if err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	e := &Model{cfg: c, model: m, turn: make(chan *runner, 1)}
	e.info = embed.Info{ID: id, Revision: revision, Dim: m.dim, MaxTokens: m.maxTokens}
	e.turn <- nil
	return e, nil
}

// revise names what decides a text's vector.
func revise(m model, c Config) (string, error) {
	f, err := os.Open(m.onnx)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return fingerprint.Of(f, info.Size(), c.Output, m.maxTokens, c.QueryPrefix, c.PassagePrefix)
}

// Info describes the model.
func (m *Model) Info() embed.Info { return m.info }

// Close releases the model after a running call. It may be called twice.
func (m *Model) Close() error {
	r := <-m.turn
	defer func() { m.turn <- &runner{err: ErrClosed} }()
	if r == nil || r.session == nil {
		return nil
	}
	return r.session.Destroy()
}

// Buckets bound how many shapes the library compiles and keeps: texts are padded to the next length
// and number.
var (
	batchBuckets  = []int{1, 4}
	lengthBuckets = []int{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, maxTokens}
)

// load opens the model with the library.
func (m *Model) load() (r *runner) {
	r = &runner{}
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("load %s: %v", m.model.onnx, p)
		}
	}()
	if r.session, r.err = hugot.NewGoSession(options.WithGoMLXBatchBuckets(batchBuckets), options.WithGoMLXSequenceBuckets(lengthBuckets)); r.err != nil {
		return r
	}
	c := hugot.FeatureExtractionConfig{ModelPath: m.cfg.Path, Name: "embed", OnnxFilename: filepath.Base(m.model.onnx)}
	if m.cfg.Output != "" {
		c.Options = append(c.Options, pipelines.WithOutputName(m.cfg.Output))
	}
	if r.pipeline, r.err = hugot.NewPipeline(r.session, c); r.err != nil {
		r.err = fmt.Errorf("load %s: %w", m.model.onnx, r.err)
		return r
	}
	if m.cfg.Output != "" && len(r.pipeline.Output.Dimensions) != 2 {
		r.err = fmt.Errorf("%w: output %s of %s is not pooled", ErrPooling, m.cfg.Output, m.model.onnx)
		return r
	}
	r.pipeline.Model.Tokenizer.MaxAllowedTokens = m.model.maxTokens
	return r
}

// Embed implements [embed.Embedder]. A text of white space alone gets a zero vector. It looks at ctx
// while it waits for its turn and after each few texts, but cannot stop the library in between.
func (m *Model) Embed(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	dim := m.info.Dim
	if len(dst) != len(texts)*dim {
		return fmt.Errorf("room of %d for %d texts of %d: %w", len(dst), len(texts), dim, embed.ErrBadCount)
	}
	var r *runner
	select {
	case <-ctx.Done():
		return ctx.Err()
	case r = <-m.turn:
	}
	defer func() { m.turn <- r }()
	if r == nil {
		r = m.load()
	}
	if r.err != nil {
		return r.err
	}
	clear(dst)
	prefix := m.cfg.PassagePrefix
	if kind == embed.Query {
		prefix = m.cfg.QueryPrefix
	}
	most := batchBuckets[len(batchBuckets)-1]
	batch, rows := make([]string, 0, most), make([]int, 0, most)
	for i, text := range texts {
		if text = m.clean(text); text != "" {
			batch, rows = append(batch, prefix+text), append(rows, i)
		}
		if len(batch) == 0 || len(batch) < most && i < len(texts)-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.run(dst, dim, batch, rows); err != nil {
			return fmt.Errorf("%s: %w", m.info.ID, err)
		}
		batch, rows = batch[:0], rows[:0]
	}
	return nil
}

// clean returns text in a form that the library's tokenizer, which ends the program on an error, has no
// trouble with: valid, without control characters, and not much longer than the model reads.
func (m *Model) clean(text string) string {
	const most = 24 // bytes of a token, at most
	if len(text) > m.model.maxTokens*most {
		text = text[:m.model.maxTokens*most]
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.TrimSpace(text)
}

// run embeds one batch into the given rows of dst.
func (r *runner) run(dst []float32, dim int, batch []string, rows []int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("library panic: %v", p)
		}
	}()
	out, err := r.pipeline.RunPipeline(batch)
	if err != nil {
		return err
	}
	if len(out.Embeddings) < len(batch) {
		return fmt.Errorf("%d vectors for %d texts: %w", len(out.Embeddings), len(batch), embed.ErrBadCount)
	}
	for i, row := range rows {
		v := out.Embeddings[i]
		if len(v) != dim {
			return fmt.Errorf("vector of %d values, expected %d; set dim: %w", len(v), dim, embed.ErrBadDim)
		}
		copy(dst[row*dim:][:dim], v)
		embed.Normalize(dst[row*dim:][:dim])
	}
	return nil
}
