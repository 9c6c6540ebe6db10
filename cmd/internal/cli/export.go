package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) exportCommand() *cobra.Command {
	var all bool
	var out string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write a space as JSON lines that import takes back",
		Long: `Writes episodes with their repeats and times to live, the rules and facts that commands
made, and what was commanded. What sleep made is not in it: sleep makes it again. The
file holds everything that was said; keep it as safe as the database.`,
		Example: `  orma export > default.jsonl
  orma export --all --out everything.jsonl`,
		Args: wants(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(m *local.Memory) error {
				spaces, err := a.exported(cmd.Context(), m, all)
				if err != nil {
					return err
				}
				if out == "" {
					return a.writeExport(cmd.Context(), m, spaces, all, a.out)
				}
				return a.exportTo(cmd.Context(), m, spaces, all, out)
			})
		},
	}
	c.Flags().BoolVar(&all, "all", false, "every space, each row with its space's name")
	c.Flags().StringVar(&out, "out", "", "`FILE` to write, which must not exist (default standard output)")
	return c
}

// exported returns the spaces that are written.
func (a *app) exported(ctx context.Context, m *local.Memory, all bool) ([]string, error) {
	stats, err := m.Store.Spaces(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range stats {
		if all || s.Space == a.space {
			names = append(names, s.Space)
		}
	}
	if len(names) == 0 {
		return nil, core.Errorf(core.CodeNotFound, "there is nothing in space %q to export", a.space).Hinted("stats lists the spaces")
	}
	return names, nil
}

func (a *app) writeExport(ctx context.Context, m *local.Memory, spaces []string, all bool, w io.Writer) error {
	total := 0
	for _, s := range spaces {
		name := ""
		if all {
			name = s
		}
		n, err := history.Export(ctx, m.Store, s, name, w)
		if err != nil {
			return err
		}
		total += n
	}
	a.say("exported %s of %s", count(total, "episode", "episodes"), count(len(spaces), "space", "spaces"))
	return nil
}

// exportTo writes a new file that only the user may read. One that is not whole is
// removed.
func (a *app) exportTo(ctx context.Context, m *local.Memory, spaces []string, all bool, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return core.Errorf(core.CodeConflict, "%s exists already", path).Hinted("give a new path")
	}
	if err != nil {
		return core.Errorf(core.CodeUnavailable, "%s cannot be written: %w", path, err)
	}
	err = a.writeExport(ctx, m, spaces, all, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
