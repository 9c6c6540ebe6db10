// Package sleep turns episodes into facts that are checked, cited and current.
//
// A sleep reads the episodes that wait, in the order they were said, and cuts
// them into batches of lines. Each batch goes through stages that a
// configuration orders: an extractor proposes items, and the stages after it let
// through only what code could check against the cited line. What is left
// becomes one plan, which the store carries out in one transaction.
//
// No extractor is trusted. A model may answer anything: an item stands or falls
// by the words of the lines it cites.
package sleep

import (
	"context"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/sleep/lang"
)

// Batch is what the stages of one run work on. A batch belongs to one goroutine.
type Batch struct {
	Space   string
	Now     time.Time
	Lines   []*Line // what is read, in the order it was said
	Context []*Line // lines around them that tell who is meant; never cited
	Items   []*Item
	Backend string // what extracted: "rules", "llm:NAME"
	Book    *Book
	Plan    *core.Plan
	Env     *Env

	met int // of how many lines the named relations were entered
}

// Env is what a run lends its stages. It does not change during the run.
type Env struct {
	Languages *lang.Set
	Clock     *clock.Reader
	Order     clock.DateOrder // how dates in digits are read
	Embedder  embed.Embedder  // may be nil: then nothing is accepted as a paraphrase

	// Backend returns the extractor of that name; "auto" is what answers best now.
	Backend func(ctx context.Context, name string) (Extractor, error)
	// Reserve returns the first of n new IDs. In a dry run they are not the store's.
	Reserve func(ctx context.Context, n int) (core.ID, error)
}

// Extractor proposes items from lines. It is safe for concurrent use.
type Extractor interface {
	// Name is recorded with each fact: "rules", "llm:NAME".
	Name() string
	// Extract proposes items. An error with code [core.CodeUnavailable] means that
	// nothing is wrong with the lines; any other error counts against them.
	Extract(ctx context.Context, r *Request) ([]Proposal, error)
}

// Request is what an extractor is given.
type Request struct {
	Space   string
	Lines   []*Line
	Context []*Line
	Known   func() Known // nil for nothing
	Env     *Env
	Batch   *Batch // for extractors of this program, which resolve names themselves
}

// Known lists what a space holds, for naming only: a fact never rests on it.
type Known struct {
	Names      []string
	Attributes []string
	States     []string // "user · home city: Pune"
}

// A Stage does one step of a sleep.
//
// It rejects items, completes them, or adds to the plan. An error ends the batch;
// nothing of it is then written.
type Stage interface {
	Run(ctx context.Context, b *Batch) error
}

// StageFunc is a stage that is a function.
type StageFunc func(ctx context.Context, b *Batch) error

// Run calls f.
func (f StageFunc) Run(ctx context.Context, b *Batch) error { return f(ctx, b) }

// Spec declares a stage type.
type Spec struct {
	component.Spec[Stage]
}

// Registry holds stage types by name.
type Registry = component.Registry[Spec]

// NewRegistry returns a registry of specs, and every problem with them.
func NewRegistry(specs ...Spec) (Registry, error) { return component.NewRegistry(specs...) }

// Step is one configured stage.
type Step struct {
	Name  string // its own name in the configuration
	Spec  Spec
	Stage Stage
}

// Live yields the items that were not rejected.
func (b *Batch) Live(yield func(*Item) bool) {
	for _, it := range b.Items {
		if !it.Live() {
			continue
		}
		if !yield(it) {
			return
		}
		giveWay()
	}
}
