package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// repair makes the database anew from what can be read of it and writes that over
// the old one, page by page through SQLite, so that a process that opens the file
// meanwhile never sees half of it.
func (s *Store) repair(ctx context.Context, derive func(core.Episode) (core.Draft, error)) (fixed []string, err error) {
	s.door.shut(errRepair)
	defer s.door.open()
	if err := s.disconnect(); err != nil {
		return nil, explain(s.path, err)
	}
	sole, err := s.openSole(ctx, s.path)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	defer func() {
		if sole != nil {
			err = errors.Join(err, sole.close())
		}
	}()
	fresh := freeName(s.path + ".repair")
	defer removeDatabase(fresh)
	fixed, err = s.rebuildInto(ctx, sole, fresh, derive)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	damaged := freeName(s.path + ".damaged")
	if err := keepAside(s.path, damaged); err != nil {
		return nil, err
	}
	if err := overwrite(sole, fresh, s.opt.Key); err != nil {
		return nil, s.fault(ctx, err)
	}
	if _, _, err := sole.c.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE); err != nil {
		return nil, s.fault(ctx, err)
	}
	err = sole.close()
	sole = nil
	return append(fixed, "kept the damaged file as "+damaged), err
}

// openSole opens the database so that no other connection can, waiting for those
// that have it open.
func (s *Store) openSole(ctx context.Context, path string) (*conn, error) {
	wait := patience(s.opt.BusyTimeout)
	quick := s.opt
	quick.BusyTimeout = 10 * time.Millisecond // the loop waits
	for i := 0; ; i++ {
		c, err := openConn(path, sole, &quick)
		if err == nil {
			if err = c.c.Exec("BEGIN IMMEDIATE; COMMIT"); err == nil {
				return c, nil
			}
			_ = c.close()
		}
		if !isBusy(err) || !wait(ctx, i) {
			if isBusy(err) {
				return nil, core.Errorf(core.CodeBusy, "database %s is open in another process", path).
					Hinted("stop the other processes that use it and try again")
			}
			return nil, err
		}
	}
}

// rebuildInto salvages and derives into a new file, and checks it.
func (s *Store) rebuildInto(ctx context.Context, from *conn, path string, derive func(core.Episode) (core.Draft, error)) ([]string, error) {
	removeDatabase(path)
	if err := createFile(path); err != nil {
		return nil, err
	}
	to, err := openConn(path, sole, &s.opt)
	if err != nil {
		return nil, err
	}
	defer to.close()
	if err := to.c.Exec("PRAGMA foreign_keys = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF"); err != nil {
		return nil, err
	}
	if err := s.upgrade(to); err != nil {
		return nil, err
	}
	sv := &salvage{from: from, to: to, damaged: map[string]bool{}}
	if err := sv.run(ctx); err != nil {
		return nil, err
	}
	rd := &rederive{tx: &tx{conn: to, now: s.opt.Now()}, damaged: sv.damaged, derive: derive}
	if err := to.exec("BEGIN"); err != nil {
		return nil, err
	}
	if err := rd.run(ctx); err != nil {
		return nil, err
	}
	if err := to.exec("COMMIT"); err != nil {
		return nil, err
	}
	var notes []string
	for t := range sv.damaged {
		notes = append(notes, "some rows of "+t+" could not be read")
	}
	slices.Sort(notes)
	_, _, err = to.c.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
	return append(notes, rd.fixed...), err
}

// overwrite replaces the content of a connection's database by that of a file under a key.
func overwrite(c *conn, from string, key Key) error {
	for _, st := range c.stmts {
		_ = st.Close()
	}
	clear(c.stmts)
	q := url.Values{"mode": {"ro"}}
	if logSize(from) == 0 {
		q.Set("immutable", "1") // so that nothing is made beside it
	}
	if err := c.c.Restore("main", key.uri(from, q)); err != nil {
		return fmt.Errorf("put the new database in place: %w", err)
	}
	return nil
}

// keepAside copies a database and its log as they are. The connection that has them
// open holds the lock that keeps them still.
func keepAside(path, as string) error {
	for _, suffix := range []string{"", "-wal"} {
		if i, err := os.Stat(path + suffix); err != nil || suffix != "" && i.Size() == 0 {
			continue
		}
		if err := copyFile(path+suffix, as+suffix); err != nil {
			return &core.Error{Code: core.CodeUnavailable, Text: "the present database cannot be kept as " + as, Err: err}
		}
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		err = errors.Join(err, os.Remove(to)) // half a copy is none
	}
	return err
}

func removeDatabase(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		_ = os.Remove(path + suffix)
	}
}
