// Command sleep measures what consolidation costs those who use the memory meanwhile:
// the latency of recall under a steady load of writers and readers, each through a
// handle of its own on one database, with and without a sleep at full speed beside
// them. The two take turns (A/B/A/B), so that a machine that grows slower does not
// count for either.
//
//	go run ./benchmarks/sleep -notes 10000 -workers 8 -phase 3s -rounds 4
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"sync"
	"time"

	"github.com/orma-memory/orma/benchmarks/latency"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// options of a run.
type options struct {
	notes   int
	backlog int
	workers int
	rounds  int
	phase   time.Duration
	every   time.Duration
}

// side is what was measured on one side, in milliseconds.
type side struct {
	Recalls   int     `json:"recalls"`
	Writes    int     `json:"writes"`
	RecallP50 float64 `json:"recall_p50_ms"`
	RecallP95 float64 `json:"recall_p95_ms"`
	WriteP50  float64 `json:"write_p50_ms"`
	WriteP95  float64 `json:"write_p95_ms"`
	Late      int     `json:"late"` // operations that began after the next was due
}

// result is what was measured.
type result struct {
	Notes    int      `json:"notes"`
	Backlog  int      `json:"backlog"`
	Workers  int      `json:"workers"`
	Alone    side     `json:"without_sleep"`
	Beside   side     `json:"with_sleep"`
	RatioP50 float64  `json:"recall_p50_ratio"`
	RatioP95 float64  `json:"recall_p95_ratio"`
	Sleeps   int      `json:"sleeps"`
	Batches  int      `json:"sleep_batches"`
	Lines    int      `json:"sleep_lines"`
	Dry      bool     `json:"backlog_ran_dry,omitempty"` // then the figure flatters
	Locks    int      `json:"lock_errors"`
	Errors   []string `json:"errors,omitempty"` // others, the first few
}

func main() {
	var o options
	flag.IntVar(&o.notes, "notes", 10_000, "notes in the database")
	flag.IntVar(&o.backlog, "backlog", 40_000, "further notes, which wait for sleep; enough that it never runs dry")
	flag.IntVar(&o.workers, "workers", 8, "handles that write and recall at once")
	flag.IntVar(&o.rounds, "rounds", 4, "pairs of phases")
	flag.DurationVar(&o.phase, "phase", 3*time.Second, "how long a phase lasts")
	flag.DurationVar(&o.every, "every", 100*time.Millisecond, "how often each handle does something; every fifth time it writes")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the whole run")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "sleep:", err)
			os.Exit(1)
		}
	}
	r, err := run(context.Background(), o)
	pprof.StopCPUProfile()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sleep:", err)
		os.Exit(1)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil || r.Locks > 0 || len(r.Errors) > 0 {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (r result, err error) {
	home, err := os.MkdirTemp("", "orma-sleep")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	b := &bench{o: o, home: home}
	if err := b.load(ctx); err != nil {
		return r, err
	}
	for range o.workers {
		m, err := b.open(ctx)
		if err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		b.workers = append(b.workers, &worker{n: len(b.workers), m: m, queries: latency.NewNotes(uint64(len(b.workers) + 2))})
	}
	for _, w := range b.workers { // each reads the database in before anything is measured
		if _, err := w.m.Recall(ctx, engine.Request{Query: "number"}); err != nil {
			return r, err
		}
	}
	if _, err := b.turn(ctx, false); err != nil {
		return r, err
	}
	var alone, beside samples
	for range o.rounds {
		for _, asleep := range []bool{false, true} {
			s, err := b.turn(ctx, asleep)
			if err != nil {
				return r, err
			}
			if asleep {
				beside.add(s)
			} else {
				alone.add(s)
			}
		}
	}
	r = result{
		Notes: o.notes, Backlog: o.backlog, Workers: o.workers, Alone: alone.side(), Beside: beside.side(),
		Sleeps: b.sleeps, Batches: b.batches, Lines: b.lines, Dry: b.dry, Locks: b.locks, Errors: b.errs,
	}
	if r.Alone.RecallP50 > 0 {
		r.RatioP50, r.RatioP95 = r.Beside.RecallP50/r.Alone.RecallP50, r.Beside.RecallP95/r.Alone.RecallP95
	}
	return r, nil
}

// bench is the database under load.
type bench struct {
	o       options
	home    string
	workers []*worker

	mu                     sync.Mutex
	sleeps, batches, lines int
	dry                    bool
	locks                  int
	errs                   []string
}

func (b *bench) open(ctx context.Context) (*local.Memory, error) {
	return local.Open(ctx, local.Options{Home: b.home, Path: filepath.Join(b.home, "m.db"), Now: time.Now})
}

// load fills the database. Every other note states something, so that sleep has work.
func (b *bench) load(ctx context.Context) error {
	m, err := b.open(ctx)
	if err != nil {
		return err
	}
	notes := latency.NewNotes(1)
	slept := false
	for first := 0; first < b.o.notes+b.o.backlog; first += 500 {
		if first >= b.o.notes && !slept {
			slept = true
			if _, err := m.Sleep(ctx, sleep.Run{Backend: "rules"}); err != nil {
				return errors.Join(err, m.Close())
			}
		}
		var in []engine.Input
		for i := first; i < min(first+500, b.o.notes+b.o.backlog); i++ {
			n := notes.Next()
			n.Role = core.RoleUser
			if i%10 == 0 {
				n.Text = fmt.Sprintf("My locker of hall %d is number %d. %s.", i%200, 1000+i, n.Text)
			}
			in = append(in, n)
		}
		if _, err := m.Add(ctx, "", in...); err != nil {
			return errors.Join(err, m.Close())
		}
	}
	return m.Close()
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

// turn loads the database for one phase.
func (b *bench) turn(ctx context.Context, asleep bool) (samples, error) {
	ctx, cancel := context.WithTimeout(ctx, b.o.phase)
	defer cancel()
	var wg sync.WaitGroup
	if asleep {
		wg.Go(func() { b.sleep(ctx) })
	}
	got := make([]samples, len(b.workers))
	for i, w := range b.workers {
		wg.Go(func() { got[i] = w.work(ctx, b) })
	}
	wg.Wait()
	var all samples
	for _, s := range got {
		all.add(s)
	}
	return all, nil
}

// sleep works off the backlog until the phase ends.
func (b *bench) sleep(ctx context.Context) {
	m, err := b.open(context.WithoutCancel(ctx))
	if err != nil {
		b.failed(ctx, "sleep", err)
		return
	}
	defer func() { b.failed(context.Background(), "close", m.Close()) }()
	for ctx.Err() == nil {
		rep, err := m.Sleep(ctx, sleep.Run{Backend: "rules"})
		b.failed(ctx, "sleep", err)
		b.mu.Lock()
		if rep != nil {
			b.sleeps++
			b.batches += rep.Batches
			b.lines += rep.Lines
		}
		b.mu.Unlock()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.dry = b.dry || rep.Lines == 0
		b.mu.Unlock()
	}
}

// worker is one handle.
type worker struct {
	n, op   int
	m       *local.Memory
	queries *latency.Notes
}

// work does something at each tick: four recalls, then a write.
func (w *worker) work(ctx context.Context, b *bench) (s samples) {
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
			if err == nil {
				s.writes = append(s.writes, time.Since(start))
			}
		} else {
			_, err := w.m.Recall(ctx, engine.Request{Query: w.queries.Query()})
			b.failed(ctx, "recall", err)
			if err == nil {
				s.recalls = append(s.recalls, time.Since(start))
			}
		}
		if next = next.Add(b.o.every); time.Now().After(next) {
			s.late++
			next = time.Now()
		}
	}
}

// samples are latencies.
type samples struct {
	recalls, writes []time.Duration
	late            int
}

func (s *samples) add(o samples) {
	s.recalls = append(s.recalls, o.recalls...)
	s.writes = append(s.writes, o.writes...)
	s.late += o.late
}

func (s *samples) side() side {
	return side{
		Recalls: len(s.recalls), Writes: len(s.writes), Late: s.late,
		RecallP50: quantile(s.recalls, 0.5), RecallP95: quantile(s.recalls, 0.95),
		WriteP50: quantile(s.writes, 0.5), WriteP95: quantile(s.writes, 0.95),
	}
}

// quantile returns a quantile in milliseconds.
func quantile(d []time.Duration, q float64) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return float64(d[min(int(q*float64(len(d))), len(d)-1)].Microseconds()) / 1000
}
