// Package stagetest is the conformance suite of recall stages. Every stage passes
// it, wherever its code runs: in this binary, in a WASM module or in a plugin
// process.
//
// A test calls [Run]. A program that has no testing.T, such as the one that checks
// a plugin, calls [Check] and prints what comes back. Both run the same list,
// [Checks].
//
// The frames are made up by [Frame]: ordinary ones, and hostile ones with ties,
// zeros, negative ages, times in the future, empty lists and values near the end of
// what a float32 holds. What a stage leaves behind must be finite all the same.
package stagetest

import (
	"context"
	"fmt"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/pipeline"
)

// Sizes returns the row counts that most checks run at: the edges, a real size and a
// large one. The race detector, which finds nothing more in many rows than in a few,
// is spared the last.
func Sizes() []int {
	if raceEnabled {
		return []int{0, 1, 2, 257}
	}
	return []int{0, 1, 2, 257, 10_000}
}

// Suite is a stage type and what is asked of it. Only Spec is needed.
type Suite struct {
	Spec pipeline.Spec
	// Params are the parameters to run with; nil means the defaults.
	Params any
	// Deps is what the stage is built with.
	Deps component.Deps
	// Twin is a stage type that Spec must agree with on every column that Twin writes
	// and on the order: the built-in that a plugin replaces, or the original of a
	// rewrite. Nil means none.
	Twin *pipeline.Spec
	// Tolerance is the greatest difference to Twin, relative to the larger value.
	Tolerance float32
	// AllocFree says that a warm stage must not allocate on the heap. It is not checked
	// under the race detector, which allocates itself.
	AllocFree bool
	// MaxNanosPerRow is the longest that one row may take at 1,000 rows; zero means no
	// limit. It is for plugins with a promised ceiling, and depends on the machine.
	MaxNanosPerRow float64
}

// Reporter receives what a check finds. A *testing.T is one.
type Reporter interface {
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// One is one check of a suite S.
type One[S any] struct {
	Name string // lower_snake_case
	Doc  string // what it proves, one clause
	Run  func(ctx context.Context, r Reporter, s *S)
}

// Checks returns the checks in the order they run.
func Checks() []One[Suite] {
	return []One[Suite]{
		{"spec", "name, summary, doc and tags are in order and the defaults build", checkSpec},
		{"valid", "values stay finite, scores stay at or above zero, the order stays sound", checkValid},
		{"declared", "nothing changes but the columns in Writes, and the order as Effect says", checkDeclared},
		{"deterministic", "equal frames give equal bytes", checkDeterministic},
		{"neutral", "with the Neutral parameters nothing changes but the stage's own columns", checkNeutral},
		{"concurrent", "runs at once give what runs in turn give", checkConcurrent},
		{"parity", "the stage agrees with its twin", checkParity},
		{"relabel", "permuting the rows permutes the result and nothing else", checkRelabel},
		{"retrieve", "a retriever returns each item once, best first, within the source", checkRetrieve},
		{"cancel", "a cancelled context ends a run, and a failed run leaves the frame alone", checkCancel},
		{"fail", "when the source fails, so does the run, and it leaves the frame alone", checkFail},
		{"leak", "no goroutine outlives the stage", checkLeak},
		{"cost", "time and allocations of a row, within the limits if there are any", checkCost},
	}
}

// tester is what [Run] needs of a *testing.T. It is not named here, so that
// programs which use [Check] do not link the testing package.
type tester[T any] interface {
	Reporter
	Helper()
	Run(name string, f func(T)) bool
}

// Run holds a stage with its default parameters to the suite.
func Run[T tester[T]](t T, spec pipeline.Spec) {
	t.Helper()
	RunSuite(t, Suite{Spec: spec})
}

// RunSuite runs every check of the suite as a subtest.
func RunSuite[T tester[T]](t T, s Suite) {
	t.Helper()
	for _, c := range Checks() {
		t.Run(c.Name, func(t T) {
			t.Helper()
			c.guarded(context.Background(), t, &s)
		})
	}
}

// Result is what one check found.
type Result struct {
	Name   string
	Doc    string
	Errors []string // empty: passed
	Notes  []string
	Took   time.Duration
}

// Check runs every check of the suite and returns the results in the order of
// [Checks]. It stops between checks when ctx ends.
func Check(ctx context.Context, s Suite) []Result { return Each(ctx, &s, Checks()) }

// Each runs checks over a suite, of stages or of anything else, and returns the results
// in their order. It stops between checks when ctx ends.
func Each[S any](ctx context.Context, s *S, checks []One[S]) []Result {
	var out []Result
	for _, c := range checks {
		if ctx.Err() != nil {
			return out
		}
		res, start := Result{Name: c.Name, Doc: c.Doc}, time.Now()
		c.guarded(ctx, &res, s)
		res.Took = time.Since(start)
		out = append(out, res)
	}
	return out
}

// Errorf adds an error to the result.
func (r *Result) Errorf(format string, args ...any) {
	r.Errors = append(r.Errors, fmt.Sprintf(format, args...))
}

// Logf adds a note to the result.
func (r *Result) Logf(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// guarded runs the check and turns a panic of what is checked into an error: touching a
// column that was not declared is one.
func (c One[S]) guarded(ctx context.Context, r Reporter, s *S) {
	defer func() {
		if v := recover(); v != nil {
			r.Errorf("panic: %v", v)
		}
	}()
	c.Run(ctx, r, s)
}

// build returns the stage with the suite's parameters, or reports why not.
func (s *Suite) build(r Reporter) pipeline.Stage {
	params := s.Params
	if params == nil {
		params = s.Spec.NewParams()
	}
	return buildSpec(r, &s.Spec, params, s.Deps)
}

func buildSpec(r Reporter, spec *pipeline.Spec, params any, d component.Deps) pipeline.Stage {
	st, err := spec.Build(params, d)
	if err != nil {
		r.Errorf("build: %v", err)
		return nil
	}
	return st
}
