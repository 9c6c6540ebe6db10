package serve

import (
	"context"
	"log/slog"
	"sync"

	"github.com/orma-memory/orma/core/sleep"
)

// Night sleeps in the background and on request. It begins with what the
// configuration says, and goes over to the first model that a client asks for when
// that names none.
type Night struct {
	build    func(upstream, model string) (*sleep.Sleeper, error)
	schedule sleep.ScheduleOptions
	fixed    bool // the configuration names model or server
	log      *slog.Logger

	mu      sync.Mutex
	sleeper *sleep.Sleeper
	adopted bool
	changed chan struct{} // closed when sleeper was replaced
}

// NewNight returns a Night. build makes a sleeper for a server and a model, both empty
// for what is configured. fixed says that clients have no say in the model.
func NewNight(build func(upstream, model string) (*sleep.Sleeper, error), o sleep.ScheduleOptions, fixed bool, log *slog.Logger) (*Night, error) {
	s, err := build("", "")
	if err != nil {
		return nil, err
	}
	return &Night{build: build, schedule: o, fixed: fixed, log: log, sleeper: s, changed: make(chan struct{})}, nil
}

// Sleep consolidates a space now.
func (n *Night) Sleep(ctx context.Context, r sleep.Run) (*sleep.Report, error) {
	n.mu.Lock()
	s := n.sleeper
	n.mu.Unlock()
	return s.Sleep(ctx, r)
}

// Adopt makes sleep use a model that a client asked for, the first time.
func (n *Night) Adopt(upstream, model string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fixed || n.adopted || upstream == "" || model == "" {
		return
	}
	n.adopted = true
	s, err := n.build(upstream, model)
	if err != nil {
		n.log.Warn("sleep cannot use the client's model", slog.String("model", model), slog.Any("error", err))
		return
	}
	n.sleeper = s
	close(n.changed)
	n.changed = make(chan struct{})
	n.log.Info("sleep uses the client's model", slog.String("model", model))
}

// Run sleeps in the background until ctx ends.
func (n *Night) Run(ctx context.Context) {
	for ctx.Err() == nil {
		n.mu.Lock()
		s, changed := n.sleeper, n.changed
		n.mu.Unlock()
		turn, stop := context.WithCancel(ctx)
		var wait sync.WaitGroup
		wait.Go(func() {
			select {
			case <-changed:
				stop()
			case <-turn.Done():
			}
		})
		s.Schedule(n.schedule).Run(turn)
		ended := turn.Err() == nil
		stop()
		wait.Wait()
		if ended {
			return // it ended by itself, which the server reports
		}
	}
}
