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
}

func (w *worker) reload(ctx context.Context) error {
	k, err := OpenBook(ctx, w.store, w.run.Space, w.s.set)
	w.book, w.dirty = k, false
	return err
}

// part is a stretch of one record that fits into a batch.
type part struct {
	episode core.PendingEpisode
	lines   []*Line
	last    bool // the record ends with it
}

// episodes reads records in order, batch by batch.
func (w *worker) episodes(ctx context.Context, eps []core.PendingEpisode) error {
	parts, err := w.parts(ctx, eps)
	if err != nil {
		return err
	}
	for len(parts) > 0 {
		if limit := w.run.Batches; limit > 0 && w.report.Batches >= limit {
			w.report.More = true
			return nil
		}
		n, tokens := 0, 0
		for n < len(parts) {
			t := partTokens(parts[n])
			if n > 0 && tokens+t > w.s.opt.BatchTokens {
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

// batch runs the stages over parts. A bad answer is asked again about each half,
// until the bad record stands alone.
func (w *worker) batch(ctx context.Context, parts []part) error {
	if err := w.renew(ctx); err != nil {
		return err
	}
	err := w.once(ctx, parts)
	switch {
	case err == nil:
		return nil
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
