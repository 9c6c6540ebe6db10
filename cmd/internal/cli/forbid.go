package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/local"
)

func (a *app) forbidCommand() *cobra.Command {
	var in inputFlags
	c := &cobra.Command{
		Use:   "forbid RULE",
		Short: "Make a rule that heads every block",
		Long: `Makes a rule that stands at once, without sleep, and heads every block whatever the
question and the budget. forget lifts it.`,
		Example: `  orma forbid "never run migrations on a Friday"`,
		Args:    wants(1, -1, "a RULE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				input, err := in.input(m)
				if err != nil {
					return err
				}
				if input.Source == "" {
					input.Source = sourceCommand
				}
				added, err := m.Forbid(cmd.Context(), a.space, strings.Join(args, " "), input)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(added)
				}
				a.print("rule %d stands%s", added.RuleID, already(&added))
				return nil
			})
		},
	}
	in.when(c)
	return takesText(c)
}
