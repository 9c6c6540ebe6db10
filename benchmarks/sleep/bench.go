package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// bench is a prepared database and what came of loading copies of it.
type bench struct {
	o    options
	home string

	mu             sync.Mutex
	batches, lines int
	dry            bool
	locks          int
	errs           []string
}

func run(ctx context.Context, o options) (r result, err error) {
	home, err := os.MkdirTemp("", "orma-sleep")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	b := &bench{o: o, home: home}
	if err := b.prepare(ctx); err != nil {
		return r, err
	}
	if _, err := b.phase(ctx, false); err != nil { // warms the machine
		return r, err
	}
	var alone, beside samples
	var p50, p95 []float64
	for i := range o.rounds {
		var got [2]samples
		for _, asleep := range []bool{i%2 == 1, i%2 == 0} {
			s, err := b.phase(ctx, asleep)
			if err != nil {
				return r, err
			}
			if asleep {
				got[1] = s
				beside.add(s)
			} else {
				got[0] = s
				alone.add(s)
			}
		}
		p50 = append(p50, ratio(&got[1], &got[0], 0.5))
		p95 = append(p95, ratio(&got[1], &got[0], 0.95))
	}
	return result{
		Machine: latency.Machine(), Notes: o.notes, Backlog: o.backlog, Workers: o.workers, Alone: alone.side(), Beside: beside.side(),
		RatioP50: spreadOf(p50), RatioP95: spreadOf(p95),
		Batches: b.batches, Lines: b.lines, Second: int(float64(b.lines) / beside.lasted.Seconds()),
		Dry: b.dry, Locks: b.locks, Errors: b.errs,
	}, nil
}

func ratio(beside, alone *samples, q float64) float64 {
	return quantile(beside.recalls, q) / max(quantile(alone.recalls, q), 0.001)
}

func open(ctx context.Context, home string) (*local.Memory, error) {
	return local.Open(ctx, local.Options{Home: home, Path: filepath.Join(home, "m.db"), Now: time.Now})
}

// prepare makes the database. Every tenth note states something, so that sleep has work.
func (b *bench) prepare(ctx context.Context) error {
	m, err := open(ctx, filepath.Join(b.home, "prepared"))
	if err != nil {
		return err
	}
	notes := latency.NewNotes(1)
	fill := func(from, to int) error {
		for first := from; first < to; first += 500 {
			var in []engine.Input
			for i := first; i < min(first+500, to); i++ {
				n := notes.Next()
				n.Role = core.RoleUser
				if i%10 == 0 {
					n.Text = fmt.Sprintf("My locker of hall %d is number %d. %s.", i%200, 1000+i, n.Text)
				}
				in = append(in, n)
			}
			if _, err := m.Add(ctx, "", in...); err != nil {
				return err
			}
		}
		return nil
	}
	err = fill(0, b.o.notes)
	if err == nil {
		_, err = m.Sleep(ctx, sleep.Run{Backend: "rules"})
	}
	if err == nil {
		err = fill(b.o.notes, b.o.notes+b.o.backlog)
	}
	if err == nil {
		_, err = m.Recall(ctx, engine.Request{Query: "number"}) // leaves a snapshot of the index to those who open it
	}
	return errors.Join(err, m.Close())
}

// phase loads a fresh copy of the database for a while.
func (b *bench) phase(ctx context.Context, asleep bool) (all samples, err error) {
	home := filepath.Join(b.home, "phase")
	if err := os.CopyFS(home, os.DirFS(filepath.Join(b.home, "prepared"))); err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	var workers []*worker
	for i := range b.o.workers {
		m, err := open(ctx, home)
		if err != nil {
			return all, err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		if _, err := m.Recall(ctx, engine.Request{Query: "number"}); err != nil { // reads the database in
			return all, err
		}
		workers = append(workers, &worker{n: i, m: m, queries: latency.NewNotes(uint64(i + 2))})
	}
	sleeper, err := open(ctx, home)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, sleeper.Close()) }()
	return b.load(ctx, workers, sleeper, asleep), nil
}

func (b *bench) load(ctx context.Context, workers []*worker, sleeper *local.Memory, asleep bool) (all samples) {
	ctx, cancel := context.WithTimeout(ctx, b.o.phase)
	defer cancel()
	var wg sync.WaitGroup
	start, cpu := time.Now(), latency.CPU()
	settled := start.Add(b.o.settle)
	if asleep {
		wg.Go(func() { b.sleep(ctx, sleeper) })
	}
	got := make([]samples, len(workers))
	for i, w := range workers {
		wg.Go(func() { got[i] = w.work(ctx, b, settled) })
	}
	wg.Wait()
	for _, s := range got {
		all.add(s)
	}
	all.lasted, all.cpu = time.Since(start), latency.CPU()-cpu
	return all
}

// sleep works off the backlog until the phase ends.
func (b *bench) sleep(ctx context.Context, m *local.Memory) {
	rep, err := m.Sleep(ctx, sleep.Run{Backend: "rules"})
	b.failed(ctx, "sleep", err)
	b.mu.Lock()
	defer b.mu.Unlock()
	if rep != nil {
		b.batches += rep.Batches
		b.lines += rep.Lines
	}
	b.dry = b.dry || ctx.Err() == nil
}

// failed counts an error that is not the end of a phase.
func (b *bench) failed(ctx context.Context, what string, err error) {
	if err == nil || ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if core.CodeOf(err) == core.CodeBusy {
		b.locks++
	}
	if len(b.errs) < 5 {
		b.errs = append(b.errs, what+": "+err.Error())
	}
}

// worker is one handle.
type worker struct {
	n, op   int
	m       *local.Memory
	queries *latency.Notes
}

// work does something at each tick: four recalls, then a write. It counts what began
// after a moment: until then the handles meet the words of the database.
func (w *worker) work(ctx context.Context, b *bench, settled time.Time) (s samples) {
	next := time.Now().Add(b.o.every * time.Duration(w.n) / time.Duration(b.o.workers))
	for {
		if wait := time.Until(next); wait > 0 {
			select {
			case <-ctx.Done():
				return s
			case <-time.After(wait):
			}
		} else if ctx.Err() != nil {
			return s
		}
		w.op++
		start := time.Now()
		if w.op%5 == 0 {
			text := fmt.Sprintf("My badge number %d of desk %d is %d.", w.op, w.n, 10_000*w.n+w.op)
			_, err := w.m.Add(ctx, "", engine.Input{Text: text, Role: core.RoleUser, Session: fmt.Sprint("w", w.n)})
			b.failed(ctx, "write", err)
			if err == nil && start.After(settled) {
				s.writes = append(s.writes, time.Since(start))
			}
		} else {
			_, err := w.m.Recall(ctx, engine.Request{Query: w.queries.Query()})
			b.failed(ctx, "recall", err)
			if err == nil && start.After(settled) {
				s.recalls = append(s.recalls, time.Since(start))
			}
		}
		if next = next.Add(b.o.every); time.Now().After(next) {
			if start.After(settled) {
				s.late++
			}
			next = time.Now()
		}
	}
}
