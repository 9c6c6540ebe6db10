package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) eraseCommand() *cobra.Command {
	var f eraseFlags
	c := &cobra.Command{
		Use:   "erase ID | --source NAME",
		Short: "Remove an episode and all that was made of it, for good",
		Long: `Removes an episode, its repeats, and everything derived from it: lines, vectors,
facts that rest on it alone. Nothing of its text stays in the file. It cannot be
undone. The receipt names known backups that still hold it.

With --source it removes all that came from a source, such as an import that was a
mistake. What another source said too stays. A NAME that ends with * is all sources
whose names begin so. --dry-run says what would go; quarantine hides it instead.`,
		Example: `  orma search "my old address"
  orma erase 14
  orma erase --source chatgpt --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.Flag("source").Changed {
				return wants(0, 0, "no ID beside --source")(cmd, args)
			}
			return wants(1, 1, "the ID of an episode, or --source")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flag("source").Changed {
				return a.eraseSource(cmd.Context(), &f)
			}
			if f.dry {
				return usagef("--dry-run goes with --source")
			}
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
	c.Flags().StringVar(&f.source, "source", "", "all that only the source `NAME` said")
	c.Flags().BoolVar(&f.dry, "dry-run", false, "say what would go, and remove nothing")
	c.Flags().BoolVar(&f.yes, "yes", false, "do it without asking; an ID is not asked for")
	return c
}

type eraseFlags struct {
	source   string
	dry, yes bool
}

// eraseSource removes what came from a source, once it is confirmed.
func (a *app) eraseSource(ctx context.Context, f *eraseFlags) error {
	return a.with(ctx, func(m *local.Memory) error {
		rc, err := m.EraseSource(ctx, a.space, f.source, true)
		if err != nil {
			return err
		}
		if f.dry {
			if a.json {
				return a.printJSON(rc)
			}
			a.print("would erase %s", removed(&rc))
			return nil
		}
		if len(rc.Episodes) > 0 {
			if err := a.confirm(f.yes, "remove "+removed(&rc)+" of source "+f.source+", for good"); err != nil {
				return err
			}
		}
		if rc, err = m.EraseSource(ctx, a.space, f.source, false); err != nil {
			return err
		}
		return a.printReceipt(&rc)
	})
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
	a.print("erased %s", removed(rc))
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

// removed counts what is in a receipt.
func removed(rc *core.Receipt) string {
	return strings.Join([]string{
		count(len(rc.Episodes), "episode", "episodes"), count(rc.Passages, "line", "lines"), count(rc.Vectors, "vector", "vectors"),
		count(rc.States, "fact", "facts"), count(rc.Events, "event", "events"), count(rc.Uses, "use", "uses"),
	}, ", ")
}
