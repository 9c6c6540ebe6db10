package prochost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// process keeps one program running with one set of parameters.
type process struct {
	p      *plugin
	params string

	mu       sync.Mutex
	run      *running      // nil while it does not run
	starting chan struct{} // closed when the start under way has ended; nil without one
	err      error         // why it does not run
	deaths   int           // in a row, without an answer between
	next     time.Time     // not to be started before
	closed   bool

	work   sync.WaitGroup
	ctx    context.Context // ends the starts when the process is closed
	cancel context.CancelFunc
}

func newProcess(p *plugin, params string) *process {
	q := &process{p: p, params: params}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	return q
}

// get returns the running program. It starts it if need be and waits for it until ctx ends.
func (q *process) get(ctx context.Context) (*running, error) {
	for {
		q.mu.Lock()
		if q.closed {
			q.mu.Unlock()
			return nil, errClosed
		}
		if r := q.run; r != nil {
			select {
			case <-r.gone:
				q.lost(r)
			default:
				q.mu.Unlock()
				return r, nil
			}
		}
		if q.starting == nil {
			if wait := time.Until(q.next); wait > 0 {
				err := q.err
				q.mu.Unlock()
				return nil, fmt.Errorf("%w and is started again in %v: %w", contract.ErrDown, wait.Round(time.Millisecond), err)
			}
			q.begin()
		}
		started := q.starting
		q.mu.Unlock()
		select {
		case <-started:
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: it is starting: %w", contract.ErrDown, ctx.Err())
		}
		q.mu.Lock()
		r, err := q.run, q.err
		q.mu.Unlock()
		if r == nil && err != nil {
			return nil, err
		}
	}
}

// spawn runs f beside, and reports whether the process is open.
func (q *process) spawn(f func()) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.work.Go(f)
	return true
}

// begin starts the program in the background: a start takes longer than a recall may
// wait. The caller holds the lock.
func (q *process) begin() {
	q.starting = make(chan struct{})
	q.work.Go(func() {
		r, err := q.start()
		q.mu.Lock()
		defer q.mu.Unlock()
		close(q.starting)
		q.starting = nil
		q.run, q.err = r, err
		if err != nil {
			q.pause()
			q.p.o.Log.Warn("plugin did not start", slog.String("plugin", q.p.path), slog.Any("error", err))
			return
		}
		q.work.Go(func() { q.watch(r) })
	})
}

// start starts the program and configures it.
func (q *process) start() (*running, error) {
	ctx, cancel := context.WithTimeout(q.ctx, q.p.o.StartTimeout)
	defer cancel()
	r, text, err := q.p.start(ctx)
	if err != nil {
		return nil, &downError{err}
	}
	if err := q.p.same(text); err != nil {
		r.stop(true)
		return nil, &downError{err}
	}
	reply, err := r.stage.Configure(ctx, &pb.ConfigureRequest{Params: []byte(q.params)})
	if err == nil && reply.GetError() != nil {
		err = &refusedError{contract.Configure(codeError(reply.GetError()))}
	} else if err != nil {
		err = fmt.Errorf("configure: %w", callError(ctx, err))
	}
	if err != nil {
		r.stop(true)
		return nil, &downError{err}
	}
	q.p.ran.Store(true)
	return r, nil
}

// refusedError is what a program says against its parameters.
type refusedError struct{ error }

// Unwrap returns its words.
func (e *refusedError) Unwrap() error { return e.error }

// downError is why a program does not run.
type downError struct{ error }

// Is makes it a [contract.ErrDown].
func (*downError) Is(target error) bool { return target == contract.ErrDown }

// Unwrap returns the reason.
func (e *downError) Unwrap() error { return e.error }

// same reports whether the program that runs is the one that was opened.
func (p *plugin) same(text []byte) error {
	m, err := contract.ParseManifest(text)
	if err == nil && contract.Same(m, p.m) {
		return nil
	}
	p.forget()
	return errors.Join(errors.New("its manifest is not the one that it was opened with; start Orma again"), err)
}

// watch waits for the program's end.
func (q *process) watch(r *running) {
	<-r.gone
	q.mu.Lock()
	q.lost(r)
	q.mu.Unlock()
	r.stop(true) // waits for the readers of its output
}

// lost notes that the program has ended. If it had answered it is started again at once,
// and otherwise when it is next needed. The caller holds the lock.
func (q *process) lost(r *running) {
	if q.run != r {
		return
	}
	q.run, q.err = nil, r.why()
	if q.closed {
		return
	}
	q.pause()
	q.p.o.Log.Warn("plugin ended", slog.String("plugin", q.p.path), slog.Any("error", q.err))
	if r.answered.Load() {
		q.begin()
	}
}

// pause sets when it may be started again: the first time at once. The caller holds the
// lock.
func (q *process) pause() {
	q.deaths++
	if q.deaths == 1 {
		q.next = time.Time{}
		return
	}
	d := q.p.o.Backoff << min(q.deaths-2, 20)
	if d <= 0 || d > q.p.o.MaxBackoff {
		d = q.p.o.MaxBackoff
	}
	q.next = time.Now().Add(d)
}

// worked notes that the program answered.
func (q *process) worked(r *running) {
	if r.answered.Swap(true) {
		return
	}
	q.mu.Lock()
	q.deaths = 0
	q.mu.Unlock()
}

// close ends the program and waits for all that goes on for it.
func (q *process) close() {
	q.mu.Lock()
	q.closed = true
	r := q.run
	q.mu.Unlock()
	q.cancel()
	if r != nil {
		r.stop(false)
	}
	q.work.Wait()
	if r := q.run; r != nil { // it came up meanwhile
		r.stop(false)
	}
}
