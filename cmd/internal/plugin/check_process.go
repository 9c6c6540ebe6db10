package plugin

import (
	"context"
	"errors"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/extracttest"
	"github.com/orma-memory/orma/sdk/stagetest"
)

// restarts kills a program between calls and in the middle of them. The call that loses
// it may fail; the program must then start again and answer as before.
func restarts(ctx context.Context, p host.Provided, deps component.Deps, kill func()) stagetest.Result {
	r, start := stagetest.Result{Name: "restarts", Doc: "killed at any time, it starts again and answers"}, time.Now()
	defer func() { r.Took = time.Since(start) }()
	call, err := caller(p, deps)
	if err != nil {
		r.Errorf("build: %v", err)
		return r
	}
	for round := range 3 {
		if err := answers(ctx, call); err != nil {
			r.Errorf("round %d: %v %s", round+1, err, contract.Detail(err))
			return r
		}
		if round == 0 {
			kill()
			continue
		}
		done := make(chan error, 1)
		go func() { done <- call(ctx) }()
		kill()
		<-done // it answered before, or lost its program: either will do
	}
	if err := answers(ctx, call); err != nil {
		r.Errorf("at last: %v %s", err, contract.Detail(err))
	}
	return r
}

// answers calls until the program is there again. The call during which the host learns
// that it is gone fails too.
func answers(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var err error
	for range 3 {
		if err = call(ctx); err == nil {
			return nil
		}
		for errors.Is(err, contract.ErrDown) && ctx.Err() == nil { // in a pause
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
			}
			if err = call(ctx); err == nil {
				return nil
			}
		}
	}
	return err
}

// caller returns a small call of the plugin's contract.
func caller(p host.Provided, deps component.Deps) (func(context.Context) error, error) {
	for _, spec := range p.Stages {
		st, err := spec.Build(spec.NewParams(), deps)
		return func(ctx context.Context) error { return st.Run(ctx, stagetest.Frame(&spec, 10, 2)) }, err
	}
	for _, spec := range p.Embedders {
		e, err := spec.Build(spec.NewParams(), deps)
		return func(ctx context.Context) error {
			return e.Embed(ctx, make([]float32, e.Info().Dim), []string{"tea at four"}, embed.Query)
		}, err
	}
	for _, spec := range p.Extractors {
		x, err := spec.Build(spec.NewParams(), deps)
		return func(ctx context.Context) error {
			_, err := x.Extract(ctx, extracttest.Request(0, "Tea is at four."))
			if code := (*contract.CodeError)(nil); errors.As(err, &code) && code.Code == abi.CodeUnavailable {
				return nil // it runs, and says that its service does not
			}
			return err
		}, err
	}
	return nil, errors.New("it provides nothing")
}
