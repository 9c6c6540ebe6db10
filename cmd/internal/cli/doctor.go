package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
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
			return a.with(cmd.Context(), func(m *local.Memory) error {
				h, err := m.Store.Check(cmd.Context(), fix, m.Derive)
				if err != nil {
					return err
				}
				if err := a.printHealth(&h); err != nil {
					return err
				}
				if !h.OK {
					e := core.Errorf(core.CodeCorrupt, "the database has %s", count(len(h.Problems)-len(h.Fixed), "problem", "problems"))
					if fix {
						return e.Hinted("restore a backup with orma restore FILE")
					}
					e.Text = fmt.Sprintf("the database has %s", count(len(h.Problems), "problem", "problems"))
					return e.Hinted("run orma doctor --fix")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "rebuild what is derived")
	return c
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
