package index

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
)

// Cache keeps the indexes of the spaces used last, and brings each up to date when it
// is asked for. It is safe for concurrent use.
type Cache struct {
	feed  core.Feeder
	opt   Options
	limit int64

	mu     sync.Mutex
	spaces map[string]*entry
	clock  int64 // counts uses, for the order of eviction

	// What the cache does on its own: meeting words, and saving.
	stop context.CancelFunc
	own  context.Context
	work sync.WaitGroup
}

type entry struct {
	space *Space
	fresh sync.Mutex // held while the space is brought up to date
	used  int64
	asked int // how often
	bytes int64

	saving bool
	tried  int       // rows there were when it was last saved on its own, or could not be
	last   time.Time // when that was
}

// NewCache returns a cache over a store's feed. limit bounds the bytes of all indexes
// together; the one in use is kept whatever its size.
func NewCache(feed core.Feeder, o Options, limit int64) *Cache {
	c := &Cache{feed: feed, opt: o, limit: limit, spaces: map[string]*entry{}}
	c.own, c.stop = context.WithCancel(context.Background())
	return c
}

// Close stops what the cache does on its own. Spaces can still be asked for.
func (c *Cache) Close() {
	c.mu.Lock()
	c.stop()
	c.mu.Unlock()
	c.work.Wait()
}

// Space returns the index of a space as new as the store, whoever wrote it.
func (c *Cache) Space(ctx context.Context, name string) (*Space, error) {
	v, err := c.feed.Version(ctx, name)
	if err != nil {
		return nil, err
	}
	if v == (core.Version{}) { // there is no such space: names that are tried must not pile up
		c.Drop(name)
		return New(name, c.opt), nil
	}
	e := c.entry(name)
	if e.space.Version() == v {
		return e.space, nil
	}
	if err := c.catchUp(ctx, e, name, v); err != nil {
		return nil, err
	}
	return e.space, nil
}

// catchUp feeds a space what is new up to a version at least. One goroutine does it; the
// others wait.
func (c *Cache) catchUp(ctx context.Context, e *entry, name string, to core.Version) error {
	e.fresh.Lock()
	defer e.fresh.Unlock()
	if e.space.Version() == to { // another one did it
		return nil
	}
	if err := e.space.follow(ctx, c.feed); err != nil {
		return fmt.Errorf("index space %q: %w", name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e.bytes = e.space.Bytes()
	c.evict(e)
	c.saveSoon(e)
	return nil
}

// saveEvery is how long after one save of a space the next may be.
const saveEvery = time.Minute

// saveSoon saves a space beside what else goes on if much of it is new, so that a process
// that is killed leaves an index. The caller holds c.mu.
func (c *Cache) saveSoon(e *entry) {
	rows := e.space.rows()
	if !c.opt.SaveSoon || e.saving || c.own.Err() != nil || rows-e.tried < snapshotRows || !e.last.IsZero() && time.Since(e.last) < saveEvery || !e.space.grown() {
		return
	}
	e.saving = true
	c.work.Go(func() {
		_ = e.space.save(c.own, c.feed) // Save tries again in the end, and says why it fails
		c.mu.Lock()
		defer c.mu.Unlock()
		e.saving, e.tried, e.last = false, rows, time.Now()
	})
}

// follow feeds the space what is newer than it.
func (s *Space) follow(ctx context.Context, feed core.Feeder) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version == (core.Version{}) {
		s.load(ctx, feed)
	}
	v, err := feed.Changes(ctx, s.name, s.embedder, s.version, s)
	if err != nil {
		s.Reset() // half a feed is no index
		return err
	}
	s.version = v
	s.sights.forget()
	s.refresh()
	return nil
}

func (c *Cache) entry(name string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock++
	e := c.spaces[name]
	if e == nil {
		e = &entry{space: New(name, c.opt)}
		c.spaces[name] = e
	}
	e.used = c.clock
	// A space that is asked for again will be asked more: a process of one recall should
	// not pay for what it never uses.
	if e.asked++; e.asked == 2 && c.own.Err() == nil {
		c.work.Go(func() { e.space.warm(c.own) })
	}
	return e
}

// evict drops the least recently used spaces until the rest fits; never keep.
func (c *Cache) evict(keep *entry) {
	total := int64(0)
	for _, e := range c.spaces {
		total += e.bytes
	}
	for total > c.limit {
		oldest := ""
		for name, e := range c.spaces {
			if e != keep && e.bytes > 0 && (oldest == "" || e.used < c.spaces[oldest].used) {
				oldest = name
			}
		}
		if oldest == "" {
			return
		}
		total -= c.spaces[oldest].bytes
		delete(c.spaces, oldest)
	}
}

// Drop forgets a space's index, after an erasure.
func (c *Cache) Drop(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.spaces, name)
}

// Loaded returns the number of spaces in memory and the bytes of their indexes.
func (c *Cache) Loaded() (spaces int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.spaces {
		if e.bytes > 0 {
			spaces++
			bytes += e.bytes
		}
	}
	return spaces, bytes
}

// Save stores the indexes that have grown much since they were last stored, so that the
// next process need not build them.
func (c *Cache) Save(ctx context.Context) error {
	c.mu.Lock()
	var list []*Space
	for _, e := range c.spaces {
		list = append(list, e.space)
	}
	c.mu.Unlock()
	for _, s := range list {
		if err := s.save(ctx, c.feed); err != nil {
			return fmt.Errorf("save index of space %q: %w", s.name, err)
		}
	}
	return nil
}
