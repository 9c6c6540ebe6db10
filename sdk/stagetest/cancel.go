package stagetest

import (
	"context"
	"errors"
	"time"

	"github.com/orma-memory/orma/core/frame"
)

// hung is how long a run with a cancelled context may take before the suite gives
// up on it. A stage should need far less than a tenth of a second.
const hung = 10 * time.Second

// checkCancel runs the stage with a context that has ended. It may do its work all
// the same, if that is short, or return the context's error and leave the frame as
// it found it.
func checkCancel(ctx context.Context, r Reporter, s *Suite) {
	st := s.build(r)
	if st == nil {
		return
	}
	cancelled, cancel := context.WithCancelCause(ctx)
	cancel(context.Canceled)
	for seed := range uint64(2) {
		f := Frame(&s.Spec, 10_000, seed)
		before, whole := f.Clone(), f.Clone()
		type outcome struct {
			err   error
			panic any
		}
		done := make(chan outcome, 1)
		go func() {
			var o outcome
			defer func() {
				o.panic = recover()
				done <- o
			}()
			o.err = st.Run(cancelled, f)
		}()
		timer := time.NewTimer(hung)
		var o outcome
		select {
		case o = <-done:
			timer.Stop()
		case <-timer.C:
			r.Errorf("seed=%d: a cancelled run has not ended after %v", seed, hung)
			return
		}
		if why := cancelBroken(ctx, st.Run, o.err, o.panic, f, before, whole); why != "" {
			r.Errorf("seed=%d: %s", seed, why)
			return
		}
	}
}

func cancelBroken(ctx context.Context, run func(context.Context, *frame.Frame) error, err error, panicked any, f, before, whole *frame.Frame) string {
	switch {
	case panicked != nil:
		return "a cancelled run panics"
	case err == nil:
		if err := run(ctx, whole); err != nil {
			return err.Error()
		}
		if why := differ(f, whole); why != "" {
			return "a cancelled run reports success, but " + why
		}
	case !errors.Is(err, context.Canceled):
		return "a cancelled run fails with another error: " + err.Error()
	default:
		if why := differ(f, before); why != "" {
			return "a failed run did not leave the frame alone: " + why
		}
	}
	return ""
}
