package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) forgetCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:   "forget ID",
		Short: "End a fact or lift a rule; its history is kept",
		Long: `Ends a fact or lifts a rule. It is not recalled any more, the line it came from is
marked, and no later sleep brings it back. Its history is kept; erase removes text.`,
		Example: `  orma facts
  orma forget 14`,
		Args: wants(1, 1, "the ID of a fact"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				f, err := m.Forget(cmd.Context(), a.space, id, reason, time.Time{})
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(f)
				}
				a.print("forgotten: %d  %s", f.ID, factLine(&f))
				return nil
			})
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "`WHY`, kept in the journal")
	return c
}
