package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/orma-memory/orma/core"
)

// memoryCap bounds what SQLite itself may allocate for one connection. The
// driver's own default, 256 MB, is too little for large sorts.
const memoryCap = 1 << 30

// conn is one connection with its prepared statements. It is used by one
// goroutine at a time.
type conn struct {
	c     *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
}

// row is the present row of a query, valid until the next one.
type row = sqlite3.Stmt

type access uint8

const (
	readWrite access = iota
	readOnly         // another process may write
	immutable        // nobody writes, and no file may be made beside it
	sole             // no other connection, of any process
)

func openConn(path string, mode access, o *Options) (*conn, error) {
	q := url.Values{}
	switch mode {
	case readWrite, sole:
		q.Set("mode", "rw")
		q.Set("modeof", path) // the log gets the database's own mode
	case readOnly:
		registerReadOnlyVFS()
		q.Set("mode", "ro")
		q.Set("vfs", readOnlyVFSName)
	case immutable:
		q.Set("mode", "ro")
		q.Set("immutable", "1")
	}
	ctx := sqlite3.WithMaxMemory(context.Background(), cmp.Or(o.memory, memoryCap))
	c, err := sqlite3.OpenContext(ctx, o.Key.uri(path, q))
	if err != nil {
		return nil, err
	}
	k := &conn{c: c, stmts: map[string]*sqlite3.Stmt{}}
	if err := k.setUp(mode, o); err != nil {
		_ = k.close()
		return nil, err
	}
	return k, nil
}

func fileURI(path string, q url.Values) string {
	// SQLite knows %20 for a space, not +.
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: strings.ReplaceAll(q.Encode(), "+", "%20")}
	if filepath.VolumeName(path) != "" {
		u.Path = "/" + u.Path
	}
	return u.String()
}

func (c *conn) setUp(mode access, o *Options) error {
	if err := c.c.BusyHandler(patience(o.BusyTimeout)); err != nil {
		return err
	}
	if mode == sole { // before anything is read
		if err := c.c.Exec("PRAGMA locking_mode = EXCLUSIVE"); err != nil {
			return err
		}
	}
	if err := fts5.Register(c.c); err != nil { // the first to read the file
		return err
	}
	pragmas := `
		PRAGMA foreign_keys = ON;
		PRAGMA secure_delete = ON;
		PRAGMA trusted_schema = OFF;
		PRAGMA cache_size = -16384;
		PRAGMA temp_store = FILE; -- VACUUM copies everything
		PRAGMA journal_size_limit = 67108864;`
	if mode == readOnly || mode == immutable {
		pragmas += "PRAGMA query_only = ON;"
	} else if o.Full {
		pragmas += "PRAGMA synchronous = FULL;"
	} else {
		pragmas += "PRAGMA synchronous = NORMAL;"
	}
	return c.c.Exec(pragmas)
}

// patience waits for a lock in short random steps, until the timeout or the end
// of the context.
func patience(timeout time.Duration) func(context.Context, int) bool {
	var began time.Time
	return func(ctx context.Context, count int) bool {
		if count == 0 {
			began = time.Now()
		} else if time.Since(began) >= timeout {
			return false
		}
		step := min(time.Duration(count+1)*500*time.Microsecond, 10*time.Millisecond)
		t := time.NewTimer(step/2 + rand.N(step))
		defer t.Stop()
		select {
		case <-ctx.Done():
			return false
		case <-t.C:
			return true
		}
	}
}

func (c *conn) close() error {
	for _, s := range c.stmts {
		_ = s.Close()
	}
	clear(c.stmts)
	return c.c.Close()
}

// stmt returns the prepared statement of a text, which is a constant of this package.
func (c *conn) stmt(sql string, args []any) (*sqlite3.Stmt, error) {
	s, ok := c.stmts[sql]
	if !ok {
		var err error
		if s, _, err = c.c.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT); err != nil {
			return nil, fmt.Errorf("%w in %s", err, sql)
		}
		c.stmts[sql] = s
	}
	for i, a := range args {
		if err := bind(s, i+1, a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func bind(s *sqlite3.Stmt, i int, a any) error {
	switch v := a.(type) {
	case nil:
		return s.BindNull(i)
	case int:
		return s.BindInt64(i, int64(v))
	case int64:
		return s.BindInt64(i, v)
	case core.ID:
		return s.BindInt64(i, int64(v))
	case bool:
		return s.BindBool(i, v)
	case string:
		return s.BindText(i, v)
	case []byte:
		return s.BindBlob(i, v)
	case float32:
		return s.BindFloat(i, float64(v))
	case float64:
		return s.BindFloat(i, v)
	case time.Time:
		if v.IsZero() {
			return s.BindNull(i)
		}
		return s.BindInt64(i, v.UnixMicro())
	default:
		return fmt.Errorf("value of type %T cannot be bound", a)
	}
}

// exec runs a statement that gives no rows.
func (c *conn) exec(sql string, args ...any) error {
	s, err := c.stmt(sql, args)
	if err != nil {
		return err
	}
	return s.Exec()
}

// each calls fn for every row. Inside fn the same text must not be run again.
func (c *conn) each(sql string, fn func(*row) error, args ...any) error {
	s, err := c.stmt(sql, args)
	if err != nil {
		return err
	}
	for s.Step() {
		if err := fn(s); err != nil {
			_ = s.Reset()
			return err
		}
	}
	err = s.Err()
	_ = s.Reset()
	return err
}

// first calls fn for the first row, if there is one. It is each for queries that give no
// more: to be told so by SQLite costs a step.
func (c *conn) first(sql string, fn func(*row), args ...any) error {
	s, err := c.stmt(sql, args)
	if err != nil {
		return err
	}
	if s.Step() {
		fn(s)
	}
	err = s.Err()
	_ = s.Reset()
	return err
}

// one reads the first column of the first row as an integer; found is false when
// there is no row or it is null.
func (c *conn) one(sql string, args ...any) (v int64, found bool, err error) {
	s, err := c.stmt(sql, args)
	if err != nil {
		return 0, false, err
	}
	if s.Step() && s.ColumnType(0) != sqlite3.NULL {
		v, found = s.ColumnInt64(0), true
	}
	err = s.Err()
	_ = s.Reset()
	return v, found, err
}

// count is one for queries that always give a row.
func (c *conn) count(sql string, args ...any) (int, error) {
	n, _, err := c.one(sql, args...)
	return int(n), err
}

func micros(t time.Time) int64 { return t.UnixMicro() }

// when reads a time; a null is the zero time.
func when(r *row, col int) time.Time {
	if r.ColumnType(col) == sqlite3.NULL {
		return time.Time{}
	}
	return time.UnixMicro(r.ColumnInt64(col)).UTC()
}
