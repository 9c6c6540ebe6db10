package engine

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/clock"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/index"
	"github.com/orma-memory/orma/core/pack"
	"github.com/orma-memory/orma/core/pipeline"
)

// Options are what an engine is made of. Store, Recall, Packer and Counter are needed.
type Options struct {
	Store   core.Store
	Recall  *pipeline.Pipeline
	Packer  pack.Packer
	Counter pack.Counter

	// Stages lists the stages of the recall pipeline, for those who want to change it.
	Stages []StageInfo

	// Variant returns the recall pipeline with stages off and keys set, for requests
	// that ask for it. Nil refuses such requests.
	Variant func(off []string, set map[string]string) (*pipeline.Pipeline, pack.Packer, error)

	Embedder     embed.Embedder // nil: text alone
	EmbedderName string         // its name in the configuration, by which stages call it
	NoEmbedder   error          // why the configured one could not be opened, for [Stats]
	EmbedInline  bool           // it is fast enough for the write path
	EmbedLater   bool           // nothing embeds in the background: the caller calls Reindex
	Words        index.WordVectors
	Clock        func() *clock.Reader // finds the days that a query names; nil: they are words
	DateOrder    clock.DateOrder      // of dates in digits

	PassagesOnly bool // recall shows passages and rules, no other facts

	Mask   func(string) (string, int) // masks secrets; nil keeps them
	Zone   *time.Location             // of texts that name none; nil: UTC
	Limits Limits
	Now    func() time.Time // nil: the system's clock
	Log    *slog.Logger     // nil: nothing is logged
}

// Limits bound what is accepted. Zero means the default of [DefaultLimits].
type Limits struct {
	EpisodeBytes int   // of one episode
	IndexBytes   int64 // of indexes in memory; the least recently used go first
	QueryBytes   int   // of a query; what is beyond is not searched
}

// DefaultLimits returns the limits that stand where a configuration names none.
func DefaultLimits() Limits {
	return Limits{EpisodeBytes: 1 << 20, IndexBytes: 2 << 30, QueryBytes: 64 << 10}
}

// Engine is Orma over one store. It is safe for concurrent use.
type Engine struct {
	o     Options
	cache *index.Cache

	wake   chan struct{} // passages wait for vectors
	cancel context.CancelFunc
	done   sync.WaitGroup
	once   sync.Once

	mu    sync.Mutex
	last  error          // why vectors are not being made, nil while they are
	added map[string]int // passages, by space
}

// New returns an engine. Close it before its store.
func New(o Options) (*Engine, error) {
	if o.Store == nil || o.Recall == nil || o.Packer == nil || o.Counter == nil {
		return nil, core.Errorf(core.CodeInternal, "an engine needs a store, a recall pipeline, a packer and a counter")
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Mask == nil {
		o.Mask = func(s string) (string, int) { return s, 0 }
	}
	o.Limits = o.Limits.filled()
	e := &Engine{o: o, wake: make(chan struct{}, 1), last: o.NoEmbedder}
	io := index.Options{Words: o.Words, SaveSoon: !o.EmbedLater}
	if o.Embedder != nil {
		io.Embedder, io.Dim = EmbedderKey(o.Embedder), o.Embedder.Info().Dim
	}
	if o.Clock != nil {
		io.Dates = datesIn(o.Clock, o.DateOrder)
	}
	e.cache = index.NewCache(o.Store, io, o.Limits.IndexBytes)
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	if o.Embedder != nil && !o.EmbedInline && !o.EmbedLater {
		e.done.Go(func() { e.embedLoop(ctx) })
	}
	return e, nil
}

func (l Limits) filled() Limits {
	d := DefaultLimits()
	if l.EpisodeBytes == 0 {
		l.EpisodeBytes = d.EpisodeBytes
	}
	if l.IndexBytes == 0 {
		l.IndexBytes = d.IndexBytes
	}
	if l.QueryBytes == 0 {
		l.QueryBytes = d.QueryBytes
	}
	return l
}

// EmbedderKey is the name under which an embedder's vectors are stored: vectors of
// another revision are another embedder's.
func EmbedderKey(e embed.Embedder) string {
	info := e.Info()
	if info.Revision == "" {
		return info.ID
	}
	return info.ID + "@" + info.Revision
}

// EmbedsInline reports whether what is added has its vectors at once. Without it they
// come later, in the background or by [Engine.Reindex].
func (e *Engine) EmbedsInline() bool { return e.o.Embedder == nil || e.o.EmbedInline }

// Stages lists the stages of the recall pipeline in its order, those that are off too.
func (e *Engine) Stages() []StageInfo { return e.o.Stages }

// Store returns the store, for front ends that read what no verb covers.
func (e *Engine) Store() core.Store { return e.o.Store }

// saveWait bounds how long Close takes to store indexes for the next process, with
// saveRate more for each byte of them: a slow disk takes 20 MB a second.
const (
	saveWait = 10 * time.Second
	saveRate = 50 * time.Nanosecond
)

// Close stops what runs in the background, and stores indexes that cost much to build
// for the next process. It leaves the store open.
func (e *Engine) Close() error {
	e.once.Do(func() {
		e.cancel()
		e.done.Wait()
		e.cache.Close()
		if err := e.save(); err != nil && core.CodeOf(err) != core.CodeReadOnly {
			e.o.Log.Warn("index not saved: the next process builds it", slog.Any("error", err))
		}
	})
	return nil
}

// save stores the indexes that cost much to build.
func (e *Engine) save() error {
	if err := e.indexAdded(); err != nil {
		return err
	}
	_, bytes := e.cache.Loaded()
	ctx, cancel := context.WithTimeout(context.Background(), saveWait+time.Duration(bytes)*saveRate)
	defer cancel()
	return e.cache.Save(ctx)
}

// After so many passages to a space, which are at least this share of all, Close indexes
// it: after an import the next process should not have to.
const (
	importRows  = 5000
	importShare = 5 // a fifth
	importWait  = 30 * time.Second
)

func (e *Engine) indexAdded() error {
	e.mu.Lock()
	added := e.added
	e.added = nil
	e.mu.Unlock()
	maps.DeleteFunc(added, func(_ string, n int) bool { return n < importRows })
	if len(added) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), importWait)
	defer cancel()
	spaces, err := e.o.Store.Spaces(ctx)
	for i := 0; i < len(spaces) && err == nil; i++ {
		if sp := &spaces[i]; added[sp.Space]*importShare >= sp.Passages && added[sp.Space] > 0 {
			err = e.Warm(ctx, sp.Space)
		}
	}
	return err
}

// Warm brings the index of a space into memory, so that the first request need not wait
// for it.
func (e *Engine) Warm(ctx context.Context, space string) error {
	space, err := Space(space)
	if err == nil {
		_, err = e.cache.Space(ctx, space)
	}
	return err
}

// noteAdded counts passages that came to a space.
func (e *Engine) noteAdded(space string, stored []core.Appended) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.added == nil {
		e.added = map[string]int{}
	}
	for i := range stored {
		e.added[space] += len(stored[i].Passages)
	}
}

// now returns t, or the clock's time when it is zero.
func (e *Engine) now(t time.Time) time.Time {
	if t.IsZero() {
		return e.o.Now()
	}
	return t
}

// Zone returns the zone of texts and days that name none.
func (e *Engine) Zone() *time.Location { return e.o.Zone }

// zone returns an episode's zone; one that is not known is the configured one.
func (e *Engine) zone(name string) *time.Location {
	if name != "" {
		if z, err := time.LoadLocation(name); err == nil {
			return z
		}
	}
	return e.o.Zone
}
