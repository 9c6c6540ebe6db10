package contract

import (
	"slices"
	"sync"
)

// Recent keeps what a plugin runs in, one for each set of parameters. Requests may vary
// the parameters, so it keeps only those that were used last. It is safe for concurrent
// use; NewRecent makes one.
type Recent[T any] struct {
	most int
	make func(params string) T
	end  func(T)

	mu     sync.Mutex
	kept   []entry[T] // the most recently used first
	closed bool
}

type entry[T any] struct {
	params string
	of     T
}

// NewRecent returns one that keeps at most so many. What it makes it also ends, with the
// lock released, for ending may wait for calls that are under way.
func NewRecent[T any](most int, make func(params string) T, end func(T)) *Recent[T] {
	return &Recent[T]{most: most, make: make, end: end}
}

// Get returns the one with these parameters, which is made if there is none. It is false
// once Recent is closed.
func (r *Recent[T]) Get(params string) (T, bool) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		var none T
		return none, false
	}
	if i := slices.IndexFunc(r.kept, func(e entry[T]) bool { return e.params == params }); i >= 0 {
		e := r.kept[i]
		copy(r.kept[1:], r.kept[:i])
		r.kept[0] = e
		r.mu.Unlock()
		return e.of, true
	}
	e := entry[T]{params, r.make(params)}
	r.kept = slices.Insert(r.kept, 0, e)
	gone := slices.Clone(r.kept[min(r.most, len(r.kept)):])
	r.kept = slices.Delete(r.kept, len(r.kept)-len(gone), len(r.kept))
	r.mu.Unlock()
	for _, g := range gone {
		r.end(g.of)
	}
	return e.of, true
}

// Each calls f with all that are kept. Meanwhile Get waits.
func (r *Recent[T]) Each(f func(T)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.kept {
		f(e.of)
	}
}

// Close ends all at once, for each may take seconds, and waits. It may be called twice.
func (r *Recent[T]) Close() {
	r.mu.Lock()
	kept := r.kept
	r.kept, r.closed = nil, true
	r.mu.Unlock()
	var ends sync.WaitGroup
	for _, e := range kept {
		ends.Go(func() { r.end(e.of) })
	}
	ends.Wait()
}
