package cli

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/spf13/cobra"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/local"
)

// app is one run of the program: its streams and its global flags.
type app struct {
	proc    Process
	out     *bufio.Writer
	err     io.Writer
	level   slog.LevelVar
	started bool // a command began; what fails from here on is no wrong usage

	db       string
	config   []string
	space    string
	json     bool
	off, set []string
	now      string
	logLevel string
}

func newApp(p Process) *app {
	a := &app{proc: p, out: bufio.NewWriterSize(p.Stdout, 64<<10), err: p.Stderr}
	a.level.Set(slog.LevelWarn)
	return a
}

// root returns the tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "orma",
		Short: "Long-term memory for language models, on your own machine",
		Long: `Orma keeps every turn, note and document word for word, finds what matters in
milliseconds without calling a model, and turns what was said into checked facts.

Memory is one file, ~/.orma/memory.db; --db or ORMA_HOME say otherwise.`,
		Example: `  orma add "I moved to Lisbon in May"
  orma recall "Where do I live?"
  orma import history.jsonl`,
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRun: func(*cobra.Command, []string) {
			a.started = true
		},
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetIn(a.proc.Stdin)
	root.CompletionOptions.DisableDefaultCmd = true
	f := root.PersistentFlags()
	f.SortFlags = false
	f.StringVar(&a.db, "db", "", "database `FILE` (default ~/.orma/memory.db)")
	f.StringArrayVar(&a.config, "config", nil, "configuration `FILE` or profile; may be repeated, later ones win")
	f.StringVar(&a.space, "space", core.DefaultSpace, "`NAME` of the memory space")
	f.BoolVar(&a.json, "json", false, "print JSON; errors too, on standard error")
	f.StringArrayVar(&a.off, "off", nil, "`STAGES` to switch off, with commas between them")
	f.StringArrayVar(&a.set, "set", nil, "set a configuration `KEY=VALUE`, such as stage.bm25.k=16")
	f.StringVar(&a.now, "now", "", "`TIME` to take as now, such as 2026-05-03T10:00:00Z")
	f.Var(newChoice(&a.logLevel, "debug", "info", "warn", "error"), "log-level", "what is logged on standard error: debug, info, warn or error (default warn)")
	_ = root.RegisterFlagCompletionFunc("space", a.completeSpaces) // it fails only for a flag that is not there
	for _, g := range a.commands() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(helpCommand())
	root.SetHelpCommandGroupID("Look after")
	return root
}

// commands lists every command, by what it is for.
func (a *app) commands() []group {
	return []group{
		{"Remember", []*cobra.Command{a.addCommand(), a.importCommand(), a.forbidCommand(), a.sleepCommand()}},
		{"Ask", []*cobra.Command{a.recallCommand(), a.searchCommand(), a.factsCommand(), a.statsCommand()}},
		{"Change", []*cobra.Command{
			a.forgetCommand(), a.correctCommand(), a.eraseCommand(), a.eraseSpaceCommand(), a.quarantineCommand(), a.rebuildCommand(),
		}},
		{"Serve", []*cobra.Command{
			a.serveCommand(), a.proxyCommand(), a.upCommand(), a.vizCommand(), a.mcpCommand(), a.setupCommand(), a.hookCommand(), a.tokenCommand(),
		}},
		{"Look after", []*cobra.Command{
			a.exportCommand(), a.backupCommand(), a.restoreCommand(), a.doctorCommand(), a.encryptCommand(), a.reindexCommand(),
			a.configCommand(), a.modelCommand(), a.pluginCommand(), a.completionCommand(), a.versionCommand(),
		}},
		{"Study", []*cobra.Command{a.stagesCommand(), a.evalCommand(), a.benchCommand()}},
	}
}

// group is a part of the list that help shows.
type group struct {
	title    string
	commands []*cobra.Command
}

// options returns how the memory is opened.
func (a *app) options() (local.Options, error) {
	o := local.Options{
		Path: a.db, Config: a.config, Env: a.proc.Env, Off: a.off, Set: a.set, OneShot: true, Now: a.proc.Now,
		Log: slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: &a.level})),
	}
	if a.logLevel != "" {
		o.Set = append(o.Set[:len(o.Set):len(o.Set)], "log.level="+a.logLevel)
		a.setLevel(a.logLevel)
	}
	var err error
	if o.Home, err = local.Home(); err != nil {
		return o, err
	}
	if a.now == "" {
		return o, nil
	}
	at, err := a.parseNow(o)
	o.Now = func() time.Time { return at }
	return o, err
}

// parseNow reads --now. Only a time without a zone needs the configuration.
func (a *app) parseNow(o local.Options) (time.Time, error) {
	at, err := parseTime("now", a.now, time.UTC)
	if err != nil {
		return at, err
	}
	if east, err := clock.ParseTime(a.now, time.FixedZone("", 3600)); err == nil && east.Equal(at) {
		return at, nil
	}
	cfg, err := local.Load(o)
	if err != nil {
		return at, err
	}
	zone, err := local.Zone(cfg)
	if err != nil {
		return at, err
	}
	return clock.ParseTime(a.now, zone)
}

func (a *app) setLevel(name string) {
	var l slog.Level
	if l.UnmarshalText([]byte(name)) == nil {
		a.level.Set(l)
	}
}

// open opens the memory, and says where it was made if it was not there.
func (a *app) open(ctx context.Context) (*local.Memory, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	return a.openWith(ctx, o)
}

func (a *app) openWith(ctx context.Context, o local.Options) (*local.Memory, error) {
	m, err := local.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	a.setLevel(m.Config.Log.Level)
	if m.New {
		a.say("created database %s", m.Path)
	}
	for _, w := range m.Config.Warnings {
		a.say("warning: %s", w)
	}
	return m, nil
}

// with opens the memory, runs fn and closes it.
func (a *app) with(ctx context.Context, fn func(*local.Memory) error) (err error) {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := m.Close(); err == nil {
			err = cerr
		}
	}()
	return fn(m)
}

// isTerminal reports whether a stream is one that a person looks at.
func isTerminal(s any) bool {
	f, ok := s.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// env returns a variable of the environment.
func (a *app) env(name string) string {
	for _, e := range a.proc.Env {
		if len(e) > len(name) && e[:len(name)] == name && e[len(name)] == '=' {
			return e[len(name)+1:]
		}
	}
	return ""
}
