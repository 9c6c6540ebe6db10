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
	Spaces   int // above 1: one space is measured among so many with as many notes each, too
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
	RSS         int64        `json:"rss_bytes,omitempty"` // resident, with the indexes loaded; 0 beside another
	Queries     int          `json:"queries"`
}

// Run measures one size, in a database that is gone afterwards. With more than one space
// it gives two results: of a space alone in its file, and of one among the others. Both
// files are full before either is measured, and both get the same queries, in turn by
// turnQueries: what filling a million notes leaves behind in a machine must not count
// against the one that is measured last.
func Run(ctx context.Context, o Options) (rs []Result, err error) {
	dir, err := os.MkdirTemp("", "orma-bench-*")
	if err != nil {
		return nil, core.Errorf(core.CodeUnavailable, "no room for a temporary database: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	beds := []*bed{newBed(o, 0, filepath.Join(dir, "alone.db"))}
	if o.Spaces > 1 {
		beds = append(beds, newBed(o, o.Spaces, filepath.Join(dir, "among.db")))
	}
	for _, b := range beds {
		if err := b.fill(ctx); err != nil {
			return nil, err
		}
	}
	debug.FreeOSMemory()
	for _, b := range beds {
		if err := b.cold(ctx); err != nil {
			return nil, err
		}
	}
	if err := measure(ctx, beds, o.Queries, beds[0].g.Query); err != nil {
		return nil, err
	}
	for _, b := range beds {
		rs = append(rs, b.r)
	}
	return rs, nil
}

// bed is one database that is measured.
type bed struct {
	o Options
	g *Notes // nil: nothing is written
	m *local.Memory
	r Result
}

func newBed(o Options, spaces int, path string) *bed {
	b := &bed{o: o, g: NewNotes(seed)}
	b.o.Spaces, b.o.Memory.Path = spaces, path
	b.r = Result{Notes: o.Notes, Spaces: spaces, Queries: o.Queries}
	return b
}

// Own measures a database as it is, and writes nothing. queries are asked in turn.
func Own(ctx context.Context, o Options, space string, queries []string) (Result, error) {
	if len(queries) == 0 {
		return Result{}, core.Errorf(core.CodeInvalid, "there is nothing in space %q to ask about", space)
	}
	o.Memory.ReadOnly = true
	n := 0
	next := func() string {
		n++
		return queries[n%len(queries)]
	}
	b := &bed{o: o, r: Result{Queries: o.Queries}}
	err := measure(ctx, []*bed{b}, o.Queries, next)
	return b.r, err
}

// spaceName is the name of the nth space; the first, which is asked, is the default one.
func spaceName(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("space %d", n)
}

// fill imports the notes, and waits for the disk.
func (b *bed) fill(ctx context.Context) (err error) {
	o := &b.o
	m, err := local.Open(ctx, o.Memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close(), flush(o.Memory.Path)) }()
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
				inputs = append(inputs, b.g.Next())
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
	b.r.ImportRate = float64(total) / time.Since(start).Seconds()
	o.Memory.Now = b.g.Now
	return nil
}

// flush writes a file to the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// turnQueries is how many queries one database gets before the next has its turn.
const turnQueries = 20

// measure measures what starts, what is warm, and appends.
func measure(ctx context.Context, beds []*bed, queries int, query func() string) (err error) {
	for _, b := range beds {
		if err := b.start(ctx, query()); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.m.Close()) }()
	}
	times := make([][]float64, len(beds))
	for done := 0; done < queries; done += turnQueries {
		turn := make([]string, min(turnQueries, queries-done))
		for i := range turn {
			turn[i] = query()
		}
		for i, b := range beds {
			for _, q := range turn {
				ms, err := b.ask(ctx, q)
				if err != nil {
					return err
				}
				times[i] = append(times[i], ms)
			}
		}
	}
	for i, b := range beds {
		b.r.Warm = percentiles(times[i])
		if err := b.finish(ctx, len(beds) == 1); err != nil {
			return err
		}
	}
	return nil
}

// start opens the database and asks for the first time.
func (b *bed) start(ctx context.Context, query string) (err error) {
	start := time.Now()
	if b.m, err = local.Open(ctx, b.o.Memory); err != nil {
		return err
	}
	b.r.ColdOpen = since(start)
	if b.r.FirstRecall, err = b.ask(ctx, query); err != nil {
		return errors.Join(err, b.m.Close())
	}
	return nil
}

// ask returns how long one recall takes.
func (b *bed) ask(ctx context.Context, query string) (float64, error) {
	start := time.Now()
	_, err := b.m.Recall(ctx, engine.Request{Query: query})
	return since(start), err
}

// finish measures the rest. The memory is that of the whole process: it is the
// database's if it is alone.
func (b *bed) finish(ctx context.Context, alone bool) error {
	s, err := b.m.Stats(ctx)
	if err != nil {
		return err
	}
	r := &b.r
	r.Embedder, r.Bytes = s.Embedder, s.Store.Bytes+s.Store.WALBytes
	if alone {
		debug.FreeOSMemory()
		r.RSS = resident()
	}
	if b.g != nil {
		r.BytesPer = float64(r.Bytes) / float64(max(1, r.Notes*max(1, r.Spaces)))
		return b.append(ctx)
	}
	for _, sp := range s.Spaces {
		r.Notes += sp.Episodes
	}
	r.BytesPer = float64(r.Bytes) / float64(max(1, r.Notes))
	return nil
}

// append measures single notes, each acknowledged before the next.
func (b *bed) append(ctx context.Context) error {
	times := make([]float64, appends)
	for i := range times {
		note := b.g.Next()
		start := time.Now()
		if _, err := b.m.Add(ctx, "", note); err != nil {
			return err
		}
		times[i] = since(start)
	}
	p := percentiles(times)
	b.r.Append = &p
	return nil
}

// colds is how many processes are started.
const colds = 7

func (b *bed) cold(ctx context.Context) error {
	if b.o.Cold == nil {
		return nil
	}
	times := make([]float64, colds)
	for i := range times {
		query := b.g.Query()
		start := time.Now()
		if err := b.o.Cold(ctx, b.o.Memory.Path, query); err != nil {
			return err
		}
		times[i] = since(start)
	}
	p := percentiles(times)
	b.r.ColdProcess = &p
	return nil
}

func since(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }

func percentiles(times []float64) Percentiles {
	return Percentiles{eval.Percentile(times, 0.5), eval.Percentile(times, 0.95), eval.Percentile(times, 0.99)}
}
