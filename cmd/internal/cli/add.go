package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
)

// longestName is the longest text that is looked up as a file: most file systems
// have no longer names.
const longestName = 255

// maxFile is the largest file that is added.
const maxFile = 256 << 20

func (a *app) addCommand() *cobra.Command {
	var in inputFlags
	var src textSource
	c := &cobra.Command{
		Use:   "add TEXT|FILE|-",
		Short: "Remember a text, a file, or standard input",
		Long: `Remembers a text word for word. A short TEXT that names a file is read as that file;
--text and --file say which is meant, - reads standard input. A file becomes one
episode for every 8 KB, cut between paragraphs, and counts as said when it was changed
last. A text is a note; of an assistant it is a turn, of a tool its output.`,
		Example: `  orma add "I moved to Lisbon in May"
  orma add handbook.md
  orma add --kind anti_pattern "never force-push to main"
  journalctl -n 50 | orma add - --kind tool --ttl 7d`,
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := src.read(cmd.Context(), args, a.stdin(cmd.Context()))
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(m *local.Memory) error {
				base, err := in.input(m)
				if err != nil {
					return err
				}
				return a.addDocument(cmd.Context(), m, doc, base)
			})
		},
	}
	c.Flags().StringVar(&src.text, "text", "", "the `TEXT`, whatever it looks like")
	c.Flags().StringVar(&src.file, "file", "", "the `FILE` to read")
	in.who(c)
	in.when(c)
	return takesText(c)
}

// document is what is to be remembered.
type document struct {
	name string // of the file, "" for a text
	body string
	at   time.Time // when the file was changed last
}

// inputs are the episodes that it becomes.
func (d *document) inputs(base engine.Input) ([]engine.Input, error) {
	if d.name != "" {
		return history.Document(d.name, d.body, base)
	}
	base.Source = cmp.Or(base.Source, sourceCommand)
	base.Kind = cmp.Or(base.Kind, kindOf(base.Role))
	parts := []string{d.body}
	if len(d.body) > history.PartBytes {
		parts = history.Split(d.body, history.PartBytes)
	}
	out := make([]engine.Input, len(parts))
	for i, p := range parts {
		out[i] = base
		out[i].Text = p
	}
	return out, nil
}

// kindOf is what a text is that says only who said it: one's own is a note.
func kindOf(r core.Role) core.Kind {
	switch r {
	case core.RoleAssistant, core.RoleSystem:
		return core.KindTurn
	case core.RoleTool:
		return core.KindTool
	}
	return core.KindNote
}

// textSource finds out what an argument is.
type textSource struct{ text, file string }

func (s *textSource) read(ctx context.Context, args []string, stdin io.Reader) (document, error) {
	given := strings.Join(args, " ")
	switch {
	case s.text != "" && s.file != "", (s.text != "" || s.file != "") && len(args) > 0:
		return document{}, usagef("give one of TEXT, --text and --file")
	case s.text != "":
		return document{body: s.text}, nil
	case s.file == "-", s.file == "" && given == "-":
		return readAll("", stdin)
	case s.file != "":
		return readFile(ctx, s.file)
	case len(args) == 0:
		return document{}, usagef("add needs a TEXT, a FILE, or - for standard input")
	}
	if len(given) <= longestName && !strings.ContainsAny(given, "\n\x00") {
		if i, err := os.Stat(given); err == nil && i.Mode().IsRegular() {
			return readFile(ctx, given)
		} else if err == nil && i.IsDir() && strings.ContainsAny(given, `/\`) {
			return document{}, core.Errorf(core.CodeInvalid, "%s is a folder", given).Hinted("add its files one by one, or use --text for the words themselves")
		}
	}
	return document{body: given}, nil
}

func readFile(ctx context.Context, path string) (document, error) {
	f, err := openFile(ctx, path)
	if err != nil {
		return document{}, err
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil {
		return document{}, fileError(path, err)
	}
	if i.IsDir() {
		return document{}, core.Errorf(core.CodeInvalid, "%s is a folder", path).Hinted("give the path of a file")
	}
	d, err := readAll(path, untilStopped(ctx, f))
	if i.Mode().IsRegular() {
		d.at = i.ModTime()
	}
	return d, err
}

func readAll(path string, r io.Reader) (document, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	name := "standard input"
	if path != "" {
		name = path
	}
	switch {
	case err != nil:
		return document{}, fileError(name, err)
	case len(data) > maxFile:
		return document{}, core.Errorf(core.CodeTooLarge, "%s has more than %s", name, byteCount(maxFile)).Hinted("split it first")
	}
	data = history.Plain(data)
	if err := history.CheckText(data); err != nil {
		return document{}, wrapped(name, err)
	}
	d := document{body: strings.TrimPrefix(string(data), "\uFEFF")}
	if path != "" {
		d.name = filepath.Base(path)
	}
	if strings.TrimSpace(d.body) == "" {
		return d, core.Errorf(core.CodeInvalid, "%s is empty", name)
	}
	return d, nil
}

// addDocument stores a text, in parts if it is long or a file.
func (a *app) addDocument(ctx context.Context, m *local.Memory, doc document, base engine.Input) error {
	if base.At.IsZero() {
		base.At = doc.at
	}
	inputs, err := doc.inputs(base)
	if err != nil {
		return err
	}
	added, err := m.Add(ctx, a.space, inputs...)
	if err != nil {
		return err
	}
	return errors.Join(a.printAdded(added), a.embedAdded(ctx, m))
}

// embedAdded makes the vectors of what was just added, where a slow model does that.
// The texts are stored; without vectors they are found by their words.
func (a *app) embedAdded(ctx context.Context, m *local.Memory) error {
	if m.EmbedsInline() {
		return nil
	}
	if _, err := a.embedMissing(ctx, m); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.say("note: no vectors yet, so recall goes by text alone: %v; orma reindex makes them later", err)
	}
	return nil
}

// already marks a rule that stood before.
func already(d *engine.Added) string {
	if d.RuleID < d.ID {
		return " already"
	}
	return ""
}

// printAdded says what was stored. The first refusal is the command's error.
func (a *app) printAdded(added []engine.Added) error {
	var refused error
	stored := added[:0:0]
	for _, d := range added {
		if d.Error == "" {
			stored = append(stored, d)
		} else if refused == nil {
			refused = core.Errorf(d.Code, "%s", d.Error)
		}
	}
	if len(stored) == 0 {
		return refused
	}
	if a.json {
		if err := a.printJSON(added); err != nil {
			return err
		}
		return refused
	}
	masked, repaired := 0, 0
	for _, d := range stored {
		masked += d.Masked
		if d.Repaired {
			repaired++
		}
		switch {
		case d.RuleID != 0:
			a.print("added %d, rule %d stands%s", d.ID, d.RuleID, already(&d))
		case d.RepeatOf != 0:
			a.print("added %d, which repeats %d", d.ID, d.RepeatOf)
		case len(stored) == 1:
			a.print("added %d", d.ID)
		}
	}
	if len(stored) > 1 {
		a.print("added %d to %d, %d parts", stored[0].ID, stored[len(stored)-1].ID, len(stored))
	}
	if masked > 0 {
		a.say("note: %s masked before storing", count(masked, "secret was", "secrets were"))
	}
	if repaired > 0 {
		a.say("note: bytes that are not UTF-8 were replaced")
	}
	return refused
}
