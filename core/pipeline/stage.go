// Package pipeline turns an ordered list of stages into something that runs.
//
// Built-in stages, WASM modules and plugin processes are all a [Spec], so nothing
// here can tell them apart.
package pipeline

import (
	"context"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

// A Stage transforms a frame in place.
//
// Run may be called from several goroutines at once, each with its own frame. It
// touches only the columns its spec declares, and keeps nothing of the frame. If
// it fails it leaves the frame as it found it.
type Stage interface {
	Run(ctx context.Context, f *frame.Frame) error
}

// Pure adapts a function that needs no context and cannot fail, which is what
// most rankers and filters are.
type Pure func(f *frame.Frame)

// Run calls p.
func (p Pure) Run(_ context.Context, f *frame.Frame) error {
	p(f)
	return nil
}

// Retriever is a stage that adds rows. Neighbouring retrievers search at once;
// then the rows of all of them are merged in the order of the stages, the source
// fills the base columns, and each one's Run scores every row in its columns, so
// that a row found by one channel has its score in the others too.
type Retriever interface {
	Stage
	// Retrieve appends candidates to dst, best first.
	Retrieve(ctx context.Context, q *frame.Query, src frame.Source, dst []frame.Hit) ([]frame.Hit, error)
}

// VectorUser is a stage that needs the query's vector of an embedder.
type VectorUser interface {
	Embedder() string // its name in the configuration
}

// Spreader is a stage that spreads activation over the source's graph, and can say how.
type Spreader interface {
	// Spread returns the steps that activation takes when the stage runs on a frame,
	// which it leaves as it is.
	Spread(ctx context.Context, f *frame.Frame) ([]frame.Spread, error)
}

// Effect says what a stage may do to the order. The conformance suite holds a
// stage to it.
type Effect uint8

// The effects. A stage with none only fills columns.
const (
	Drops  Effect = 1 << iota // may remove live rows
	Orders                    // may reorder live rows
	Adds                      // may add rows: a [Retriever]
)

// Spec declares a stage type.
type Spec struct {
	component.Spec[Stage]
	Folder string         // retrieve, filter, rank, pack, or plugin: where it is listed
	Reads  []frame.Column // hold something before the stage runs
	Any    []frame.Column // at least one does; the others are neutral
	Writes []frame.Column // created or overwritten by the stage
	Effect Effect

	// Timeout is the longest run of a step that sets none; 0 is no limit. Plugins have
	// one.
	Timeout time.Duration

	// Neutral is nil, or parameters under which the stage changes nothing. With them,
	// "does this stage earn its keep" is one more row of a benchmark.
	Neutral any
}

// Registry holds stage types by name.
type Registry = component.Registry[Spec]

// NewRegistry returns a registry of specs, and every problem with them.
func NewRegistry(specs ...Spec) (Registry, error) { return component.NewRegistry(specs...) }

// Step is one configured stage.
type Step struct {
	Name     string // its own name in the configuration
	Spec     Spec
	Stage    Stage
	Required bool // a failure fails the recall, instead of leaving the stage out

	// Timeout ends the context of a run of the stage; 0 is no limit. It binds stages
	// that look at their context: plugins, and what waits for others.
	Timeout time.Duration
}

// limited returns ctx with the step's timeout.
func (s *Step) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.Timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.Timeout)
}
