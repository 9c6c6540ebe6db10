package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) reindexCommand() *cobra.Command {
	var prune bool
	c := &cobra.Command{
		Use:   "reindex",
		Short: "Make the vectors that are missing, for instance of a new embedder",
		Long: `Makes the vectors that are missing, in every space. It can be stopped and goes on where
it was. --prune then removes the vectors of embedders that are not used any more.`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error { return a.reindex(cmd.Context(), m, prune) })
		},
	}
	c.Flags().BoolVar(&prune, "prune", false, "remove the vectors of other embedders")
	return c
}

func (a *app) reindex(ctx context.Context, m *local.Memory, prune bool) error {
	s, err := m.Stats(ctx)
	if err != nil {
		return err
	}
	made, err := a.embedMissing(ctx, m)
	if err != nil {
		return err
	}
	dropped := map[string]int{}
	for name, n := range s.Vectors {
		if !prune || name == s.Embedder {
			continue
		}
		if err := m.Store.DropVectors(ctx, name); err != nil {
			return err
		}
		dropped[name] = n
	}
	if a.json {
		return a.printJSON(map[string]any{"embedder": s.Embedder, "made": made, "dropped": dropped})
	}
	a.print("made %s with %s", count(made, "vector", "vectors"), s.Embedder)
	for name, n := range dropped {
		a.print("removed %s of %s", count(n, "vector", "vectors"), name)
	}
	return nil
}

// embedMissing makes the missing vectors with a progress bar.
func (a *app) embedMissing(ctx context.Context, m *local.Memory) (int, error) {
	s, err := m.Stats(ctx)
	if err != nil {
		return 0, err
	}
	missing := int64(-s.Vectors[s.Embedder])
	for _, sp := range s.Spaces {
		missing += int64(sp.Passages)
	}
	bar := a.newBar("vectors", missing)
	defer bar.clear()
	return m.Reindex(ctx, func(made int) { bar.set(int64(made)) })
}
