package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) correctCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "correct ID TEXT",
		Short: "Replace the value of a fact",
		Long: `Replaces the value of a fact by what you say it is. The old value stays in the
history, superseded; the correction is an episode of its own, from which the new
value comes.`,
		Example: `  orma correct 14 "Lisbon"`,
		Args:    wants(2, -1, "the ID of a fact and a TEXT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				f, err := m.Correct(cmd.Context(), a.space, id, strings.Join(args[1:], " "), time.Time{})
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(f)
				}
				a.print("corrected: %d  %s", f.ID, factLine(&f))
				return nil
			})
		},
	}
	return takesText(c)
}
