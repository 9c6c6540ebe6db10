package sleep

import (
	"context"
	"errors"
	"fmt"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
)

// Extract asks a backend for items.
var Extract = sl.Spec{Spec: component.Define(component.About{
	Name:    "extract",
	Summary: "Propose states and events from the lines of a batch",
	Doc: `
The backend reads the citable lines of the batch and the short context around
them, and proposes items. "auto" is a model where an upstream answers and the
built-in rules elsewhere. Nothing it returns is believed: the stages after it
check every item. The known names, attributes and states are given to a model
for naming only.`,
}, ExtractParams{Backend: "auto", KnownNames: 20, KnownAttributes: 30, KnownStates: 20}, newExtract)}

// ExtractParams are the keys of an extract table.
type ExtractParams struct {
	Backend         string `toml:"backend" doc:"auto, rules, llm, wasm:NAME or process:NAME"`
	KnownNames      int    `toml:"known_names" doc:"names given to a model"`
	KnownAttributes int    `toml:"known_attributes" doc:"attributes given to a model"`
	KnownStates     int    `toml:"known_states" doc:"states given to a model"`
}

// Validate reports parameters outside their range.
func (p *ExtractParams) Validate() error {
	for _, k := range []struct {
		name string
		n    int
	}{{"known_names", p.KnownNames}, {"known_attributes", p.KnownAttributes}, {"known_states", p.KnownStates}} {
		if k.n < 0 || k.n > 1000 {
			return fmt.Errorf("%s must be from 0 to 1000", k.name)
		}
	}
	return nil
}

func newExtract(p ExtractParams, _ component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(ctx context.Context, b *sl.Batch) error {
		x, err := b.Env.Backend(ctx, p.Backend)
		if err != nil {
			return err
		}
		b.Backend = x.Name()
		proposals, err := x.Extract(ctx, &sl.Request{
			Space: b.Space, Lines: b.Lines, Context: b.Context, Env: b.Env, Batch: b,
			Known: func() sl.Known { return b.Book.Known(p.KnownNames, p.KnownAttributes, p.KnownStates) },
		})
		if err != nil {
			var slow *sl.SlowAnswer
			if ctx.Err() == nil && !errors.As(err, &slow) && core.CodeOf(err) != core.CodeUnavailable && core.CodeOf(err) != core.CodeConfig {
				return &sl.BadAnswer{Extractor: x.Name(), Err: err}
			}
			return err
		}
		for i, pr := range proposals {
			b.Items = append(b.Items, &sl.Item{Proposal: pr, Number: i + 1, Clause: -1})
		}
		return nil
	}), nil
}
