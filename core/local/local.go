package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/static"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/secret"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sqlite"
	"github.com/orma-memory/orma/stages"
	sleepstages "github.com/orma-memory/orma/stages/sleep"
)

// Options say where and how to open. The zero value opens the user's own memory.
type Options struct {
	Path     string   // database file; empty: what the configuration says, else memory.db in Home
	Home     string   // Orma's folder; empty: [Home]
	Config   []string // configuration files or profiles; empty: config.toml in Home
	Env      []string // as os.Environ gives it; settings in ORMA_… variables
	Off, Set []string // stages to switch off, and keys to set
	ReadOnly bool
	OneShot  bool // for a process that ends soon: nothing embeds in the background
	Now      func() time.Time
	Log      *slog.Logger
}

// Memory is an open memory: an engine with its configuration and store.
type Memory struct {
	*engine.Engine
	Config *config.Config
	Store  *sqlite.Store
	Home   string
	Path   string // of the database
	New    bool   // the database was not there before

	variants variants
	plugins  *Plugins
	embedder embed.Embedder // nil: text alone
	now      func() time.Time
	log      *slog.Logger
	closers  []io.Closer
	opening  sync.WaitGroup
	once     sync.Once
	err      error
}

// Home returns Orma's folder: $ORMA_HOME, or .orma in the user's own.
func Home() (string, error) {
	if h := os.Getenv("ORMA_HOME"); h != "" {
		return filepath.Abs(h)
	}
	h, err := os.UserHomeDir()
	if err != nil {
		return "", core.Errorf(core.CodeConfig, "no home folder: %w", err).Hinted("set ORMA_HOME")
	}
	return filepath.Join(h, ".orma"), nil
}

// Read reads the configuration's layers, without building anything.
func Read(o Options) *config.Source {
	return config.Read(config.Options{Files: o.Config, Home: o.Home, Env: o.Env, Off: o.Off, Set: o.Set})
}

// Database returns the file that these options open: Path, what the configuration
// says, or memory.db in Home.
func (o Options) Database(cfg *config.Config) string {
	switch {
	case o.Path != "":
		return o.Path
	case cfg.Settings.Store.Path != "":
		return abs(o.Home, cfg.Settings.Store.Path)
	}
	return filepath.Join(o.Home, "memory.db")
}

// Load reads the configuration and builds its stages, to see that all is in order: those
// of plugins do not run.
func Load(o Options) (*config.Config, error) {
	p, err := OpenPlugins(context.Background(), o)
	if err != nil {
		return nil, err
	}
	cfg, err := LoadWith(o, p)
	return cfg, errors.Join(err, p.Close())
}

// LoadWith is [Load] with plugins that are open.
func LoadWith(o Options, p *Plugins) (*config.Config, error) {
	reg, err := registries(p)
	if err != nil {
		return nil, err
	}
	return Read(o).Load(reg, component.Deps{Log: o.Log, Home: o.Home})
}

// registries hold everything that a configuration can name.
func registries(p *Plugins) (config.Registries, error) {
	recall, err := pipeline.NewRegistry(append(stages.All(), p.Stages()...)...)
	if err != nil {
		return config.Registries{}, core.Errorf(core.CodeConfig, "%w", err)
	}
	asleep, err := sleep.NewRegistry(sleepstages.All()...)
	if err != nil {
		return config.Registries{}, err
	}
	emb, err := component.NewRegistry(append(embedders(), p.embedders()...)...)
	if err != nil {
		return config.Registries{}, core.Errorf(core.CodeConfig, "%w", err)
	}
	extractors, err := component.NewRegistry(p.extractors()...)
	return config.Registries{Recall: recall, Sleep: asleep, Embedders: emb, Extractors: extractors}, err
}

// Open opens a memory. Close it.
func Open(ctx context.Context, o Options) (*Memory, error) {
	if o.Home == "" {
		var err error
		if o.Home, err = Home(); err != nil {
			return nil, err
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	src := Read(o)
	plugins, err := openPlugins(ctx, src, o)
	if err != nil {
		return nil, err
	}
	deps := component.Deps{Log: o.Log, Home: o.Home}
	reg, err := registries(plugins)
	if err != nil {
		return nil, errors.Join(err, plugins.Close())
	}
	cfg, err := src.Load(reg, deps)
	if err != nil {
		return nil, errors.Join(err, plugins.Close())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Memory{Config: cfg, Home: o.Home, plugins: plugins, closers: []io.Closer{plugins}, now: o.Now, log: o.Log, variants: variants{src: src, reg: reg, deps: deps, made: map[string]variant{}}}
	if err := m.open(ctx, o); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Memory) open(ctx context.Context, o Options) error {
	cfg := m.Config
	path := o.Database(cfg)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		m.New = true
	}
	m.Path = path
	key, err := o.Key(ctx, cfg)
	if err != nil {
		return err
	}
	m.Store, err = sqlite.Open(ctx, path, sqlite.Options{
		Full: cfg.Settings.Store.Synchronous == "full", ReadOnly: o.ReadOnly, Now: o.Now, Key: key,
		Spaces: cfg.Settings.Limits.Spaces, SpaceEpisodes: cfg.Settings.Limits.SpaceEpisodes,
	})
	if err != nil {
		return err
	}
	m.closers = append(m.closers, m.Store)
	opt, err := m.engineOptions(o)
	if err != nil {
		return err
	}
	m.Engine, err = engine.New(opt)
	return err
}

func (m *Memory) engineOptions(o Options) (engine.Options, error) {
	cfg, set := m.Config, m.Config.Settings
	packer, ok := cfg.Pack().(pack.Packer)
	if !ok {
		return engine.Options{}, core.Errorf(core.CodeConfig, "the last stage of pipeline.recall writes no block")
	}
	count, err := counter(packer.Params().Tokenizer)
	if err != nil {
		return engine.Options{}, err
	}
	zone, err := Zone(cfg)
	if err != nil {
		return engine.Options{}, err
	}
	if tz := os.Getenv("TZ"); set.Clock.Timezone == "" && ignoredTZ(tz, zone) {
		o.Log.Warn("the environment variable TZ names no known zone, so days are those of UTC; [clock] timezone can name one", slog.String("TZ", tz))
	}
	opt := engine.Options{
		Store: m.Store, Recall: cfg.Recall, Packer: packer, Counter: count, Variant: m.variants.get,
		Words: static.New(), Clock: m.clock(), DateOrder: orderOf(set.Clock.DateOrder), Zone: zone, Now: o.Now, Log: o.Log,
		EmbedLater: o.OneShot, PassagesOnly: !cfg.Semantic,
		Limits: engine.Limits{
			EpisodeBytes: set.Limits.EpisodeBytes, IndexBytes: set.Limits.IndexBytes, QueryBytes: set.Limits.QueryBytes,
		},
	}
	for _, s := range cfg.RecallList() {
		opt.Stages = append(opt.Stages, engine.StageInfo{Name: s.Name, Folder: s.Folder, Summary: s.Summary, On: s.On, Removable: s.Folder != "pack"})
	}
	if !set.Store.KeepSecrets {
		mask, err := secret.New()
		if err != nil {
			return opt, err
		}
		opt.Mask = mask.Mask
	}
	if err := m.openEmbedder(&opt, o.Log); err != nil {
		return opt, err
	}
	return opt, nil
}

// openEmbedder opens the embedder that the vector stages use. One that cannot be opened
// leaves recall to the words, with a warning: memory must not depend on it.
func (m *Memory) openEmbedder(opt *engine.Options, log *slog.Logger) error {
	name := ""
	for _, s := range m.Config.Recall.Steps() {
		if u, ok := s.Stage.(pipeline.VectorUser); ok && u.Embedder() != "" {
			name = u.Embedder()
		}
	}
	e, ok := m.Config.Embedder(name)
	if !ok {
		return nil
	}
	built, err := e.Build()
	if err != nil {
		log.Warn("no embedder: recall goes by text alone", slog.String("embedder", e.Name), slog.Any("error", err))
		opt.NoEmbedder = fmt.Errorf("embedder %s: %w", e.Name, err)
		return nil
	}
	if c, ok := built.(io.Closer); ok {
		m.closers = append(m.closers, c)
	}
	m.embedder = embed.Checked(built)
	opt.Embedder, opt.EmbedderName, opt.EmbedInline = m.embedder, e.Name, e.Use == "static"
	return nil
}

// clock makes the reader of time expressions beside the rest of the opening: it takes
// milliseconds, and the first to ask for it waits. Close waits for it too.
func (m *Memory) clock() func() *clock.Reader {
	get := sync.OnceValue(func() *clock.Reader {
		r, err := clock.NewReader()
		if err != nil {
			panic(err) // the built-in languages do not parse: a broken build
		}
		return r
	})
	m.opening.Go(func() { get() })
	return get
}

// Zone returns the zone of texts that name none.
func Zone(cfg *config.Config) (*time.Location, error) {
	if name := cfg.Settings.Clock.Timezone; name != "" {
		return time.LoadLocation(name)
	}
	return time.Local, nil
}

// ignoredTZ reports whether the system's zone is UTC because the value of TZ names none.
func ignoredTZ(tz string, system *time.Location) bool {
	tz = strings.TrimPrefix(tz, ":")
	return system.String() == "UTC" && tz != "" && tz != "UTC"
}

func orderOf(name string) clock.DateOrder {
	switch name {
	case "dmy":
		return clock.DMY
	case "mdy":
		return clock.MDY
	case "ymd":
		return clock.YMD
	}
	return clock.AnyOrder
}

// Close ends what Open started. It may be called twice.
func (m *Memory) Close() error {
	m.once.Do(func() {
		m.opening.Wait()
		if m.Engine != nil {
			m.err = m.Engine.Close()
		}
		for _, c := range slices.Backward(m.closers) {
			m.err = errors.Join(m.err, c.Close())
		}
	})
	return m.err
}
