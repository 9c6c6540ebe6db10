package sqlite

import (
	"context"
	"errors"
)

// read runs fn in a read transaction: all it sees is of one moment.
func (s *Store) read(ctx context.Context, fn func(*conn) error) error {
	if err := s.door.enter(); err != nil {
		return err
	}
	defer s.door.leave()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	c, err := s.reader()
	if err != nil {
		return s.fault(ctx, err)
	}
	good := false
	defer func() {
		// A connection that panicked, or cannot end its transaction, is not used again.
		if !good {
			_ = c.close()
			return
		}
		select {
		case s.idle <- c:
		default:
			_ = c.close()
		}
	}()
	c.c.SetInterrupt(ctx)
	err = func() error {
		if err := c.exec("BEGIN"); err != nil {
			return err
		}
		if v, err := version(c); err != nil {
			return err
		} else if v != s.version() {
			return errUpgraded
		}
		return fn(c)
	}()
	c.c.SetInterrupt(context.Background())
	if !c.c.GetAutocommit() {
		// Nothing was written; and a commit fails where a damaged page was read.
		if end := c.exec("ROLLBACK"); end != nil {
			return s.fault(ctx, errors.Join(err, end))
		}
	}
	good = true
	return s.fault(ctx, err)
}

// reader takes an idle connection or opens one. There is no upper bound: a loop
// over a result may call other methods.
func (s *Store) reader() (*conn, error) {
	if err := s.replaced(); err != nil {
		return nil, err
	}
	select {
	case c := <-s.idle:
		return c, nil
	default:
		mode := s.mode
		if mode == readWrite {
			// A connection that may write can also put a log in order that a killed
			// process left behind. query_only keeps it from anything else.
			c, err := openConn(s.path, readWrite, &s.opt)
			if err == nil {
				err = c.c.Exec("PRAGMA query_only = ON")
			}
			return c, err
		}
		return openConn(s.path, mode, &s.opt)
	}
}
