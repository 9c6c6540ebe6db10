package pipeline_test

import (
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

func TestKinds(t *testing.T) {
	nothing := pipeline.Pure(func(*frame.Frame) {})
	f32 := frame.Column{Name: "mine", Kind: frame.KindF32}
	i64 := frame.Column{Name: "mine", Kind: frame.KindI64}
	score := frame.Column{Name: "score", Kind: frame.KindI64}
	step := func(name string, reads, writes []frame.Column) pipeline.Step {
		return pipeline.Step{Name: name, Stage: nothing, Spec: pipeline.Spec{Reads: reads, Writes: writes}}
	}
	for _, c := range []struct {
		name, want string
		steps      []pipeline.Step
	}{
		{"agreeing", "", []pipeline.Step{step("a", nil, []frame.Column{f32}), step("b", []frame.Column{f32}, nil)}},
		{"a reader of another kind", `b takes column "mine" for i64, but it is f32`, []pipeline.Step{step("a", nil, []frame.Column{f32}), step("b", []frame.Column{i64}, nil)}},
		{"a writer of another kind", `b takes column "mine" for i64, but it is f32`, []pipeline.Step{step("a", nil, []frame.Column{f32}), step("b", nil, []frame.Column{i64})}},
		{"a column of the engine", `a takes column "score" for i64, but it is f32`, []pipeline.Step{step("a", []frame.Column{score}, nil)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pipeline.New("recall", frame.Base(), c.steps, nil)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("New: %v, want %q", err, c.want)
			}
		})
	}
}
