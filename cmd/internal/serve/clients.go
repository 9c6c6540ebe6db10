package serve

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// clients counts open connections, so that a private server can end with its last
// client. The zero value is ready.
type clients struct {
	mu      sync.Mutex
	open    map[net.Conn]bool
	changed chan struct{} // closed and replaced at each change
}

// state is a [http.Server]'s ConnState hook.
func (c *clients) state(conn net.Conn, st http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[net.Conn]bool{}
	}
	switch st {
	case http.StateNew:
		c.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	default:
		return
	}
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// look returns how many there are, and a channel that is closed when that changes.
func (c *clients) look() (int, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return len(c.open), c.changed
}

// gone returns when there has been no client for so long, or when stop is closed.
func (c *clients) gone(long time.Duration, stop <-chan struct{}) bool {
	for {
		n, changed := c.look()
		var quiet <-chan time.Time
		if n == 0 {
			quiet = time.After(long)
		}
		select {
		case <-changed:
		case <-quiet:
			return true
		case <-stop:
			return false
		}
	}
}
