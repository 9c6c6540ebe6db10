package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// helpCommand is "orma help recall". The library's own takes an unknown word for well.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q", strings.Join(args, " ")).Hinted("see orma --help")
			}
			return c.Help()
		},
	}
}
