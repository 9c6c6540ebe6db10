package sleep

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"github.com/orma-memory/orma/core"
)

// worker carries out one sleep of one space.
type worker struct {
	s      *Sleeper
	store  Store
	run    Run
	report *Report
	book   *Book
	seen   map[core.ID]bool // episodes of the queue that this sleep has looked at
	dirty  bool             // the book has changes that were not written

	tokens   int              // of a batch; less than configured once the extractor was too slow
	answered bool             // the extractor answered in this sleep
	failing  map[core.ID]bool // episodes of which a part failed: they stay in the queue
}

func (w *worker) reload(ctx context.Context) error {
	k, err := OpenBook(ctx, w.store, w.run.Space, w.s.set)
	w.book, w.dirty = k, false
	return err
}

// part is a stretch of one record that fits into a batch.
type part struct {
	episode core.PendingEpisode
	before  []*Line // of the record, as far as they are context
	lines   []*Line
	last    bool // the record ends with it
}

// episodes reads records in order, batch by batch.
func (w *worker) episodes(ctx context.Context, eps []core.PendingEpisode) error {
	parts, err := w.parts(ctx, eps)
	if err != nil {
		return err
	}
	return w.inBatches(ctx, parts)
}

// inBatches cuts parts into batches of what is read at a time.
func (w *worker) inBatches(ctx context.Context, parts []part) error {
	for len(parts) > 0 {
		if limit := w.run.Batches; limit > 0 && w.report.Batches >= limit {
			w.report.More = true
			return nil
		}
		parts = cut(parts, w.tokens)
		n, tokens := 0, 0
		for n < len(parts) {
			t := partTokens(parts[n])
			if n > 0 && tokens+t > w.tokens {
				break
			}
			tokens += t
			n++
		}
		if err := w.batch(ctx, parts[:n]); err != nil {
			return err
		}
		parts = parts[n:]
	}
	return nil
}

// cut splits the first of parts at the last line that still fits, if it is too long.
func cut(parts []part, most int) []part {
	p := parts[0]
	n, tokens := 0, 0
	for n < len(p.lines) {
		tokens += lineTokens(p.lines[n])
		if n > 0 && tokens > most {
			break
		}
		n++
	}
	if n >= len(p.lines) {
		return parts
	}
	first := part{episode: p.episode, before: p.before, lines: p.lines[:n]}
	rest := part{episode: p.episode, before: p.behind(n), lines: p.lines[n:], last: p.last}
	return append([]part{first, rest}, parts[1:]...)
}

// tooSlow asks again about half as much at a time, for the rest of this sleep. One
// line alone that takes too long counts against its record if the extractor answered
// about others; if it never did, it is no better than one that is away.
func (w *worker) tooSlow(ctx context.Context, parts []part, err error) error {
	lines, tokens := 0, 0
	for _, p := range parts {
		lines += len(p.lines)
		tokens += partTokens(p)
	}
	if lines > 1 {
		w.tokens = max(1, min(w.tokens, tokens)/2)
		w.s.opt.Log.Warn("batch took too long and is split", slog.String("space", w.run.Space), slog.Int("tokens", w.tokens), slog.Any("error", err))
		return w.inBatches(ctx, parts)
	}
	if !w.answered {
		err = &core.Error{Code: core.CodeUnavailable, Text: "the model does not answer in time", Err: err}
		w.report.fail(parts, err, false)
		return err
	}
	return w.failed(ctx, parts[0], err)
}

// batch runs the stages over parts. A bad answer is asked again about each half,
// until the bad record stands alone.
func (w *worker) batch(ctx context.Context, parts []part) error {
	if err := w.renew(ctx); err != nil {
		return err
	}
	err := w.once(ctx, parts)
	var slow *SlowAnswer
	switch {
	case err == nil:
		return nil
	case errors.As(err, &slow) && ctx.Err() == nil:
		return w.tooSlow(ctx, parts, err)
	case unavailable(ctx, err):
		w.report.fail(parts, err, false)
		return err
	case len(parts) > 1:
		half := len(parts) / 2
		if err := w.batch(ctx, parts[:half]); err != nil {
			return err
		}
		return w.batch(ctx, parts[half:])
	}
	return w.failed(ctx, parts[0], err)
}

// failed counts an attempt against a record.
func (w *worker) failed(ctx context.Context, p part, err error) error {
	retire := p.episode.Attempts+1 >= w.s.opt.Tries
	if w.failing[p.episode.ID] {
		w.report.fail([]part{p}, err, false)
		return nil // one attempt a sleep, however many of its parts fail
	}
	w.failing[p.episode.ID] = true
	w.report.fail([]part{p}, err, retire)
	w.s.opt.Log.Warn("record was not understood", slog.Int64("episode", int64(p.episode.ID)), slog.Bool("retired", retire), slog.Any("error", err))
	return w.store.Apply(ctx, &core.Plan{
		Space: w.run.Space, At: w.run.Now,
		Failed: []core.FailedSleep{{Episode: p.episode.ID, Error: clip(err.Error(), 500), Retire: retire}},
	})
}

// once runs the stages over parts and carries out the plan.
func (w *worker) once(ctx context.Context, parts []part) error {
	if w.dirty {
		if err := w.reload(ctx); err != nil {
			return err
		}
	}
	b, err := w.makeBatch(ctx, parts)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(b.Lines, func(l *Line) bool { return l.Citable }) {
		w.report.skip(b)
		w.done(b.Plan)
		return w.store.Apply(ctx, b.Plan) // nothing that could make a fact
	}
	w.dirty = true
	w.reread(ctx, b)
	for _, st := range w.s.opt.Steps {
		if err := st.Stage.Run(ctx, b); err != nil {
			return err
		}
	}
	if err := w.store.Apply(ctx, b.Plan); err != nil {
		return err
	}
	w.answered = true
	b.Book.settle()
	w.dirty = false
	w.done(b.Plan)
	w.report.add(b)
	return nil
}

// done forgets episodes that have left the queue.
func (w *worker) done(p *core.Plan) {
	if w.run.DryRun {
		return
	}
	for _, id := range p.Done {
		delete(w.seen, id)
	}
}

// renew keeps the lease while the work goes on. The present time is asked anew
// each time, so that a long sleep never works on an expired lease.
func (w *worker) renew(ctx context.Context) error {
	now := w.s.opt.Now()
	ok, err := w.store.Lease(ctx, w.run.Space, w.s.opt.Holder, now, now.Add(w.s.opt.Lease))
	if err == nil && !ok {
		err = ErrLeased
	}
	return err
}

// finish keeps the report of a sleep that did something.
func (w *worker) finish(ctx context.Context) error {
	if w.run.DryRun || w.report.Batches == 0 && len(w.report.Failed) == 0 {
		return nil
	}
	data, err := json.Marshal(w.report)
	if err != nil {
		return err
	}
	err = w.store.Apply(ctx, &core.Plan{Space: w.run.Space, At: w.run.Now, Report: data})
	if errors.Is(err, core.ErrReadOnly) {
		return nil
	}
	return err
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
