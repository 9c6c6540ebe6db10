package extracttest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/rules"
	"github.com/orma-memory/orma/sdk/extracttest"
)

// broken panics where it is called.
type broken struct{}

func (broken) Name() string { return "broken" }
func (broken) Extract(context.Context, *sleep.Request) ([]sleep.Proposal, error) {
	panic("not like this")
}

func spec(x sleep.Extractor) component.Spec[sleep.Extractor] {
	return component.Define(component.About{Name: "it", Summary: "It", Doc: "It."}, struct{}{},
		func(struct{}, component.Deps) (sleep.Extractor, error) { return x, nil })
}

// TestBuiltInPasses: what reads lines without a model is held to what plugins are.
func TestBuiltInPasses(t *testing.T) {
	s := extracttest.Suite{Spec: spec(rules.New()), Lines: []string{"I live in Lisbon.", "My sister Asha is a nurse."}}
	for _, r := range extracttest.Check(t.Context(), s) {
		for _, e := range r.Errors {
			t.Errorf("%s: %s", r.Name, e)
		}
	}
}

// TestPanic: code that panics fails its checks and not the program that runs them.
func TestPanic(t *testing.T) {
	failed := 0
	rs := extracttest.Check(t.Context(), extracttest.Suite{Spec: spec(broken{})})
	for _, r := range rs {
		if len(r.Errors) > 0 && strings.Contains(strings.Join(r.Errors, " "), "not like this") {
			failed++
		}
	}
	if len(rs) != len(extracttest.Checks()) || failed < 5 {
		t.Errorf("%d of %d checks report the panic", failed, len(rs))
	}
}
