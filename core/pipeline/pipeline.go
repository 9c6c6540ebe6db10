package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core/frame"
)

// Pipeline is an ordered list of steps whose data flow has been checked. It is
// safe for concurrent use.
type Pipeline struct {
	name   string
	steps  []Step
	cols   []frame.Column
	frames sync.Pool
}

// New returns a pipeline, or every step that reads a column nothing provides.
//
// base lists the columns that hold something at the start. off lists steps that
// were switched off: their columns count as provided, at their neutral values.
func New(name string, base []frame.Column, steps, off []Step) (*Pipeline, error) {
	p := &Pipeline{name: name, steps: steps}
	have := map[string]bool{}
	provide := func(cols []frame.Column) {
		for _, c := range cols {
			if !have[c.Name] {
				have[c.Name] = true
				p.cols = append(p.cols, c)
			}
		}
	}
	lazy := func(c frame.Column) bool { return c.Name == frame.Text.Name || c.Name == frame.Vector.Name }
	for _, c := range base {
		if !lazy(c) {
			provide([]frame.Column{c})
		}
	}
	errs := []error{checkKinds(base, append(slices.Clone(off), steps...))}
	for _, s := range off {
		provide(s.Spec.Writes)
	}
	for i, s := range steps {
		errs = append(errs, checkAny(s, steps[i+1:], have))
		for _, c := range s.Spec.Reads {
			if lazy(c) && slices.ContainsFunc(base, func(b frame.Column) bool { return b.Name == c.Name }) {
				provide([]frame.Column{c})
			}
			if !have[c.Name] {
				errs = append(errs, fmt.Errorf("%s reads column %q, which nothing before it writes", s.Name, c.Name))
			}
		}
		provide(s.Spec.Writes)
	}
	for i, s := range steps {
		if _, ok := s.Stage.(Retriever); ok && i > 0 {
			if _, ok := steps[i-1].Stage.(Retriever); !ok {
				errs = append(errs, fmt.Errorf("%s adds rows and must stand before the stages that fill or rank them", s.Name))
			}
		}
	}
	for _, s := range steps {
		provide(s.Spec.Any)
	}
	p.frames.New = func() any { return frame.New(0, p.cols...) }
	return p, errors.Join(errs...)
}

// checkKinds reports steps that take a column for another kind than an earlier one, or
// the base, does. Only plugins can: what is compiled in shares its columns.
func checkKinds(base []frame.Column, steps []Step) error {
	kinds := map[string]frame.Kind{}
	for _, c := range base {
		kinds[c.Name] = c.Kind
	}
	var errs []error
	for _, s := range steps {
		for _, c := range slices.Concat(s.Spec.Reads, s.Spec.Any, s.Spec.Writes) {
			if k, ok := kinds[c.Name]; ok && k != c.Kind {
				errs = append(errs, fmt.Errorf("%s takes column %q for %v, but it is %v", s.Name, c.Name, c.Kind, k))
				continue
			}
			kinds[c.Name] = c.Kind
		}
	}
	return errors.Join(errs...)
}

// checkAny reports a step that finds none of the columns it can do with, or one
// that a later step writes, which would be a stage in the wrong place.
func checkAny(s Step, later []Step, have map[string]bool) error {
	var missing []string
	for _, c := range s.Spec.Any {
		if have[c.Name] {
			continue
		}
		missing = append(missing, c.Name)
		for _, l := range later {
			if slices.ContainsFunc(l.Spec.Writes, func(w frame.Column) bool { return w.Name == c.Name }) {
				return fmt.Errorf("%s reads column %q, which only %s after it writes", s.Name, c.Name, l.Name)
			}
		}
	}
	if n := len(s.Spec.Any); n > 0 && len(missing) == n {
		return fmt.Errorf("%s reads one of the columns %s, none of which anything before it writes", s.Name, strings.Join(missing, ", "))
	}
	return nil
}

// Name returns the pipeline's name.
func (p *Pipeline) Name() string { return p.name }

// Steps returns the steps in order. The slice is the pipeline's own.
func (p *Pipeline) Steps() []Step { return p.steps }

// Frame returns an empty frame with the pipeline's columns. Give it back with
// [Pipeline.Done].
func (p *Pipeline) Frame() *frame.Frame { return p.frames.Get().(*frame.Frame) }

// Done takes a frame back for the next run.
func (p *Pipeline) Done(f *frame.Frame) {
	f.Reset()
	p.frames.Put(f)
}

// Record is what one step did, for explanations and benchmarks.
type Record struct {
	Step    string
	Took    time.Duration
	In, Out int // live rows
	Err     error

	// Scores holds the score of every row after the step, by row; nil unless the run
	// was traced.
	Scores []float32
	// Spread is how a [Spreader] spread activation; nil unless the run was traced.
	Spread []frame.Spread
}

// Trace collects records. A nil *Trace collects nothing and costs nothing.
type Trace struct {
	Records []Record
}

func (t *Trace) add(r Record, f *frame.Frame) {
	if t == nil {
		return
	}
	if f.Has(frame.Score) {
		r.Scores = slices.Clone(f.F32(frame.Score))
	}
	t.Records = append(t.Records, r)
}

// spread asks a step how it is about to spread activation. One that cannot tell is not
// worth a note: its run says what is wrong.
func (t *Trace) spread(ctx context.Context, s Step, f *frame.Frame) []frame.Spread {
	sp, ok := s.Stage.(Spreader)
	if t == nil || !ok {
		return nil
	}
	limited, cancel := s.limited(ctx)
	defer cancel()
	out, err := sp.Spread(limited, f)
	if err != nil {
		return nil
	}
	return out
}

// Note is a stage that was left out of a run, and why.
type Note struct {
	Step string
	Err  error
}

// Run runs the steps over f in order. A step that fails is left out, with a note,
// unless it is required; only a required step or a context that ended make an
// error.
func (p *Pipeline) Run(ctx context.Context, f *frame.Frame, t *Trace) ([]Note, error) {
	n := 0
	for n < len(p.steps) {
		if _, ok := p.steps[n].Stage.(Retriever); !ok {
			break
		}
		n++
	}
	notes, err := p.retrieve(ctx, p.steps[:n], f)
	if err != nil {
		return notes, err
	}
	for i, s := range p.steps {
		if err := ctx.Err(); err != nil {
			return notes, err
		}
		spread := t.spread(ctx, s, f)
		in, start := len(f.Order()), time.Now()
		limited, cancel := s.limited(ctx)
		err := s.Stage.Run(limited, f)
		cancel()
		t.add(Record{Step: s.Name, Took: time.Since(start), In: in, Out: len(f.Order()), Err: err, Spread: spread}, f)
		if err == nil {
			continue
		}
		if s.Required || ctx.Err() != nil {
			return notes, fmt.Errorf("%s/%s: %w", p.name, s.Name, err)
		}
		if i >= n || !noted(notes, s.Name) {
			notes = append(notes, Note{s.Name, err})
		}
	}
	return notes, nil
}

func noted(notes []Note, step string) bool {
	return slices.ContainsFunc(notes, func(n Note) bool { return n.Step == step })
}

// goroutineRows is the size from which retrievers run at once: below it, starting
// a goroutine costs more than a search.
const goroutineRows = 20_000

// retrieve gathers the rows of all retrievers and has the source fill them.
func (p *Pipeline) retrieve(ctx context.Context, steps []Step, f *frame.Frame) ([]Note, error) {
	if len(steps) == 0 || f.Source == nil {
		return nil, nil
	}
	hits := make([][]frame.Hit, len(steps))
	errs := make([]error, len(steps))
	search := func(i int) {
		limited, cancel := steps[i].limited(ctx)
		defer cancel()
		hits[i], errs[i] = steps[i].Stage.(Retriever).Retrieve(limited, f.Query, f.Source, nil)
	}
	if len(steps) > 1 && f.Source.Rows() >= goroutineRows {
		var wg sync.WaitGroup
		for i := range steps {
			wg.Go(func() { search(i) })
		}
		wg.Wait()
	} else {
		for i := range steps {
			search(i)
		}
	}
	var notes []Note
	for i, s := range steps {
		if errs[i] != nil {
			if s.Required || ctx.Err() != nil {
				return notes, fmt.Errorf("%s/%s: %w", p.name, s.Name, errs[i])
			}
			notes = append(notes, Note{s.Name, errs[i]})
		}
		f.Rows(hits[i])
	}
	return notes, f.Source.Fill(f)
}
