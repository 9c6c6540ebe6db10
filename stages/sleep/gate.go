package sleep

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
)

// Gate decides what each item changes.
var Gate = sl.Spec{Spec: component.Define(component.About{
	Name:    "gate",
	Summary: "Supersede, confirm, end or forbid",
	Doc: `
What is prohibited becomes a rule; only user and note lines make rules. A state
with a condition stands beside the one without. Any other state closes the one
that was said before it, and one that arrives late becomes history. The same value
again adds a source. Values are the same by their words: numbers, dates, units,
names and negation count. Likes, allergies, languages, rules and their kin keep
every value. What the user forgot or corrected does not come back.`,
}, GateParams{Conditions: true}, newGate)}

// GateParams are the keys of a gate table.
type GateParams struct {
	Conditions bool `toml:"conditions" doc:"keep a state with a condition beside the one without"`
}

func newGate(p GateParams, _ component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(_ context.Context, b *sl.Batch) error {
		for it := range b.Live {
			b.Gate(it, p.Conditions)
		}
		return nil
	}), nil
}
