package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
)

func (a *app) importCommand() *cobra.Command {
	var format, zone, trust string
	var o history.Options
	levels := []string{"user", "note", "document", "import", "assistant", "tool"}
	c := &cobra.Command{
		Use:   "import FILE|FOLDER|-",
		Short: "Take in a history: JSON lines, or an export of another program",
		Long: `Reads the histories of ChatGPT (conversations.json, or the archive that it comes in),
Claude (likewise) and mem0 (a list of memories), sessions of Claude Code and Codex
(files or folders of JSON lines), folders of markdown, and one JSON
object a line, or a list of them:

  {"id", "at", "role", "text", "session", "kind", "tz", "ttl", "speaker", "source"}

Only text is needed. What a file is shows from its content; --format says it where
that fails, and of a folder or archive takes only that. A bad row is reported with its
place and left out; the rest is kept. What was imported before, by id, source and text,
is passed over, so that an import that was stopped can be started again. The rows of
an export of Orma go to the spaces they name, and everything else to --space.`,
		Example: `  orma import history.jsonl
  orma import ~/Downloads/chatgpt-export.zip
  orma import ~/.claude/projects
  orma import ~/notes --space work
  orma import rows.jsonl.gz --source chat`,
		Args: wants(1, 1, "a FILE or FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.openInput(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			return a.with(cmd.Context(), func(m *local.Memory) error {
				o.Name, o.Modified, o.Format = filepath.Base(args[0]), in.modified, history.Format(format)
				o.Trust, _ = core.ParseTrust(trust) // one of levels, or zero
				if cmd.Flag("space").Changed {
					o.Space = a.space
				}
				if o.Zone, err = zoneFlag(m, zone); err != nil {
					return err
				}
				return a.runImport(cmd.Context(), m, in, o)
			})
		},
	}
	c.Flags().Var(newChoice(&format, words(history.Formats())...), "format", "what it is: jsonl, chatgpt, claude, mem0, markdown, claude-code or codex (default by content)")
	c.Flags().StringVar(&o.Source, "source", "", "`NAME` of where rows came from that name none (default by format)")
	c.Flags().Var(newChoice(&trust, levels...), "trust", "trust in rows that name none: user, note, document, import, assistant or tool (default by format, role and kind)")
	c.Flags().StringVar(&zone, "tz", "", "IANA time `ZONE` of times without one")
	c.Flags().StringVar(&o.User, "user", "", "`ID` of the one user whose memories are taken from a mem0 export")
	return c
}

// input is what is imported: a file, a folder, or standard input.
type input struct {
	io.ReadCloser
	dir      fs.FS     // a folder
	archive  *os.File  // a ZIP archive
	size     int64     // -1: not known
	modified time.Time // zero: not known
}

// openInput opens a file or folder, or standard input for "-".
func (a *app) openInput(ctx context.Context, path string) (*input, error) {
	if path == "-" {
		return &input{ReadCloser: io.NopCloser(a.stdin(ctx)), size: -1}, nil
	}
	f, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	in := &input{ReadCloser: f, size: -1}
	i, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, fileError(path, err)
	}
	switch {
	case i.IsDir():
		in.dir = os.DirFS(path)
	case i.Mode().IsRegular():
		in.size, in.modified = i.Size(), i.ModTime()
		var head [4]byte
		n, _ := f.ReadAt(head[:], 0)
		switch {
		case n == len(head) && (string(head[:]) == "PK\x03\x04" || string(head[:]) == "PK\x05\x06"): // the latter is empty
			in.archive = f
		case n == len(head) && string(head[:2]) == "\x1f\x8b":
			in.size = -1 // unpacked, it is more
		}
	default: // a pipe
		in.ReadCloser = &piped{untilStopped(ctx, f), f}
	}
	return in, nil
}

// piped is a pipe whose reads end with the command.
type piped struct {
	io.Reader
	io.Closer
}

// read imports it.
func (in *input) read(ctx context.Context, m history.Memory, o history.Options) (history.Summary, error) {
	switch {
	case in.dir != nil:
		return history.ImportFolder(ctx, m, in.dir, o)
	case in.archive != nil:
		return history.ImportZip(ctx, m, in.archive, in.size, o)
	}
	return history.Import(ctx, m, in, o)
}

// maxShown is how many bad rows are reported one by one.
const maxShown = 20

func (a *app) runImport(ctx context.Context, m *local.Memory, in *input, o history.Options) error {
	total := in.size
	if in.archive != nil {
		total = -1 // unpacked, it is more
	}
	bar := a.newBar("import", total)
	shown := 0
	o.Bad = func(place string, err error) {
		if shown++; shown <= maxShown {
			bar.clear()
			a.say("%s: %s", place, err)
		}
	}
	o.Note = func(place, text string) { o.Bad(place, errors.New("kept, but "+text)) }
	o.Progress = bar.set
	sum, err := in.read(ctx, m.Engine, o)
	bar.clear()
	if shown > maxShown {
		a.say("and %d more like these", shown-maxShown)
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
	case err != nil && sum.Added > 0: // below, "nothing was changed" is said of the rest
		return fmt.Errorf("import stopped after %s, which are kept: %w", count(sum.Added, "row", "rows"), err)
	case err != nil:
		return err
	case sum.Rows == 0 && sum.Skipped > 0:
		return core.Errorf(core.CodeInvalid, "%s holds nothing to remember: %s passed over", o.Name, count(sum.Skipped, "thing was", "things were"))
	case sum.Rows == 0:
		return core.Errorf(core.CodeInvalid, "%s has no rows", o.Name)
	case sum.Added+sum.Known+sum.Commands == 0:
		return core.Errorf(core.CodeInvalid, "nothing of %s could be imported", o.Name).Hinted("what is wrong is said above; a row of your own looks like {\"at\": \"2026-05-03T10:00:00Z\", \"role\": \"user\", \"text\": \"…\"}")
	}
	return a.embedAdded(ctx, m)
}

// maxUndo is how many sources of a space are named one by one.
const maxUndo = 5

// sayUndo says how an import is taken back, where that takes nothing else: no command is
// printed that would erase what was there before.
func (a *app) sayUndo(s *history.Summary) {
	for _, space := range slices.Sorted(maps.Keys(s.Sources)) {
		sources := s.Sources[space]
		if len(sources) > maxUndo {
			a.say("this came from %d sources; the rows of orma export --space %s name them, and orma erase --source takes one back", len(sources), shellWord(clean(space)))
			continue
		}
		for _, source := range sources {
			a.sayUndoOf(space, source, slices.Contains(s.Earlier[space], source))
		}
	}
}

func (a *app) sayUndoOf(space, source string, earlier bool) {
	switch {
	case earlier:
		a.say("%s had episodes in space %s before: to erase the source would remove those too", clean(source), clean(space))
	case strings.HasSuffix(source, "*") || !printable(source):
		a.say("the source %q cannot be erased by name alone; orma erase ID removes an episode", source)
	default:
		a.say("to take back all that only %s said: orma erase --source %s --space %s", source, shellWord(source), shellWord(clean(space)))
	}
}

// printable reports whether a terminal shows a word as it is, on one line.
func printable(s string) bool {
	return s == clean(s) && !strings.ContainsAny(s, "\n\t") && utf8.ValidString(s)
}

// shellWord is a word as a shell takes it.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (a *app) printImport(s *history.Summary) error {
	if a.json {
		return a.printJSON(s)
	}
	defer a.sayUndo(s)
	a.print("imported %s", count(s.Added, "episode", "episodes"))
	for _, x := range []struct {
		n    int
		what string
	}{
		{s.Repeats, "repeats of what was said"}, {s.Rules, "rules"}, {s.Commands, "facts and commands"}, {s.Known, "there before"}, {s.Bad, "bad rows, left out"}, {s.Skipped, "passed over: files of other kinds, messages without text"},
		{s.Masked, "secrets, masked"}, {s.Repaired, "texts with bytes that are not UTF-8, replaced"},
	} {
		if x.n > 0 {
			a.print("%6d %s", x.n, x.what)
		}
	}
	return nil
}
