package proxy

import (
	"sync"
	"time"
)

// grumbleAgain is how often a reason is logged.
const grumbleAgain = 10 * time.Second

// grumble keeps a log from being flooded by one reason. Its zero value is ready.
type grumble struct {
	mu      sync.Mutex
	reasons map[string]*grumbled
}

type grumbled struct {
	last time.Time
	n    int
}

// times returns how often a reason has come up since it was last logged, or 0 when it
// is not to be logged now.
func (g *grumble) times(reason string, now time.Time) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reasons == nil {
		g.reasons = map[string]*grumbled{}
	}
	r := g.reasons[reason]
	if r == nil {
		r = &grumbled{last: now.Add(-grumbleAgain)}
		g.reasons[reason] = r
	}
	r.n++
	if now.Sub(r.last) < grumbleAgain {
		return 0
	}
	n := r.n
	r.n, r.last = 0, now
	return n
}
