package pipeline

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
)

func anyStep(name string, anyOf, writes []frame.Column) Step {
	return Step{Name: name, Spec: Spec{
		Spec: component.Define(component.About{Name: name}, struct{}{}, func(struct{}, component.Deps) (Stage, error) {
			return Pure(func(*frame.Frame) {}), nil
		}),
		Any: anyOf, Writes: writes,
	}, Stage: Pure(func(*frame.Frame) {})}
}

func TestAnyNeedsOneColumnBeforeTheStage(t *testing.T) {
	a := frame.Column{Name: "a", Kind: frame.KindF32}
	b := frame.Column{Name: "b", Kind: frame.KindF32}
	writeA := anyStep("write_a", nil, []frame.Column{a})
	writeB := anyStep("write_b", nil, []frame.Column{b})
	either := anyStep("either", []frame.Column{a, b}, nil)
	for _, c := range []struct {
		name       string
		steps, off []Step
		want       string
	}{
		{"one of them", []Step{writeA, either}, nil, ""},
		{"both", []Step{writeA, writeB, either}, nil, ""},
		{"switched off", []Step{either}, []Step{writeB}, ""},
		{"none", []Step{either}, nil, "none of which"},
		{"one too late", []Step{writeA, either, writeB}, nil, "only write_b after it writes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := New("recall", nil, c.steps, c.off)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("got error %v, want none", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got error %v, want one with %q", err, c.want)
			case err == nil && (!p.Frame().Has(a) || !p.Frame().Has(b)):
				t.Error("the frame lacks a column that the stage may read")
			}
		})
	}
}
