package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// Options says how a store is opened. The zero value is what most callers want.
type Options struct {
	// Full makes each write safe from a loss of power, at the cost of a disk flush.
	Full bool
	// Key is that of an encrypted database.
	Key Key
	// ReadOnly refuses writes. A file that cannot be written is opened so in any case.
	ReadOnly bool
	// BusyTimeout is how long a call waits for other processes; zero means 5 s.
	BusyTimeout time.Duration
	// Spaces and SpaceEpisodes are the most spaces of the file and episodes of a space; what
	// would be more is refused with [core.CodeLimit]. Zero means no bound.
	Spaces, SpaceEpisodes int
	// Readers is how many idle reading connections are kept; zero means 3.
	Readers int
	// Now is the clock of what the store dates itself; nil means the system's.
	Now func() time.Time

	memory int64 // bytes for a connection, in tests; zero means memoryCap
}

// Store is a [core.Store] in one file. It is safe for concurrent use by
// goroutines and by processes.
type Store struct {
	path string
	mode access
	opt  Options
	file os.FileInfo // what lay at path when it was opened

	scripts []string // migrations

	turn  chan struct{} // held by the goroutine that uses w
	w     *conn         // nil when it must be opened again
	mu    sync.Mutex    // guards queue
	queue []*job

	idle chan *conn // reading connections
	door door
}

var _ core.Store = (*Store)(nil)

// Open opens or makes the database at path, and its folder. It fails with a
// [core.Error]: [core.CodeNewer] when a newer version wrote it, [core.CodeCorrupt]
// when it is damaged, [core.CodeDenied] when other users may write it,
// [core.CodeBusy] when a process holds it for longer than the timeout,
// [core.CodeInvalid] when it is something else than a store.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	scripts, err := loadMigrations()
	if err != nil {
		return nil, err
	}
	return openWith(ctx, path, o, scripts)
}

func openWith(ctx context.Context, path string, o Options, scripts []string) (*Store, error) {
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 5 * time.Second
	}
	if o.Readers == 0 {
		o.Readers = 3
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	abs, err := realPath(path)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	mode, err := prepareFile(abs, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	if err := checkKey(abs, o.Key); err != nil {
		return nil, err
	}
	s := &Store{
		path: abs, mode: mode, opt: o, scripts: scripts,
		turn: make(chan struct{}, 1), idle: make(chan *conn, o.Readers),
	}
	if err := s.start(ctx); err != nil {
		_ = s.Close()
		return nil, s.fault(ctx, err)
	}
	return s, nil
}

// start opens the first connection and brings the schema up to date.
func (s *Store) start(ctx context.Context) error {
	c, err := openConn(s.path, s.mode, &s.opt)
	if s.mode == readWrite && errors.Is(err, sqlite3.READONLY) { // no log can be made beside it
		s.mode = readOnly
		c, err = openConn(s.path, s.mode, &s.opt)
	}
	if s.mode == readOnly && (errors.Is(err, sqlite3.CANTOPEN) || errors.Is(err, sqlite3.READONLY)) && logSize(s.path) == 0 {
		// No log, and none can be made: SQLite cannot take part in locking. Nobody
		// is writing, or there would be a log.
		s.mode = immutable
		c, err = openConn(s.path, s.mode, &s.opt)
	}
	if err != nil {
		return err
	}
	s.file, _ = os.Stat(s.path) // it was there a moment ago
	if s.mode != readWrite {
		s.idle <- c
		return s.checkSchema(c)
	}
	s.w = c
	if err := s.migrate(ctx, c); err != nil {
		return err
	}
	tighten(s.path)
	return nil
}

// realPath is the full path of a database without links: its log lies beside the file
// itself.
func realPath(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		return real, nil
	}
	return full, nil // it is to be made
}

func logSize(path string) int64 {
	i, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return i.Size()
}

// prepareFile makes the folder and the empty file, and finds out how the file can
// be used.
func prepareFile(path string, ro bool) (access, error) {
	var made error
	if !ro {
		made = createFile(path)
		if made != nil && !errors.Is(made, fs.ErrPermission) && !isReadOnlyFS(made) {
			return 0, &core.Error{Code: core.CodeUnavailable, Text: "database " + path + " cannot be made", Hint: "check the path, or give another with --db", Err: made}
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && made != nil:
		return 0, &core.Error{Code: core.CodeReadOnly, Text: "database " + path + " cannot be made", Hint: "its folder cannot be written: choose another, or change its rights", Err: made}
	case errors.Is(err, fs.ErrNotExist):
		return 0, core.Errorf(core.CodeNotFound, "no database at %s", path).Hinted("check the path, or write something first")
	case err != nil:
		return 0, &core.Error{Code: core.CodeDenied, Text: "database " + path + " cannot be read", Err: err}
	case !info.Mode().IsRegular():
		return 0, core.Errorf(core.CodeInvalid, "database %s is not a file", path).Hinted("give the path of a file with --db")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0:
		return 0, core.Errorf(core.CodeDenied, "database %s can be written by every user of this machine", path).Hinted("run: chmod 600 %s", path)
	}
	if ro {
		return readOnly, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) || isReadOnlyFS(err) {
			return readOnly, nil
		}
		return 0, &core.Error{Code: core.CodeUnavailable, Text: "database " + path + " cannot be opened", Err: err}
	}
	return readWrite, f.Close()
}

func createFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func isReadOnlyFS(err error) bool {
	// The errno differs between systems; its words do not.
	return err != nil && strings.Contains(err.Error(), "read-only file system")
}

// tighten takes the rights of others from the files that SQLite makes beside the
// database. They hold no text but for the log, which is made with the right mode.
func tighten(path string) {
	for _, suffix := range []string{"-shm", "-wal"} {
		if i, err := os.Stat(path + suffix); err == nil && i.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(path+suffix, 0o600)
		}
	}
}

// Close waits for calls in flight and closes the file. It may be called twice.
func (s *Store) Close() error {
	s.door.shut(errClosed)
	if err := s.disconnect(); err != nil {
		return explain(s.path, err)
	}
	return nil
}

// disconnect closes all connections. No call may be in flight.
func (s *Store) disconnect() error {
	var errs []error
	for {
		select {
		case c := <-s.idle:
			errs = append(errs, s.let(c))
			continue
		default:
		}
		break
	}
	if s.w != nil {
		errs = append(errs, s.let(s.w))
		s.w = nil
	}
	return errors.Join(errs...)
}
