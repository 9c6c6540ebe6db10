package sqlite

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

// backupStep is how many pages are copied between looks at the context.
const backupStep = 4096

// partMark is what the names of unfinished copies have, and a number after it.
const partMark = ".part-"

// partOf finds the name of the copy in that of a part, or of a file that SQLite keeps beside it.
// The numbers of os.CreateTemp have up to ten digits, and fewer than five once in 400,000 times:
// short ones, and those with zeros before them, are more likely another program's.
var partOf = regexp.MustCompile(`^(.+)\.part-[1-9][0-9]{4,9}(?:-journal|-wal|-shm)?$`)

// SweepBackups removes from Orma's own folder of backups what was left of those that were
// killed more than an hour ago.
func SweepBackups(folder string) {
	sweep(folder, func(name string) bool { return strings.HasSuffix(name, ".db") }, time.Hour)
}

// Backup writes a consistent copy to a new file and remembers it, so that the
// receipt of a later erasure can name it.
func (s *Store) Backup(ctx context.Context, path string, progress func(done, total int)) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(abs); err == nil {
		return core.Errorf(core.CodeConflict, "%s exists already", abs).Hinted("give a new path")
	}
	if err := s.read(ctx, func(c *conn) error { return copyTo(ctx, c, abs, s.opt.Key, progress) }); err != nil {
		return err
	}
	if s.mode != readWrite {
		return nil
	}
	// The copy is there, so who stops now must find it named too.
	if err := s.write(context.WithoutCancel(ctx), func(t *tx) error { return t.rememberBackup(abs) }); err != nil {
		return core.Errorf(core.CodeOf(err), "%s is written and whole, but could not be noted: %w", abs, err).
			Hinted("keep in mind that it exists: the receipt of an erasure will not name it")
	}
	return nil
}

func (t *tx) rememberBackup(path string) error {
	return t.exec(`INSERT INTO backups (path, at, last_id) SELECT ?1, ?2, value FROM counters WHERE name = 'id'
		ON CONFLICT DO UPDATE SET at = excluded.at, last_id = excluded.last_id`, path, t.now)
}

// copyTo copies the database under a key into a file that appears under its name only
// when it is whole.
func copyTo(ctx context.Context, c *conn, path string, key Key, progress func(done, total int)) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return &core.Error{Code: core.CodeUnavailable, Text: "cannot write " + path, Err: err}
	}
	sweep(filepath.Dir(path), func(name string) bool { return name == filepath.Base(path) }, time.Hour)
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partMark+"*") // mode 0600
	if err != nil {
		return &core.Error{Code: core.CodeUnavailable, Text: "cannot write " + path, Err: err}
	}
	defer func() {
		for _, suffix := range []string{"", "-journal", "-wal", "-shm"} {
			_ = os.Remove(part.Name() + suffix)
		}
	}()
	if err := part.Close(); err != nil {
		return err
	}
	b, err := c.c.BackupInit("main", key.uri(part.Name(), url.Values{"mode": {"rw"}}))
	if err != nil {
		return explain(path, err)
	}
	for done := false; !done && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		done, err = b.Step(backupStep)
		if progress != nil && err == nil {
			progress(b.PageCount()-b.Remaining(), b.PageCount())
		}
	}
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := syncFile(part.Name()); err != nil {
		return err
	}
	if err := os.Link(part.Name(), path); err != nil { // unlike a rename, never replaces
		if _, serr := os.Lstat(path); serr == nil {
			return core.Errorf(core.CodeConflict, "%s exists already", path).Hinted("give a new path")
		}
		if err := os.Rename(part.Name(), path); err != nil {
			return fmt.Errorf("backup: %w", err)
		}
	}
	return nil
}

// sweep removes what copies that were killed left in a folder: the parts of those whose name
// is one of ours, if nothing was written into them for idle. The data of an erasure must not
// outlive it in a file that no receipt names. What others keep there is left alone, so the
// name of a part must be all as os.CreateTemp makes it.
func sweep(folder string, ours func(name string) bool, idle time.Duration) {
	entries, _ := os.ReadDir(folder) // what cannot be read has nothing to sweep
	for _, e := range entries {
		m := partOf.FindStringSubmatch(e.Name())
		if m == nil || !ours(m[1]) || !e.Type().IsRegular() {
			continue
		}
		if i, err := e.Info(); err == nil && time.Since(i.ModTime()) >= idle {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
