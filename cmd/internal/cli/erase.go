package cli

import (
	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) eraseCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "erase ID",
		Short: "Remove an episode and all that was made of it, for good",
		Long: `Removes an episode, its repeats, and everything derived from it: lines, vectors,
facts that rest on it alone. Nothing of its text stays in the file. It cannot be
undone. The receipt names known backups that still hold it.`,
		Example: `  orma search "my old address"
  orma erase 14`,
		Args: wants(1, 1, "the ID of an episode"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				rc, err := m.Erase(cmd.Context(), a.space, id)
				if err != nil {
					return err
				}
				return a.printReceipt(&rc)
			})
		},
	}
}

func (a *app) eraseSpaceCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:     "erase-space NAME",
		Short:   "Remove a space with everything in it, for good",
		Example: `  orma erase-space old-project --yes`,
		Args:    wants(1, 1, "the NAME of a space"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.confirm(yes, "remove the space "+args[0]+" with everything in it, for good"); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				rc, err := m.EraseSpace(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.printReceipt(&rc)
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do it without asking")
	return c
}

// printReceipt says what an erasure removed.
func (a *app) printReceipt(rc *core.Receipt) error {
	if a.json {
		return a.printJSON(rc)
	}
	a.print("erased %s, %s, %s, %s, %s, %s", count(len(rc.Episodes), "episode", "episodes"), count(rc.Passages, "line", "lines"),
		count(rc.Vectors, "vector", "vectors"), count(rc.States, "fact", "facts"), count(rc.Events, "event", "events"), count(rc.Uses, "use", "uses"))
	if rc.Clean {
		a.print("the file was rewritten without them")
	} else {
		a.say("note: another process holds the file, or its disk or that of TMPDIR has no room for a copy, so old pages may still have the text; run orma doctor --fix later")
	}
	for _, b := range rc.Backups {
		a.say("note: the backup %s still holds it", b)
	}
	return nil
}
