package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) importCommand() *cobra.Command {
	var source, trust, zone string
	levels := []string{"user", "note", "document", "import", "assistant", "tool"}
	c := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Take in a history of JSON lines",
		Long: `Reads one JSON object a line:

  {"id", "at", "role", "text", "session", "kind", "tz", "ttl", "speaker", "source"}

Only text is needed. A bad row is reported with its line and left out; the rest is
kept. What was imported before, by id, source and text, is passed over, so that an
import that was stopped can be started again. The rows of an export go to the spaces
they name, and everywhere else to --space.`,
		Example: `  orma import history.jsonl
  zcat old.jsonl.gz | orma import - --source chat`,
		Args: wants(1, 1, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, size, err := openInput(args[0], a.proc.Stdin)
			if err != nil {
				return err
			}
			defer in.Close()
			return a.with(cmd.Context(), func(m *local.Memory) error {
				level, _ := core.ParseTrust(trust) // one of levels, or zero
				o := history.Options{Name: filepath.Base(args[0]), Source: source, Trust: level}
				if cmd.Flag("space").Changed {
					o.Space = a.space
				}
				if o.Zone, err = zoneFlag(m, zone); err != nil {
					return err
				}
				return a.runImport(cmd.Context(), m, in, size, o)
			})
		},
	}
	c.Flags().StringVar(&source, "source", "", "`NAME` of where rows came from that name none (default import)")
	c.Flags().Var(newChoice(&trust, levels...), "trust", "trust in rows that name none: user, note, document, import, assistant or tool (default by role and kind)")
	c.Flags().StringVar(&zone, "tz", "", "IANA time `ZONE` of times without one")
	return c
}

// openInput opens a file, or standard input for "-". size is -1 where it is not known.
func openInput(path string, stdin io.Reader) (io.ReadCloser, int64, error) {
	if path == "-" {
		return io.NopCloser(stdin), -1, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fileError(path, err)
	}
	i, err := f.Stat()
	switch {
	case err != nil:
		err = fileError(path, err)
	case i.IsDir():
		err = core.Errorf(core.CodeInvalid, "%s is a folder", path).Hinted("give the path of a file")
	case !i.Mode().IsRegular():
		return f, -1, nil
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, i.Size(), nil
}

// maxShown is how many bad rows are reported one by one.
const maxShown = 20

func (a *app) runImport(ctx context.Context, m *local.Memory, in io.Reader, size int64, o history.Options) error {
	bar := a.newBar("import", size)
	shown := 0
	o.Bad = func(n int, err error) {
		if shown++; shown <= maxShown {
			bar.clear()
			a.say("%s:%d: %s", o.Name, n, err)
		}
	}
	o.Progress = bar.set
	sum, err := history.Import(ctx, m.Engine, in, o)
	bar.clear()
	if shown > maxShown {
		a.say("and %d more bad rows", shown-maxShown)
	}
	if sum.Rows > 0 || err == nil {
		if perr := a.printImport(&sum); perr != nil {
			return perr
		}
	}
	switch {
	case err != nil && errors.Is(err, context.Canceled):
		return core.Errorf("interrupted", "import stopped after %s", count(sum.Added, "row", "rows")).
			Hinted("they are kept; the same command again goes on from there")
	case err != nil:
		return err
	case sum.Rows == 0:
		return core.Errorf(core.CodeInvalid, "%s has no rows", o.Name)
	case sum.Added+sum.Known+sum.Commands == 0:
		return core.Errorf(core.CodeInvalid, "no row of %s could be imported", o.Name).Hinted("a row looks like {\"at\": \"2026-05-03T10:00:00Z\", \"role\": \"user\", \"text\": \"…\"}")
	}
	return a.embedAdded(ctx, m)
}

func (a *app) printImport(s *history.Summary) error {
	if a.json {
		return a.printJSON(s)
	}
	a.print("imported %s", count(s.Added, "episode", "episodes"))
	for _, x := range []struct {
		n    int
		what string
	}{
		{s.Repeats, "of them repeat others"}, {s.Rules, "of them are rules"}, {s.Commands, "facts and commands"}, {s.Known, "were there before"}, {s.Bad, "bad rows were left out"},
		{s.Masked, "secrets were masked"}, {s.Repaired, "texts had bytes that are not UTF-8, which were replaced"},
	} {
		if x.n > 0 {
			a.print("%6d %s", x.n, x.what)
		}
	}
	return nil
}
