package sleep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Store is what sleep needs of a store.
type Store interface {
	Reader
	Pending(ctx context.Context, space string, now time.Time, n int) ([]core.PendingEpisode, error)
	Due(ctx context.Context) ([]core.DueSpace, error)
	Requeue(ctx context.Context, space string, at time.Time) error
	Lease(ctx context.Context, space, holder string, now, until time.Time) (bool, error)
	Release(ctx context.Context, space, holder string) error
	Apply(ctx context.Context, p *core.Plan) error
	ReserveIDs(ctx context.Context, n int) (core.ID, error)
	EpisodesByID(ctx context.Context, space string, ids []core.ID) ([]core.Episode, error)
	PassagesOf(ctx context.Context, space string, episodes []core.ID) ([]core.Passage, error)
	Recent(ctx context.Context, space string, before core.ID, n int) ([]core.Episode, error)
}

// Defaults of [Options].
const (
	DefaultBatchTokens = 3000
	DefaultTries       = 3
	DefaultLease       = 2 * time.Minute
)

// Options configure a [Sleeper].
type Options struct {
	Steps    []Step               // the pipeline, in order
	Backends map[string]Extractor // by the names that extract's backend may have, without "auto"
	// Auto returns the name of the backend that "auto" stands for now; nil means
	// "rules".
	Auto     func(ctx context.Context) (string, error)
	Embedder embed.Embedder // for paraphrases; may be nil
	Order    clock.DateOrder
	Zone     *time.Location // of lines that name none; nil is UTC
	Tools    bool           // tool lines may make states, never rules

	BatchTokens int           // of one batch; 0 means 3000
	Tries       int           // before a record is retired; 0 means 3
	Lease       time.Duration // how long a lease holds without renewal; 0 means two minutes
	Holder      string        // names this sleeper among the processes on the store
	Now         func() time.Time
	Log         *slog.Logger
}

// Sleeper consolidates spaces. It is safe for concurrent use; a lease keeps two
// sleepers, also of two processes, from working on one space.
type Sleeper struct {
	store Store
	opt   Options
	clock *clock.Reader
	set   *lang.Set
}

// ErrLeased is returned when another sleeper works on the space.
var ErrLeased error = core.Errorf(core.CodeBusy, "another process is consolidating this space").
	Hinted("wait until it is done; one that was killed lets go within two minutes")

// New returns a sleeper. It takes some milliseconds: make one and keep it.
func New(store Store, opt Options) (*Sleeper, error) {
	if opt.BatchTokens == 0 {
		opt.BatchTokens = DefaultBatchTokens
	}
	if opt.Tries == 0 {
		opt.Tries = DefaultTries
	}
	if opt.Lease == 0 {
		opt.Lease = DefaultLease
	}
	if opt.Now == nil {
		return nil, core.Errorf(core.CodeInternal, "a sleeper needs a clock")
	}
	if opt.Holder == "" {
		return nil, core.Errorf(core.CodeInternal, "a sleeper needs a holder's name")
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	c, err := clock.NewReader()
	if err != nil {
		return nil, err
	}
	return &Sleeper{store: store, opt: opt, clock: c, set: lang.Default()}, nil
}

// Run says what to consolidate.
type Run struct {
	Space   string
	Backend string    // "" leaves it to the configuration
	Now     time.Time // recorded with what is written; zero is the sleeper's clock
	DryRun  bool      // write nothing
	Rebuild bool      // read every episode again
	Batches int       // stop after so many batches; 0 means none
}

// Sleep consolidates what waits in a space and reports what became of it.
//
// An extractor that cannot be reached ends the sleep with an error of code
// [core.CodeUnavailable]; what it was asked about waits on, at no cost. The report
// is complete up to there.
func (s *Sleeper) Sleep(ctx context.Context, r Run) (*Report, error) {
	if r.Now.IsZero() {
		r.Now = s.opt.Now()
	}
	rep := &Report{
		Space: r.Space, At: r.Now, DryRun: r.DryRun, Rebuild: r.Rebuild, Outcomes: map[string]int{}, Reasons: map[string]int{},
		Accepted: []ReportItem{}, Rejected: []ReportItem{}, Failed: []ReportFail{},
	}
	if r.DryRun {
		w := &dry{Store: s.store}
		if r.Rebuild {
			return rep, core.Errorf(core.CodeInvalid, "a rebuild cannot be a dry run")
		}
		return rep, s.run(ctx, w, r, rep)
	}
	ok, err := s.store.Lease(ctx, r.Space, s.opt.Holder, s.opt.Now(), s.opt.Now().Add(s.opt.Lease))
	if err != nil {
		return rep, err
	}
	if !ok {
		return rep, ErrLeased
	}
	defer func() {
		// The lease goes back also when the caller gave up.
		if err := s.store.Release(context.WithoutCancel(ctx), r.Space, s.opt.Holder); err != nil {
			s.opt.Log.Warn("lease was not given back", slog.String("space", r.Space), slog.Any("error", err))
		}
	}()
	if r.Rebuild {
		if err := s.store.Requeue(ctx, r.Space, r.Now); err != nil {
			return rep, err
		}
	}
	return rep, s.run(ctx, s.store, r, rep)
}

// pendingAtOnce is how many waiting episodes are fetched at a time.
const pendingAtOnce = 200

// run works through what waits.
func (s *Sleeper) run(ctx context.Context, store Store, r Run, rep *Report) error {
	w := &worker{s: s, store: store, run: r, report: rep, seen: map[core.ID]bool{}, failing: map[core.ID]bool{}, tokens: s.opt.BatchTokens}
	if err := w.reload(ctx); err != nil {
		return err
	}
	atOnce := pendingAtOnce
	if r.DryRun {
		atOnce = 1 << 30 // nothing leaves the queue, so there is no second look at it
	}
	for {
		got, err := store.Pending(ctx, r.Space, r.Now, atOnce+len(w.seen))
		if err != nil {
			return err
		}
		todo := make([]core.PendingEpisode, 0, min(len(got), atOnce))
		for _, e := range got {
			if !w.seen[e.ID] && len(todo) < atOnce {
				todo = append(todo, e)
			}
		}
		if len(todo) == 0 || rep.More {
			return w.finish(ctx)
		}
		for _, e := range todo {
			w.seen[e.ID] = true // what stays in the queue waits for the next sleep
		}
		if err := w.episodes(ctx, todo); err != nil {
			return errors.Join(err, w.finish(context.WithoutCancel(ctx)))
		}
	}
}

// dry is a store that keeps nothing.
type dry struct {
	Store
	next core.ID
}

func (d *dry) Apply(context.Context, *core.Plan) error { return nil }

func (d *dry) ReserveIDs(_ context.Context, n int) (core.ID, error) {
	first := d.next + 1<<36
	d.next += core.ID(n)
	return first, nil
}

func (d *dry) Lease(context.Context, string, string, time.Time, time.Time) (bool, error) {
	return true, nil
}

// backend resolves the name of an extractor.
func (s *Sleeper) backend(r Run) func(context.Context, string) (Extractor, error) {
	return func(ctx context.Context, name string) (Extractor, error) {
		if r.Backend != "" {
			name = r.Backend
		}
		if name == "" || name == "auto" {
			name = "rules"
			if s.opt.Auto != nil {
				var err error
				if name, err = s.opt.Auto(ctx); err != nil {
					return nil, err
				}
			}
		}
		x := s.opt.Backends[name]
		if x == nil {
			return nil, core.Errorf(core.CodeConfig, "no sleep backend %q", name)
		}
		return x, nil
	}
}

// unavailable reports whether an error says nothing about the lines: the extractor
// was not reached, the caller gave up, or the store failed.
func unavailable(ctx context.Context, err error) bool {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return true
	}
	var bad *BadAnswer
	return !errors.As(err, &bad)
}

// SlowAnswer is an extractor's time that ran out while it worked on a batch. Fewer
// lines may be answered in time, so the batch is asked again in smaller ones.
type SlowAnswer struct {
	Extractor string
	After     time.Duration
}

// Error says which extractor was asked, and for how long.
func (e *SlowAnswer) Error() string {
	return fmt.Sprintf("%s: no answer within %s", e.Extractor, e.After)
}

// BadAnswer is an extractor's answer that could not be used. It counts against the
// lines it was asked about.
type BadAnswer struct {
	Extractor string
	Err       error
}

// Error says which extractor answered, and what was wrong.
func (e *BadAnswer) Error() string { return fmt.Sprintf("%s: %v", e.Extractor, e.Err) }

// Unwrap returns the cause.
func (e *BadAnswer) Unwrap() error { return e.Err }
