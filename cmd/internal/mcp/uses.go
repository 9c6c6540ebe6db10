package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/orma-memory/orma/core/engine"
)

// uses records which memories reached a reader, once they have: off the request's way.
// A call of flush says that what was noted until then has been written to the client.
type uses struct {
	log *slog.Logger

	mu      sync.Mutex
	waiting []delivery
	wake    chan struct{}
	end     chan struct{}
	done    sync.WaitGroup
}

type delivery struct {
	e     *engine.Engine
	space string
	req   engine.Request
	items []engine.Item
	sent  bool
}

// useTimeout bounds the writing of uses: they are worth no waiting.
const useTimeout = 5 * time.Second

// newUses returns a recorder. Close it before the memory.
func newUses(log *slog.Logger) *uses {
	u := &uses{log: log, wake: make(chan struct{}, 1), end: make(chan struct{})}
	u.done.Go(u.run)
	return u
}

// delivered notes an answer that is about to be written.
func (u *uses) delivered(e *engine.Engine, space string, req engine.Request, items []engine.Item) {
	if len(items) == 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waiting = append(u.waiting, delivery{e: e, space: space, req: req, items: items})
}

// flush has what was noted recorded.
func (u *uses) flush() {
	u.mu.Lock()
	for i := range u.waiting {
		u.waiting[i].sent = true
	}
	some := len(u.waiting) > 0
	u.mu.Unlock()
	if some {
		select {
		case u.wake <- struct{}{}:
		default:
		}
	}
}

func (u *uses) run() {
	for {
		select {
		case <-u.wake:
			u.record()
		case <-u.end:
			u.record()
			return
		}
	}
}

// record writes what has been sent.
func (u *uses) record() {
	u.mu.Lock()
	var sent, kept []delivery
	for _, d := range u.waiting {
		if d.sent {
			sent = append(sent, d)
		} else {
			kept = append(kept, d)
		}
	}
	u.waiting = kept
	u.mu.Unlock()
	ctx, stop := context.WithTimeout(context.Background(), useTimeout)
	defer stop()
	for _, d := range sent {
		if err := d.e.Delivered(ctx, d.space, d.req, d.items); err != nil {
			u.log.Debug("uses not recorded", slog.Any("error", err))
		}
	}
}

// Close records what has been sent and ends.
func (u *uses) Close() {
	close(u.end)
	u.done.Wait()
}
