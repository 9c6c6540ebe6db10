package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/orma-memory/orma/core"
)

// tx is a write transaction.
type tx struct {
	*conn
	now time.Time
	opt *Options // nil where what is there already is written anew
}

// spaceRow is a row of spaces.
type spaceRow struct {
	id, gen, epoch int64
}

// job is one caller's part of a transaction.
type job struct {
	ctx  context.Context
	fn   func(*tx) error
	err  error
	done chan struct{}
}

// maxBatch bounds how many calls share a transaction, so that none waits long.
const maxBatch = 128

// write runs fn in a write transaction, shared with the calls that arrive while
// another one is being written: then one flush serves all. Each fn is undone alone
// when it fails. fn may run more than once, so it must set its results afresh.
func (s *Store) write(ctx context.Context, fn func(*tx) error) error {
	if s.mode != readWrite {
		return core.Errorf(core.CodeReadOnly, "database %s is open for reading only", s.path).
			Hinted("check the owner and mode of the file and its folder")
	}
	if err := s.door.enter(); err != nil {
		return err
	}
	defer s.door.leave()
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{})}
	s.mu.Lock()
	s.queue = append(s.queue, j)
	s.mu.Unlock()
	select {
	case <-j.done:
	case s.turn <- struct{}{}:
		s.lead(j)
		<-s.turn
	case <-ctx.Done():
		if s.withdraw(j) {
			return context.Cause(ctx)
		}
		<-j.done
	}
	return s.fault(ctx, j.err)
}

// withdraw takes a job back that no one has begun with.
func (s *Store) withdraw(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, q := range s.queue {
		if q == j {
			s.queue = append(s.queue[:i], s.queue[i+1:]...)
			return true
		}
	}
	return false
}

func (s *Store) take() []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.queue), maxBatch)
	batch := append([]*job(nil), s.queue[:n]...)
	s.queue = append(s.queue[:0], s.queue[n:]...)
	return batch
}

// lead writes batches until mine is done.
func (s *Store) lead(mine *job) {
	for {
		select {
		case <-mine.done:
			return
		default:
		}
		if err := s.begin(mine.ctx); err != nil {
			if s.withdraw(mine) {
				mine.err = err
				close(mine.done)
			}
			return
		}
		for batch := s.take(); len(batch) > 0; {
			batch = s.commit(batch)
			if len(batch) > 0 {
				if err := s.begin(context.Background()); err != nil {
					finish(batch, err)
					break
				}
			}
		}
	}
}

func finish(batch []*job, err error) {
	for _, j := range batch {
		if j.err == nil {
			j.err = err
		}
		close(j.done)
	}
}

// begin opens the transaction that a batch will share. Waiting for another
// process ends with ctx.
func (s *Store) begin(ctx context.Context) error {
	if err := s.replaced(); err != nil {
		return err
	}
	if s.w == nil {
		c, err := openConn(s.path, readWrite, &s.opt)
		if err != nil {
			return err
		}
		s.w = c
	}
	c := s.w
	c.c.SetInterrupt(ctx)
	defer c.c.SetInterrupt(context.Background())
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	v, err := version(c)
	if err == nil && v != s.version() {
		err = errUpgraded
	}
	if err != nil {
		s.rollback()
	}
	return err
}

// rollback ends a transaction without effect; a connection that cannot do that is
// given up.
func (s *Store) rollback() {
	if s.w.c.GetAutocommit() {
		return
	}
	if err := s.w.c.Exec("ROLLBACK"); err != nil {
		_ = s.let(s.w)
		s.w = nil
	}
}

// commit runs the jobs of a batch in the open transaction and ends it. It returns
// the jobs that must be tried again, because another one's failure (a full disk,
// say) undid the whole transaction.
func (s *Store) commit(batch []*job) (again []*job) {
	t := &tx{conn: s.w, now: s.opt.Now(), opt: &s.opt}
	for i, j := range batch {
		j.err = s.run(t, j, len(batch) > 1)
		if s.w == nil || s.w.c.GetAutocommit() {
			if j.err == nil {
				j.err = errors.New("transaction ended early")
			}
			close(j.done)
			return append(batch[:i:i], batch[i+1:]...)
		}
	}
	if len(batch) == 1 && batch[0].err != nil {
		s.rollback()
		finish(batch, nil)
		return nil
	}
	err := s.w.exec("COMMIT")
	if err != nil {
		s.rollback()
	}
	finish(batch, err)
	return nil
}

// run runs one job; with a savepoint its failure leaves the others alone.
func (s *Store) run(t *tx, j *job, savepoint bool) (err error) {
	if err := j.ctx.Err(); err != nil {
		return context.Cause(j.ctx)
	}
	defer s.survive(&err)
	if !savepoint {
		return j.fn(t)
	}
	if err := t.exec("SAVEPOINT job"); err != nil {
		return err
	}
	if err := j.fn(t); err != nil {
		if t.c.GetAutocommit() {
			return err
		}
		return errors.Join(err, t.exec("ROLLBACK TO job"), t.exec("RELEASE job"))
	}
	return t.exec("RELEASE job")
}

// survive, deferred, makes an error of a panic on the writing connection. The driver panics
// when SQLite runs out of memory: the connection is unusable then, the process need not be.
func (s *Store) survive(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic in a transaction: %v", p)
		s.abandon()
	}
}

// abandon closes a connection of which nothing is known any more.
func (s *Store) abandon() {
	c := s.w
	s.w = nil
	defer func() { _ = recover() }() // closing may panic again
	_ = s.let(c)
}

// alone runs fn on the writing connection outside a transaction, for what cannot
// run inside one, such as VACUUM.
func (s *Store) alone(ctx context.Context, fn func(*conn) error) error {
	if err := s.door.enter(); err != nil {
		return err
	}
	defer s.door.leave()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.turn }()
	if err := s.replaced(); err != nil {
		return err
	}
	if s.w == nil {
		c, err := openConn(s.path, readWrite, &s.opt)
		if err != nil {
			return s.fault(ctx, err)
		}
		s.w = c
	}
	s.w.c.SetInterrupt(ctx)
	err := func() (err error) {
		defer s.survive(&err)
		return fn(s.w)
	}()
	if s.w != nil {
		s.w.c.SetInterrupt(context.Background())
	}
	return s.fault(ctx, err)
}
