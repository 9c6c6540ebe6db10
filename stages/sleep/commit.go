package sleep

import (
	"context"

	"github.com/orma-memory/orma/core/component"
	sl "github.com/orma-memory/orma/core/sleep"
)

// Commit makes the plan.
var Commit = sl.Spec{Spec: component.Define(component.About{
	Name:    "commit",
	Summary: "Turn what the gate let through into one plan",
	Doc: `
Names of the batch's lines become entities or aliases of known ones, linked with
their lines, with what was taken from these, and with each other. States, events,
closings, sources, entities, links and uses become one plan, which is carried out
in one transaction with the note that the lines are done.`,
}, CommitParams{Links: true}, newCommit)}

// CommitParams are the keys of a commit table.
type CommitParams struct {
	Links bool `toml:"links" doc:"link names that stand in one line"`
}

func newCommit(p CommitParams, _ component.Deps) (sl.Stage, error) {
	return sl.StageFunc(func(ctx context.Context, b *sl.Batch) error {
		if p.Links {
			b.Link()
		}
		return b.Book.Fill(ctx, b.Plan, b.Env.Reserve)
	}), nil
}
