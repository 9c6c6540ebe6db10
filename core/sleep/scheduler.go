package sleep

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// ScheduleOptions say when sleep begins by itself.
type ScheduleOptions struct {
	Idle    time.Duration // quiet time after which what waits is read; 0 means two minutes
	Pending int           // waiting episodes that are read without waiting longer; 0 means 20
	Poll    time.Duration // how often to look; 0 means 15 seconds
	Turn    int           // batches of one space before another that waits has its turn; 0 means 8
	Done    func(*Report, error)
}

// Scheduler sleeps in the background. Its zero value is not usable.
type Scheduler struct {
	sleep func(context.Context, Run) (*Report, error)
	due   func(context.Context) ([]core.DueSpace, error)
	now   func() time.Time
	log   *slog.Logger
	o     ScheduleOptions
	wake  chan struct{}

	slept  map[string]time.Time // when each space had its last turn
	held   map[string]hold      // spaces that wait after a failure
	rest   time.Time            // no sleep at all before: the model does not answer
	pauses int                  // failures of the model in a row
}

// hold keeps a space with records that were not understood from being tried again
// at once.
type hold struct {
	until   time.Time
	pending int // more waiting episodes than these end it
}

// aloneTurns is how many turns at once a space has when no other is ready: a turn reads
// all facts of the space first, which takes as long as ten batches where there are many.
const aloneTurns = 4

// The waits after failures: the first, doubled each time up to the last.
const (
	firstRest = time.Minute
	lastRest  = 30 * time.Minute
)

// Schedule returns a scheduler for the sleeper's spaces. Run it in one goroutine.
func (s *Sleeper) Schedule(o ScheduleOptions) *Scheduler {
	return newScheduler(s.Sleep, s.store.Due, s.opt.Now, s.opt.Log, o)
}

func newScheduler(sleep func(context.Context, Run) (*Report, error), due func(context.Context) ([]core.DueSpace, error), now func() time.Time, log *slog.Logger, o ScheduleOptions) *Scheduler {
	o.Idle = cmp.Or(o.Idle, 2*time.Minute)
	o.Pending = cmp.Or(o.Pending, 20)
	o.Poll = cmp.Or(o.Poll, 15*time.Second)
	o.Turn = cmp.Or(o.Turn, 8)
	return &Scheduler{
		sleep: sleep, due: due, now: now, log: log, o: o, wake: make(chan struct{}, 1),
		slept: map[string]time.Time{}, held: map[string]hold{},
	}
}

// Wake makes the scheduler look at once. It never blocks and may be called at any
// time, from any goroutine.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run sleeps until ctx ends, and then returns when the batch at work is done or
// was given up. What was not finished waits for the next time.
func (s *Scheduler) Run(ctx context.Context) {
	t := time.NewTicker(s.o.Poll)
	defer t.Stop()
	for {
		for s.turn(ctx) {
			if ctx.Err() != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		case <-s.wake:
		}
	}
}

// turn gives the space that waits longest for a turn one, and reports whether more
// may be ready.
func (s *Scheduler) turn(ctx context.Context) bool {
	if s.now().Before(s.rest) {
		return false
	}
	all, err := s.due(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("cannot see what waits for sleep", slog.Any("error", err))
		}
		return false
	}
	ready := slices.DeleteFunc(all, func(d core.DueSpace) bool { return !s.ready(d) })
	if len(ready) == 0 {
		return false
	}
	next := slices.MinFunc(ready, func(a, b core.DueSpace) int {
		return cmp.Or(s.slept[a.Space].Compare(s.slept[b.Space]), cmp.Compare(a.Space, b.Space))
	})
	s.slept[next.Space] = s.now()
	batches := s.o.Turn
	if len(ready) == 1 {
		batches *= aloneTurns
	}
	rep, err := s.sleep(ctx, Run{Space: next.Space, Batches: batches})
	s.settle(ctx, next, rep, err)
	if s.o.Done != nil {
		s.o.Done(rep, err)
	}
	return ctx.Err() == nil
}

// ready reports whether a space is due: enough waits, or it has been quiet.
func (s *Scheduler) ready(d core.DueSpace) bool {
	now := s.now()
	if h, ok := s.held[d.Space]; ok && now.Before(h.until) && d.Pending <= h.pending {
		return false
	}
	return d.Pending > 0 && (d.Pending >= s.o.Pending || !now.Before(d.Last.Add(s.o.Idle)))
}

// settle decides how long to wait after a failure.
func (s *Scheduler) settle(ctx context.Context, d core.DueSpace, rep *Report, err error) {
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, ErrLeased):
		s.held[d.Space] = hold{s.now().Add(s.o.Idle), d.Pending}
	case core.CodeOf(err) == core.CodeUnavailable && err != nil:
		wait := min(firstRest<<min(s.pauses, 10), lastRest)
		s.pauses++
		s.rest = s.now().Add(wait)
		s.log.Warn("the model for sleep does not answer", slog.Duration("retry_in", wait), slog.Any("error", err))
	case err != nil:
		s.held[d.Space] = hold{s.now().Add(lastRest), d.Pending}
		s.log.Error("sleep failed", slog.String("space", d.Space), slog.Any("error", err))
	default:
		s.pauses = 0
		delete(s.held, d.Space)
		if rep != nil && len(rep.Failed) > 0 || rep != nil && rep.Episodes == 0 && !rep.More {
			// What was not understood waits: the same answer would come at once.
			s.held[d.Space] = hold{s.now().Add(lastRest), d.Pending}
		}
	}
}
