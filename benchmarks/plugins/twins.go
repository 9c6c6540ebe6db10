// Package plugins measures what a plugin costs beyond a built-in stage that does the
// same: the twins below are the same arithmetic in Go.
package plugins

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
)

// Deadline is what a recall gives a plugin.
const Deadline = 20 * time.Millisecond

// params of twins: they have none.
type params struct{}

func stage(f func(f *frame.Frame)) component.Spec[pipeline.Stage] {
	return component.Define(component.About{Name: "twin", Summary: "Twin", Doc: "Twin."}, params{},
		func(params, component.Deps) (pipeline.Stage, error) {
			return pipeline.Pure(f), nil
		})
}

// Young is the ranker of the templates, built in.
func Young() pipeline.Spec {
	const weight, halfLife = 0.3, 30.0
	return pipeline.Spec{
		Spec: stage(func(f *frame.Frame) {
			score, age := f.F32(frame.Score), f.F32(frame.AgeDays)
			for i := range score {
				days := max(float64(age[i]), 0)
				v := float64(score[i]) * (1 + weight*math.Exp2(-days/halfLife))
				score[i] = float32(min(v, math.MaxFloat32))
			}
		}),
		Reads: []frame.Column{frame.Score, frame.AgeDays}, Writes: []frame.Column{frame.Score},
	}
}

// Terms is plugins/term_weights, built in, for words of ASCII.
func Terms(factors map[string]float32) pipeline.Spec {
	return pipeline.Spec{
		Spec: stage(func(f *frame.Frame) {
			score, text := f.F32(frame.Score), f.Strings(frame.Text)
			for row, t := range text {
				factor := float32(1)
				seen := map[string]bool{}
				for word := range strings.FieldsFuncSeq(t, func(r rune) bool { return !letter(r) }) {
					word = strings.ToLower(word)
					if by, ok := factors[word]; ok && !seen[word] {
						seen[word] = true
						factor *= by
					}
				}
				score[row] *= min(max(factor, 0.25), 4)
			}
		}),
		Reads: []frame.Column{frame.Score, frame.Text}, Writes: []frame.Column{frame.Score},
	}
}

func letter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r >= 0x80
}

// Run runs a stage with the deadline that a recall gives a plugin.
func Run(ctx context.Context, st pipeline.Stage, f *frame.Frame) error {
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	return st.Run(ctx, f)
}
