package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core/config"
)

// helpCommand is "orma help recall". The library's own takes an unknown word for well.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				e := usagef("there is no command %q", strings.Join(args, " "))
				if best := config.Nearest(args[len(args)-1], commandNames(c)); best != "" {
					return e.Hinted("did you mean %s %s?", c.CommandPath(), best)
				}
				return e.Hinted("see orma --help")
			}
			return c.Help()
		},
	}
}
