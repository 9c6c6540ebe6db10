package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/cmd/internal/setup"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

type setupFlags struct {
	print, dryRun, remove, hooks bool
	scope, url                   string
}

func (a *app) setupCommand() *cobra.Command {
	f := setupFlags{scope: string(setup.User)}
	var names []string
	for _, c := range setup.Clients() {
		names = append(names, c.Name)
	}
	c := &cobra.Command{
		Use:   "setup CLIENT",
		Short: "Give an agent or editor memory: write orma into its configuration",
		Long: `Adds orma mcp to a client's servers. Only that entry is changed: the rest of the file
stays as it is, with its comments, and a copy is kept under setup in Orma's folder.
Doing it twice changes nothing; --remove takes it out again. --db, --space and --config
become part of the entry.

Clients: ` + strings.Join(names, ", ") + `.
generic prints the form that most others take.`,
		Example: `  orma setup claude-code --hooks
  orma setup cursor --scope project --space my-project
  orma setup vscode --dry-run
  orma setup codex --remove`,
		Args:      wants(1, 1, "the name of a CLIENT"),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := setup.Find(args[0])
			if err != nil {
				return err
			}
			return a.setup(cmd, client, &f)
		},
	}
	c.Flags().BoolVar(&f.print, "print", false, "print the entry and change nothing")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change and change nothing")
	c.Flags().BoolVar(&f.remove, "remove", false, "take the entry out again, and the hooks")
	c.Flags().BoolVar(&f.hooks, "hooks", false, "hooks too, which record and recall by themselves (Claude Code)")
	c.Flags().Var(newChoice(&f.scope, string(setup.User), string(setup.Project)), "scope", "whose configuration: user, or project for the current folder")
	c.Flags().StringVar(&f.url, "url", "", "`ADDRESS` of a server that runs, such as http://127.0.0.1:8080/mcp, instead of the command")
	c.MarkFlagsMutuallyExclusive("print", "dry-run", "remove")
	return c
}

func (a *app) setup(cmd *cobra.Command, c setup.Client, f *setupFlags) error {
	s, hook, err := a.server(cmd, f)
	if err != nil {
		return err
	}
	if f.hooks && !c.HasHooks() {
		return core.Errorf(core.CodeUnsupported, "%s has no hooks that setup could write", c.Title)
	}
	if f.print || c.Name == "generic" {
		return a.printSnippet(c, s, hook, f.hooks)
	}
	place, err := a.place()
	if err != nil {
		return err
	}
	folder, err := local.Home()
	if err != nil {
		return err
	}
	l := setup.Ledger{Folder: filepath.Join(folder, "setup"), Now: a.proc.Now}
	scope := setup.Scope(f.scope)
	if f.remove {
		return a.unset(l, c, place, scope, f)
	}
	ch, err := setup.Add(c, place, scope, s)
	if err != nil {
		return err
	}
	changes := []*setup.Change{ch}
	if f.hooks {
		if ch, err = setup.AddHooks(c, place, scope, hook); err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	return a.carryOut(c, f, changes, func(ch *setup.Change) (string, error) { return l.Apply(ch) })
}

// unset takes out what setup wrote.
func (a *app) unset(l setup.Ledger, c setup.Client, place setup.Place, scope setup.Scope, f *setupFlags) error {
	ch, err := l.Undo(c, place, scope)
	if err != nil {
		return err
	}
	changes := []*setup.Change{ch}
	if c.HasHooks() {
		if ch, err = l.UndoHooks(c, place, scope); err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	return a.carryOut(c, f, changes, func(ch *setup.Change) (string, error) { return "", l.Finish(ch) })
}

// setupDone is what became of a file, as --json shows it.
type setupDone struct {
	Client  string `json:"client"`
	Path    string `json:"path"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed,omitempty"` // the file is gone
	Backup  string `json:"backup,omitempty"`
	Diff    string `json:"diff,omitempty"`
}

// carryOut makes changes, or shows them.
func (a *app) carryOut(c setup.Client, f *setupFlags, changes []*setup.Change, do func(*setup.Change) (string, error)) error {
	done := make([]setupDone, 0, len(changes))
	for _, ch := range changes {
		d := setupDone{Client: c.Name, Path: ch.Path, Changed: !ch.Same(), Removed: ch.Remove}
		switch {
		case !d.Changed:
		case f.dryRun:
			d.Diff = ch.Diff()
		default:
			var err error
			if d.Backup, err = do(ch); err != nil {
				return err
			}
		}
		done = append(done, d)
	}
	if a.json {
		return a.printJSON(done)
	}
	any := false
	for _, d := range done {
		any = any || d.Changed
		a.printSetup(&d, f)
	}
	if any && !f.dryRun && !f.remove && c.Note != "" {
		a.say("note: %s", c.Note)
	}
	return nil
}

func (a *app) printSetup(d *setupDone, f *setupFlags) {
	path := clean(d.Path)
	switch {
	case !d.Changed && f.remove:
		a.print("%s has no entry of orma", path)
	case !d.Changed:
		a.print("%s is set up already", path)
	case f.dryRun:
		a.print("%s would change:\n%s", path, strings.TrimRight(clean(d.Diff), "\n"))
	case d.Removed:
		a.print("removed %s, which held nothing else", path)
	case f.remove:
		a.print("took orma out of %s", path)
	default:
		a.print("added orma to %s", path)
	}
	if d.Backup != "" {
		a.print("  as it was: %s", clean(d.Backup))
	}
}

func (a *app) printSnippet(c setup.Client, s, hook setup.Server, hooks bool) error {
	text, err := setup.Snippet(c, s)
	if err != nil {
		return err
	}
	if hooks {
		more, err := setup.HookSnippet(hook)
		if err != nil {
			return err
		}
		text += more
	}
	a.print("%s", strings.TrimRight(text, "\n"))
	return nil
}

// server returns what a client is told to start, and what its hooks are.
func (a *app) server(cmd *cobra.Command, f *setupFlags) (s, hook setup.Server, err error) {
	program, err := os.Executable()
	if err != nil {
		return s, hook, core.Errorf(core.CodeUnavailable, "where this program lies is not known: %w", err)
	}
	if found, err := exec.LookPath("orma"); err == nil && sameFile(found, program) {
		program = found // a name that outlives an upgrade
		if f.scope == string(setup.Project) {
			program = "orma" // others of the project have it elsewhere
		}
	}
	var args []string
	if cmd.Flag("db").Changed {
		path, err := filepath.Abs(a.db)
		if err != nil {
			return s, hook, err
		}
		args = append(args, "--db", path)
	}
	for _, c := range a.config {
		if _, err := os.Stat(c); err == nil { // a file, not the name of a profile
			if c, err = filepath.Abs(c); err != nil {
				return s, hook, err
			}
		}
		args = append(args, "--config", c)
	}
	if cmd.Flag("space").Changed {
		args = append(args, "--space", a.space)
	}
	s = setup.Server{Command: program, Args: append([]string{"mcp"}, args...), URL: f.url, Home: a.env("ORMA_HOME")}
	return s, setup.Server{Command: program, Args: args}, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// place returns where configurations lie.
func (a *app) place() (setup.Place, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return setup.Place{}, core.Errorf(core.CodeConfig, "no home folder: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return setup.Place{}, core.Errorf(core.CodeUnavailable, "the current folder: %w", err)
	}
	return setup.Place{OS: runtime.GOOS, Home: home, Project: dir, Env: a.env}, nil
}
