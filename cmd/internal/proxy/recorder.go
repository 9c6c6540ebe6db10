package proxy

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
)

// Sizes and times of recording.
const (
	queueLength  = 4096
	firstRetry   = 50 * time.Millisecond
	lastRetry    = 2 * time.Second
	retryFor     = 30 * time.Second // then a turn is set aside in the spool
	storeTimeout = 20 * time.Second

	// What is set aside is tried again after the first of these, and then ever more
	// seldom, down to the second.
	firstReplay = 2 * time.Second
	lastReplay  = time.Minute

	heldBytes = 64 << 20 // texts that are held when not even the file can be written
)

// recorder stores what was said, one exchange after the other, behind the answers.
// What cannot be stored for now is tried again; what cannot be stored at all goes into
// a file, and into the store when that is well again.
type recorder struct {
	p     *Proxy
	queue chan said
	hurry chan struct{} // closed when it is to end
	ended chan struct{} // run is over
	spool *spool
	held  held

	hopeless bool // an attempt failed while it was to end: the rest is set aside; used by run alone

	mu      sync.Mutex
	started bool
	closing bool
	failing error // the last attempt; nil when it went well
}

func newRecorder(p *Proxy) *recorder {
	return &recorder{p: p, queue: make(chan said, queueLength), hurry: make(chan struct{}), ended: make(chan struct{}), spool: newSpool(p.o.Spool, p.o.Mask, p.o.Seal)}
}

// put takes in an exchange. When more waits than there is room for, it goes into the
// file.
func (r *recorder) put(s said) {
	if len(s.Turns) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closing {
		select {
		case r.queue <- s:
			return
		default:
		}
	}
	r.setAside(s)
}

func (r *recorder) waiting() int { return len(r.queue) }

func (r *recorder) check() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failing
}

// start begins to record.
func (r *recorder) start() {
	r.mu.Lock()
	r.started = true
	r.mu.Unlock()
	r.p.work.Go(r.run)
}

// close records what waits and ends run.
func (r *recorder) close() error {
	r.mu.Lock()
	started := r.started
	r.closing = true
	close(r.hurry)
	close(r.queue)
	r.mu.Unlock()
	if !started {
		r.run()
	}
	<-r.ended
	return r.check()
}

// run records until the queue is closed and empty. What is set aside it tries again
// meanwhile, whether or not more is said.
func (r *recorder) run() {
	defer close(r.ended)
	defer r.letGo()
	r.replay()
	again, wait := time.NewTimer(firstReplay), firstReplay
	defer again.Stop()
	for {
		select {
		case s, more := <-r.queue:
			if !more {
				return
			}
			if r.record(s); r.check() == nil {
				wait = firstReplay
			}
		case <-again.C:
			if r.check() != nil || r.spool.waits() || r.held.some() {
				r.replay()
				wait = min(2*wait, lastReplay)
			}
			again.Reset(wait)
		}
	}
}

// record stores an exchange, or sets it aside.
func (r *recorder) record(s said) {
	err := r.persist(&s)
	if r.refused(err) {
		r.counted("refused", len(s.Turns))
		r.p.o.Log.Warn("turns were refused", slog.Any("error", err))
		err = nil
	}
	r.mu.Lock()
	was := r.failing
	r.failing = err
	r.mu.Unlock()
	if err != nil {
		r.p.o.Log.Error("turns were not recorded", slog.Any("error", err))
		r.setAside(s)
		return
	}
	if was != nil {
		r.replay()
	}
}

// refused reports whether an error says that the turns themselves cannot be taken, now
// or ever.
func (r *recorder) refused(err error) bool {
	switch core.CodeOf(err) {
	case core.CodeInvalid, core.CodeTooLarge, core.CodeLimit:
		return err != nil
	}
	return false
}

// persist stores an exchange and tries again while there is hope. When the one before
// failed, it tries once: what waits behind must not wait in vain.
func (r *recorder) persist(s *said) error {
	failing := r.check()
	if failing != nil && r.hopeless {
		return failing
	}
	wait, began := firstRetry, time.Now()
	for {
		err := r.store(s)
		if err == nil || failing != nil || !r.mayPass(err) || time.Since(began) > retryFor || r.isClosing() {
			r.hopeless = err != nil && r.isClosing()
			return err
		}
		r.mu.Lock()
		r.failing = err
		r.mu.Unlock()
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-r.hurry:
			t.Stop()
		}
		wait = min(2*wait, lastRetry)
	}
}

func (r *recorder) isClosing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closing
}

// mayPass reports whether an error may be gone in a while.
func (r *recorder) mayPass(err error) bool {
	switch core.CodeOf(err) {
	case core.CodeBusy, core.CodeUnavailable:
		return true
	}
	return false
}

// store records the turns that are new.
func (r *recorder) store(s *said) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	fresh := s.Turns[:0:0]
	for _, in := range s.Turns {
		old, err := r.p.o.Store.EpisodeByKey(ctx, s.Space, in.Source, in.Key)
		switch {
		case err == nil && old.Session == in.Session:
			continue // sent again
		case err != nil && core.CodeOf(err) != core.CodeNotFound:
			return err
		}
		fresh = append(fresh, in)
	}
	if len(fresh) > 0 {
		added, err := r.p.o.Engine.Add(ctx, s.Space, fresh...)
		if err != nil {
			return err
		}
		for _, a := range added {
			if a.Error != "" {
				r.p.o.Log.Warn("turn refused", slog.String("code", string(a.Code)))
			}
		}
	}
	r.counted("stored", len(fresh))
	if len(s.items) > 0 {
		if err := r.p.o.Engine.Delivered(ctx, s.Space, s.used, s.items); err != nil {
			r.p.o.Log.Warn("use was not counted", slog.Any("error", err))
		}
		s.items = nil
	}
	return nil
}

func (r *recorder) counted(outcome string, n int) {
	if r.p.count != nil && n > 0 {
		r.p.count.Recorded(outcome, n)
	}
}

// setAside puts an exchange into the file, and where that cannot be written either, as
// on a full disk, holds it.
func (r *recorder) setAside(s said) {
	err := r.spool.add(s)
	if err == nil {
		r.counted("set_aside", len(s.Turns))
		r.p.o.Log.Warn("turns are set aside", slog.String("file", r.spool.path), slog.Int("turns", len(s.Turns)))
		return
	}
	if r.held.add(s) {
		r.counted("held", len(s.Turns))
		r.p.o.Log.Error("turns are held in memory alone", slog.Int("turns", len(s.Turns)), slog.Any("error", err))
		return
	}
	r.lose(s, err)
}

func (r *recorder) lose(s said, err error) {
	r.counted("lost", len(s.Turns))
	r.p.o.Log.Error("turns are lost", slog.Int("turns", len(s.Turns)), slog.Any("error", err))
}

// letGo sets aside what is still held at the end.
func (r *recorder) letGo() {
	for _, s := range r.held.take() {
		if err := r.store(&s); err == nil || r.refused(err) {
			continue
		}
		if err := r.spool.add(s); err != nil {
			r.lose(s, err)
		}
	}
}

// replay stores what was set aside or is held.
func (r *recorder) replay() {
	store := func(s said) error {
		if err := r.store(&s); err != nil && !r.refused(err) {
			return err
		}
		return nil
	}
	n, err := r.held.drain(store)
	if err == nil {
		var more int
		more, err = r.spool.drain(store)
		n += more
	}
	if n > 0 {
		r.p.o.Log.Info("turns that were set aside are recorded", slog.Int("exchanges", n))
	}
	if err != nil {
		r.p.o.Log.Warn("turns stay set aside", slog.String("file", r.spool.path), slog.Any("error", err))
		return
	}
	r.mu.Lock()
	r.failing = nil // nothing waits any more
	r.mu.Unlock()
}
