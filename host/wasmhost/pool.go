package wasmhost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/orma-memory/orma/host/contract"
)

// pool holds the instances of a plugin that are configured alike. Instances are made in
// the background: starting a large guest takes longer than a recall may wait.
type pool struct {
	p      *plugin
	params string
	idle   chan *guest
	failed chan error // why the last start failed; taken by one who waits

	mu     sync.Mutex
	count  int // instances that exist or are being made
	closed bool
	starts sync.WaitGroup
	inUse  sync.WaitGroup
	ctx    context.Context // ends the starts when the pool closes
	cancel context.CancelFunc
}

func newPool(p *plugin, params string) *pool {
	q := &pool{p: p, params: params, idle: make(chan *guest, p.o.Instances), failed: make(chan error, 1)}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	return q
}

// borrow returns an instance that nobody else uses. It waits for one until ctx ends.
func (q *pool) borrow(ctx context.Context) (*guest, error) {
	select {
	case g := <-q.idle:
		return q.lend(g)
	default:
	}
	if err := q.grow(); err != nil {
		return nil, err
	}
	select {
	case g := <-q.idle:
		return q.lend(g)
	case err := <-q.failed:
		return nil, err
	case <-ctx.Done():
		return nil, fmt.Errorf("no free instance: %w", ctx.Err())
	case <-q.ctx.Done():
		return nil, errClosed
	}
}

// lend counts an instance as in use, so that the pool is not freed under it.
func (q *pool) lend(g *guest) (*guest, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, errors.Join(errClosed, g.close())
	}
	q.inUse.Add(1)
	return g, nil
}

// grow starts one more instance, if there may be more.
func (q *pool) grow() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errClosed
	}
	if q.count >= q.p.o.Instances {
		return nil
	}
	q.count++
	q.starts.Go(func() {
		g, err := q.start()
		if err != nil {
			q.mu.Lock()
			q.count--
			q.mu.Unlock()
			select {
			case q.failed <- err:
			default: // an older reason is waiting to be read
			}
			return
		}
		select {
		case <-q.failed: // what was wrong then is not wrong now
		default:
		}
		q.give(g)
	})
	return nil
}

// start makes a configured instance.
func (q *pool) start() (*guest, error) {
	ctx, cancel := context.WithTimeout(q.ctx, q.p.o.StartTimeout)
	defer cancel()
	g, err := q.p.instantiate(ctx)
	if err != nil {
		return nil, err
	}
	if err := g.configure(ctx, q.params); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// give takes an instance back.
func (q *pool) give(g *guest) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		_ = g.close() // nothing waits for it any more
		return
	}
	q.idle <- g // there is room for as many as there are
}

// drop throws an instance away that failed, whatever the reason: what it holds in
// memory is not known to be sound. Another one is started in its place.
func (q *pool) drop(g *guest, why error) {
	if d := contract.Detail(why); d != "" {
		q.p.o.Log.Debug("plugin failed", slog.String("plugin", q.p.m.Name), slog.String("detail", d))
	}
	_ = g.close() // its error says nothing that matters now
	q.mu.Lock()
	q.count--
	q.mu.Unlock()
	_ = q.grow() // a closed pool needs none
}

// use runs f with an instance, which is thrown away if f fails.
func (q *pool) use(ctx context.Context, f func(*guest) error) error {
	g, err := q.borrow(ctx)
	if err != nil {
		return err
	}
	defer q.inUse.Done()
	if err := f(g); err != nil {
		q.drop(g, err)
		return err
	}
	q.give(g)
	return nil
}

// close ends the starts, waits for the instances in use, and frees all.
func (q *pool) close() {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return
	}
	q.closed = true
	q.mu.Unlock()
	q.cancel()
	q.starts.Wait()
	q.inUse.Wait()
	for {
		select {
		case g := <-q.idle:
			_ = g.close() // freed with the runtime at the latest
		default:
			return
		}
	}
}
