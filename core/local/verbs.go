package local

import (
	"context"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/sleep"
)

// Sleep turns what waits in a space into checked facts, with the configured model or by
// rules, and reports what became of each. An empty space is the default one. Programs
// that sleep often, or in the background, keep a [Memory.Sleeper].
func (m *Memory) Sleep(ctx context.Context, r sleep.Run) (*sleep.Report, error) {
	space, err := engine.Space(r.Space)
	if err != nil {
		return nil, err
	}
	s, err := m.Sleeper(SleepOptions{})
	if err != nil {
		return nil, err
	}
	r.Space = space
	return s.Sleep(ctx, r)
}
