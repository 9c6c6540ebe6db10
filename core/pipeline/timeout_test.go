package pipeline_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// waiter is a stage that ends with its context.
type waiter struct{}

func (waiter) Run(ctx context.Context, _ *frame.Frame) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestTimeoutLeavesAStageOut(t *testing.T) {
	for _, required := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			steps := []pipeline.Step{{Name: "slow", Stage: waiter{}, Timeout: 20 * time.Millisecond, Required: required}}
			p, err := pipeline.New("recall", frame.Base(), steps, nil)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			notes, err := p.Run(t.Context(), p.Frame(), nil)
			if took := time.Since(start); took != 20*time.Millisecond {
				t.Errorf("ended after %v", took)
			}
			if required != errors.Is(err, context.DeadlineExceeded) || required == (len(notes) == 1) {
				t.Errorf("required %v: notes %v, error %v", required, notes, err)
			}
		})
	}
}
