package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sqlite"
)

func (a *app) doctorCommand() *cobra.Command {
	var fix bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check the database, and with --fix rebuild what is derived",
		Long: `Checks the file's integrity, and that every derived row fits the episodes. --fix makes
the file anew from what can be read and derives the rest again; the damaged one is
kept beside it. Stop other processes that use the file first.`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opened := false
			check := func() error {
				return a.with(cmd.Context(), func(m *local.Memory) error {
					opened = true
					return a.doctor(cmd.Context(), m, fix)
				})
			}
			err := check()
			if fix && !opened && core.CodeOf(err) == core.CodeCorrupt {
				kept, lerr := a.lengthen()
				if lerr != nil {
					return lerr
				}
				if kept != "" {
					a.say("the file was cut off; it is kept as %s", kept)
					err = check()
				}
			}
			if e := (*core.Error)(nil); errors.As(err, &e) && e.Code == core.CodeCorrupt && !opened {
				return e.Hinted("if it is encrypted, name its key in [store]; else it cannot be opened at all, and only a backup helps: orma restore FILE")
			}
			return err
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "rebuild what is derived")
	return c
}

// lengthen makes a database that was cut off one that can be opened, and returns where
// the short one is kept.
func (a *app) lengthen() (kept string, err error) {
	cfg, o, err := a.load()
	if err != nil {
		return "", err
	}
	return sqlite.Lengthen(o.Database(cfg))
}

// doctor checks an open database.
func (a *app) doctor(ctx context.Context, m *local.Memory, fix bool) error {
	h, err := m.Store.Check(ctx, fix, m.Derive)
	if err != nil {
		return err
	}
	if err := a.printHealth(&h); err != nil {
		return err
	}
	if !h.OK {
		e := core.Errorf(core.CodeCorrupt, "the database has %s", count(len(h.Problems), "problem", "problems"))
		if fix {
			return e.Hinted("what is left of them after a repair needs a backup: orma restore FILE")
		}
		return e.Hinted("run orma doctor --fix")
	}
	a.printHookFailures(m.Home)
	return a.missingVectors(ctx, m)
}

// missingVectors says how many lines are found by their words alone.
func (a *app) missingVectors(ctx context.Context, m *local.Memory) error {
	s, err := m.Stats(ctx)
	if err == nil && s.EmbedderError != "" {
		a.say("note: recall goes by text alone, for there are no vectors: %s", s.EmbedderError)
	}
	if err != nil || s.Embedder == "" {
		return err
	}
	missing, err := m.Store.MissingVectors(ctx, "", s.Embedder, 0, 1)
	if err == nil && len(missing) > 0 {
		a.say("note: some lines have no vectors of %s, so they are found by their words alone; orma reindex makes those that can be made", s.Embedder)
	}
	return err
}

func (a *app) printHealth(h *core.Health) error {
	if a.json {
		return a.printJSON(h)
	}
	for _, p := range h.Problems {
		a.print("problem: %s", clean(p))
	}
	for _, f := range h.Fixed {
		a.print("fixed: %s", clean(f))
	}
	if len(h.Problems) == 0 {
		a.print("ok")
	}
	return nil
}
