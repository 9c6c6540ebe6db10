package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// family makes a command that does nothing but hold others: called alone, it says which.
func family(c *cobra.Command, members ...*cobra.Command) *cobra.Command {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name()
	}
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return usagef("%s needs %s", cmd.Name(), oneOf(names)).Hinted("see %s --help", cmd.CommandPath())
	}
	c.AddCommand(members...)
	return c
}

// oneOf joins words with commas, and an "or" before the last.
func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
