package latency

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/eval"
	"github.com/orma-memory/orma/core/local"
)

// seed of the notes.
const seed = 20260501

// appends is how many notes are added one by one.
const appends = 200

// Options say what is measured.
type Options struct {
	Memory   local.Options // how memories are opened; their path is a temporary one
	Notes    int
	Spaces   int // how many spaces get as many notes each; recalls are of one. 0 is 1
	Queries  int
	Cold     func(ctx context.Context, db, query string) error // one recall in a process of its own; nil leaves that out
	Progress func(done, total int)                             // notes imported; may be nil
}

// Percentiles are milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Result is what was measured. Times are wall times in milliseconds.
type Result struct {
	Notes       int          `json:"notes"`            // in the space that is asked
	Spaces      int          `json:"spaces,omitempty"` // as large, in the same file; 0: it alone
	Embedder    string       `json:"embedder"`
	ImportRate  float64      `json:"import_per_s,omitempty"` // notes a second, with their vectors
	Bytes       int64        `json:"bytes"`                  // of the file
	BytesPer    float64      `json:"bytes_per_note"`
	ColdOpen    float64      `json:"cold_open_ms"`
	FirstRecall float64      `json:"first_recall_ms"` // after the open: it loads the indexes
	ColdProcess *Percentiles `json:"cold_process_ms,omitempty"`
	Warm        Percentiles  `json:"warm_ms"` // a recall with its query's embedding and its block
	Append      *Percentiles `json:"append_ms,omitempty"`
	RSS         int64        `json:"rss_bytes,omitempty"` // resident, with the indexes loaded
	Queries     int          `json:"queries"`
}

// Run measures one size, in a database that is gone afterwards.
func Run(ctx context.Context, o Options) (r Result, err error) {
	dir, err := os.MkdirTemp("", "orma-bench-*")
	if err != nil {
		return r, core.Errorf(core.CodeUnavailable, "no room for a temporary database: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o.Memory.Path = filepath.Join(dir, "bench.db")
	g := NewNotes(seed)
	r = Result{Notes: o.Notes, Spaces: o.Spaces, Queries: o.Queries}
	if err := r.fill(ctx, &o, g); err != nil {
		return r, err
	}
	debug.FreeOSMemory()
	o.Memory.Now = func() time.Time { return g.Now() }
	if o.Cold != nil {
		if err := r.cold(ctx, &o, g); err != nil {
			return r, err
		}
	}
	return r, r.open(ctx, &o, g.Query, func(m *local.Memory) error { return r.append(ctx, m, g) })
}

// Own measures a database as it is, and writes nothing. queries are asked in turn.
func Own(ctx context.Context, o Options, space string, queries []string) (Result, error) {
	r := Result{Queries: o.Queries}
	if len(queries) == 0 {
		return r, core.Errorf(core.CodeInvalid, "there is nothing in space %q to ask about", space)
	}
	o.Memory.ReadOnly = true
	n := 0
	next := func() string {
		n++
		return queries[n%len(queries)]
	}
	return r, r.open(ctx, &o, next, func(m *local.Memory) error {
		s, err := m.Stats(ctx)
		for _, sp := range s.Spaces {
			r.Notes += sp.Episodes
		}
		r.BytesPer = float64(r.Bytes) / float64(max(1, r.Notes))
		return err
	})
}

// spaceName is the name of the nth space; the first, which is asked, is the default one.
func spaceName(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("space %d", n)
}

// fill imports the notes.
func (r *Result) fill(ctx context.Context, o *Options, g *Notes) (err error) {
	m, err := local.Open(ctx, o.Memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	// In turns, as real spaces grow: their rows lie mixed.
	batch, spaces := 1000, max(1, o.Spaces)
	if spaces > 1 {
		batch = 100
	}
	total := o.Notes * spaces
	start := time.Now()
	for each := 0; each < o.Notes; each += batch {
		n := min(batch, o.Notes-each)
		for sp := range spaces {
			inputs := make([]engine.Input, 0, n)
			for range n {
				inputs = append(inputs, g.Next())
			}
			if _, err := m.Add(ctx, spaceName(sp), inputs...); err != nil {
				return err
			}
		}
		if o.Progress != nil {
			o.Progress((each+n)*spaces, total)
		}
	}
	if !m.EmbedsInline() {
		if _, err := m.Reindex(ctx, nil); err != nil {
			return err
		}
	}
	r.ImportRate = float64(total) / time.Since(start).Seconds()
	return nil
}

// open measures what starts and what is warm, then calls more.
func (r *Result) open(ctx context.Context, o *Options, query func() string, more func(*local.Memory) error) (err error) {
	start := time.Now()
	m, err := local.Open(ctx, o.Memory)
	if err != nil {
		return err
	}
	r.ColdOpen = since(start)
	defer func() { err = errors.Join(err, m.Close()) }()
	ask := func() (float64, error) {
		start := time.Now()
		_, err := m.Recall(ctx, engine.Request{Query: query()})
		return since(start), err
	}
	if r.FirstRecall, err = ask(); err != nil {
		return err
	}
	times := make([]float64, o.Queries)
	for i := range times {
		if times[i], err = ask(); err != nil {
			return err
		}
	}
	r.Warm = percentiles(times)
	s, err := m.Stats(ctx)
	if err != nil {
		return err
	}
	r.Embedder, r.Bytes = s.Embedder, s.Store.Bytes+s.Store.WALBytes
	r.BytesPer = float64(r.Bytes) / float64(max(1, r.Notes*max(1, r.Spaces)))
	debug.FreeOSMemory()
	r.RSS = resident()
	return more(m)
}

// append measures single notes, each acknowledged before the next.
func (r *Result) append(ctx context.Context, m *local.Memory, g *Notes) error {
	times := make([]float64, appends)
	for i := range times {
		note := g.Next()
		start := time.Now()
		if _, err := m.Add(ctx, "", note); err != nil {
			return err
		}
		times[i] = since(start)
	}
	p := percentiles(times)
	r.Append = &p
	return nil
}

// colds is how many processes are started.
const colds = 7

func (r *Result) cold(ctx context.Context, o *Options, g *Notes) error {
	times := make([]float64, colds)
	for i := range times {
		query := g.Query()
		start := time.Now()
		if err := o.Cold(ctx, o.Memory.Path, query); err != nil {
			return err
		}
		times[i] = since(start)
	}
	p := percentiles(times)
	r.ColdProcess = &p
	return nil
}

func since(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }

func percentiles(times []float64) Percentiles {
	return Percentiles{eval.Percentile(times, 0.5), eval.Percentile(times, 0.95), eval.Percentile(times, 0.99)}
}
