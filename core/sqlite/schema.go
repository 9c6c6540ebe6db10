package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// schemaFiles are the migrations in order: file N brings version N-1 to N. A
// released file is never changed.
//
//go:embed schema/*.sql
var schemaFiles embed.FS

// applicationID marks a file as ours: "Orma" in ASCII.
const applicationID = 0x4F726D61

// loadMigrations returns the scripts; their number is the version of the schema.
func loadMigrations() ([]string, error) {
	names, err := fs.Glob(schemaFiles, "schema/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	scripts := make([]string, len(names))
	for i, name := range names {
		b, err := schemaFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		scripts[i] = string(b)
	}
	return scripts, nil
}

func version(c *conn) (int, error) { return c.count("PRAGMA user_version") }

// checkSchema refuses a file that this program cannot use as it is.
func (s *Store) checkSchema(c *conn) error {
	v, err := version(c)
	if err != nil {
		return err
	}
	app, err := c.count("PRAGMA application_id")
	if err != nil {
		return err
	}
	switch {
	case v == 0 && app == 0:
		n, err := c.count("SELECT count(*) FROM sqlite_schema")
		if err == nil && n == 0 {
			return core.Errorf(core.CodeNotFound, "database %s is empty", s.path).Hinted("write something first")
		}
		fallthrough
	case app != applicationID:
		return core.Errorf(core.CodeInvalid, "%s is a database of another program", s.path).Hinted("give another path with --db")
	case v > s.version():
		return s.newer(v)
	case v < s.version():
		return core.Errorf(core.CodeReadOnly, "database %s has the older schema %d and cannot be upgraded where it is", s.path, v).
			Hinted("make it writable once, or open a copy")
	}
	return nil
}

func (s *Store) newer(v int) error {
	return core.Errorf(core.CodeNewer, "database %s was written by a newer version (schema %d, this program knows %d)", s.path, v, s.version()).
		Hinted("use the newer program, or restore the backup it made beside the database before it upgraded")
}

// migrate brings the file to this program's schema. Several processes may try at
// once: one does it, in an exclusive transaction, the others find it done.
func (s *Store) migrate(ctx context.Context, c *conn) error {
	c.c.SetInterrupt(ctx)
	defer c.c.SetInterrupt(context.Background())
	v, err := version(c)
	if err != nil {
		return err
	}
	if v == s.version() {
		return s.checkSchema(c) // of another program, by chance?
	}
	if v > s.version() {
		return s.newer(v)
	}
	if err := s.checkForeign(c, v); err != nil {
		return err
	}
	if err := s.toWAL(ctx, c); err != nil {
		return err
	}
	if v > 0 {
		to := freeName(fmt.Sprintf("%s.schema%d.bak", s.path, v))
		if err := copyTo(ctx, c, to, s.opt.Key, nil); err != nil {
			return fmt.Errorf("back up before the upgrade: %w", err)
		}
	}
	return s.upgrade(c)
}

// checkForeign refuses to write into a file that has tables of someone else's.
func (s *Store) checkForeign(c *conn, v int) error {
	app, err := c.count("PRAGMA application_id")
	if err != nil || app == applicationID {
		return err
	}
	tables, err := c.count("SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return err
	}
	// Another process may be making the tables at this very moment, but it sets
	// the application id in the same transaction.
	if app != 0 || v != 0 || tables != 0 {
		return core.Errorf(core.CodeInvalid, "%s is a database of another program", s.path).Hinted("give another path with --db")
	}
	return nil
}

// toWAL switches the log on, for which SQLite does not call the busy handler.
func (s *Store) toWAL(ctx context.Context, c *conn) error {
	wait := patience(s.opt.BusyTimeout)
	for i := 0; ; i++ {
		err := c.c.Exec("PRAGMA journal_mode = WAL")
		if err == nil || !(errors.Is(err, sqlite3.BUSY) || errors.Is(err, sqlite3.LOCKED)) || !wait(ctx, i) {
			return err
		}
	}
}

func (s *Store) upgrade(c *conn) error {
	if err := c.c.Exec("BEGIN EXCLUSIVE"); err != nil {
		return err
	}
	err := func() error {
		v, err := version(c) // again: another process may have been first
		if err != nil {
			return err
		}
		if v > s.version() {
			return s.newer(v)
		}
		if v == s.version() {
			return nil
		}
		for i, script := range s.scripts[v:] {
			if err := c.c.Exec(script); err != nil {
				return fmt.Errorf("migration to schema %d: %w", v+i+1, err)
			}
		}
		return c.c.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, s.version()))
	}()
	if err != nil {
		_ = c.c.Exec("ROLLBACK")
		return err
	}
	return c.c.Exec("COMMIT")
}

// version is the schema that this program reads and writes.
func (s *Store) version() int { return len(s.scripts) }
