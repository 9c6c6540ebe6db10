package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// Restore puts the backup at from in place of the database at to and returns where
// the replaced one is kept, or "" when there was none. It checks the backup first.
// A plain backup is put under the key that is given, which is else that of both.
// Without force it refuses to replace a database that has episodes
// ([core.CodeConflict]). No other process may have the database open.
//
// What was erased after the backup was made comes back with it: the receipts of
// those erasures named the backup.
func Restore(ctx context.Context, from, to string, key Key, force bool) (kept string, err error) {
	if from, err = realPath(from); err != nil {
		return "", err
	}
	if to, err = realPath(to); err != nil {
		return "", err
	}
	if err := checkKey(to, key); err != nil {
		return "", err
	}
	own := key
	if isPlain(from) {
		own = Key{}
	}
	if err := checkBackup(ctx, from, own); err != nil {
		return "", err
	}
	if a, err := os.Stat(to); err == nil {
		if b, err := os.Stat(from); err == nil && os.SameFile(a, b) {
			return "", core.Errorf(core.CodeInvalid, "%s is the database itself", from)
		}
	}
	if err := createFile(to); err != nil {
		return "", &core.Error{Code: core.CodeUnavailable, Text: "database " + to + " cannot be made", Err: err}
	}
	r := &restorer{store: Store{path: to, opt: Options{BusyTimeout: time.Second, Now: time.Now, Key: key}}, from: from, key: own, force: force}
	return r.run(ctx)
}

// checkBackup refuses a file that is not a sound store of a version we know.
func checkBackup(ctx context.Context, path string, key Key) error {
	if _, err := prepareFile(path, true); err != nil {
		return err
	}
	mode := immutable
	if i, err := os.Stat(path + "-wal"); err == nil && i.Size() > 0 {
		mode = readOnly // not a backup but a database in use
	}
	scripts, err := loadMigrations()
	if err != nil {
		return err
	}
	s := &Store{path: path, mode: mode, scripts: scripts, opt: Options{BusyTimeout: time.Second, Key: key}}
	c, err := openConn(path, mode, &s.opt)
	if err != nil {
		return s.fault(ctx, err)
	}
	defer c.close()
	c.c.SetInterrupt(ctx)
	if err := s.checkSchema(c); err != nil && core.CodeOf(err) != core.CodeReadOnly { // older is fine
		return s.fault(ctx, err)
	}
	err = c.each("PRAGMA integrity_check(1)", func(r *row) error {
		if line := r.ColumnText(0); line != "ok" {
			return core.Errorf(core.CodeCorrupt, "backup %s is damaged: %s", path, line).Hinted("use another backup")
		}
		return nil
	})
	return s.fault(ctx, err)
}

type restorer struct {
	store   Store // only for its path and options
	from    string
	key     Key // of from
	force   bool
	lastID  int64
	epoch   int64
	backups []savedBackup
}

type savedBackup struct {
	path       string
	at, lastID int64
}

func (r *restorer) run(ctx context.Context) (kept string, err error) {
	s := &r.store
	before, err := os.Stat(s.path)
	if err != nil {
		return "", s.fault(ctx, err)
	}
	c, err := s.openSole(ctx, s.path)
	if err != nil {
		if isDamage(err) {
			return r.replace(ctx)
		}
		return "", s.fault(ctx, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	episodes, err := r.look(c)
	if err != nil && !isDamage(err) {
		return "", s.fault(ctx, err)
	}
	if episodes > 0 && !r.force {
		return "", core.Errorf(core.CodeConflict, "database %s has %d episodes", s.path, episodes).
			Hinted("use --force to replace it; a copy is kept")
	}
	if before.Size() > 0 {
		kept = freeName(s.path + ".replaced")
		if err := keepAside(s.path, kept); err != nil {
			return "", err
		}
	}
	if err := c.c.Exec("PRAGMA journal_mode = WAL"); err != nil {
		return kept, s.fault(ctx, err)
	}
	if err := overwrite(c, r.from, r.key); err != nil {
		return kept, s.fault(ctx, err)
	}
	if err := r.mark(c, kept); err != nil {
		return kept, s.fault(ctx, err)
	}
	_, _, err = c.c.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
	return kept, s.fault(ctx, err)
}

// look reads what the replaced database must hand on: which IDs and epochs were
// used, and which backups are known.
func (r *restorer) look(c *conn) (episodes int, err error) {
	if n, err := c.count("SELECT count(*) FROM sqlite_schema"); err != nil || n == 0 {
		return 0, err
	}
	if r.lastID, _, err = c.one("SELECT value FROM counters WHERE name = 'id'"); err != nil {
		return 0, err
	}
	if r.epoch, _, err = c.one("SELECT value FROM counters WHERE name = 'epoch'"); err != nil {
		return 0, err
	}
	if err := c.each("SELECT path, at, last_id FROM backups", func(b *row) error {
		r.backups = append(r.backups, savedBackup{b.ColumnText(0), b.ColumnInt64(1), b.ColumnInt64(2)})
		return nil
	}); err != nil {
		return 0, err
	}
	return c.count("SELECT count(*) FROM episodes")
}

// mark makes the restored database the successor of the replaced one: no ID or
// epoch is given twice, and all copies are known.
func (r *restorer) mark(c *conn, kept string) error {
	if kept != "" {
		r.backups = append(r.backups, savedBackup{kept, micros(r.store.opt.Now()), max(r.lastID, 1)})
	}
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	own, _, err := c.one("SELECT value FROM counters WHERE name = 'id'")
	if err != nil {
		return err
	}
	r.backups = append(r.backups, savedBackup{r.from, micros(r.store.opt.Now()), own})
	for _, b := range r.backups {
		if err := c.exec(`INSERT INTO backups (path, at, last_id) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET at = excluded.at, last_id = max(last_id, excluded.last_id)`, b.path, b.at, b.lastID); err != nil {
			return err
		}
	}
	if err := c.exec("UPDATE counters SET value = max(value, ?) WHERE name = 'id'", r.lastID); err != nil {
		return err
	}
	if err := c.exec("UPDATE counters SET value = max(value, ?) + (SELECT count(*) FROM spaces) WHERE name = 'epoch'", r.epoch); err != nil {
		return err
	}
	if err := c.exec(`UPDATE spaces SET epoch = (SELECT value FROM counters WHERE name = 'epoch') -
		(SELECT count(*) FROM spaces o WHERE o.id < spaces.id)`); err != nil {
		return err
	}
	if err := c.exec("DELETE FROM snapshots"); err != nil {
		return err
	}
	return c.exec("COMMIT")
}

// replace is for a database that SQLite cannot open at all: the file is moved away, and
// an empty one is filled.
func (r *restorer) replace(ctx context.Context) (kept string, err error) {
	path := r.store.path
	kept = freeName(path + ".replaced")
	for _, suffix := range []string{"", "-wal"} {
		if err := os.Rename(path+suffix, kept+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("keep the replaced database: %w", err)
		}
	}
	_ = os.Remove(path + "-shm")
	if err := createFile(path); err != nil {
		return kept, fmt.Errorf("restore: %w", err)
	}
	_, err = r.run(ctx)
	return kept, err
}

// freeName returns a name that no file has: path, or path with a number.
func freeName(path string) string {
	name := path
	for i := 1; ; i++ {
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", path, i)
	}
}
