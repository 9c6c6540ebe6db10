package extracttest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/sdk/extracttest"
)

// broken panics where it is called.
type broken struct{}

func (broken) Name() string { return "broken" }
func (broken) Extract(context.Context, *sleep.Request) ([]sleep.Proposal, error) {
	panic("not like this")
}

// TestPanic: code that panics fails its checks and not the program that runs them.
func TestPanic(t *testing.T) {
	spec := component.Define(component.About{Name: "it", Summary: "It", Doc: "It."}, struct{}{},
		func(struct{}, component.Deps) (sleep.Extractor, error) { return broken{}, nil })
	failed := 0
	rs := extracttest.Check(t.Context(), extracttest.Suite{Spec: spec})
	for _, r := range rs {
		if len(r.Errors) > 0 && strings.Contains(strings.Join(r.Errors, " "), "not like this") {
			failed++
		}
	}
	if len(rs) != len(extracttest.Checks()) || failed < 5 {
		t.Errorf("%d of %d checks report the panic", failed, len(rs))
	}
}
