package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// errUpgraded is what an older process gets after a newer one migrated the file.
var errUpgraded = core.Errorf(core.CodeNewer, "the database was upgraded by a newer version of the program").
	Hinted("restart this program in the newer version")

// fault gives an error of the database the code, words and advice of the engine.
// Errors that have a code already are left as they are.
func (s *Store) fault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if e := (*core.Error)(nil); errors.As(err, &e) {
		return err
	}
	if errors.Is(err, sqlite3.INTERRUPT) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, sqlite3.NOTADB) {
		return s.opt.Key.sealed(s.path, err)
	}
	return explain(s.path, err)
}

func explain(path string, err error) error {
	wrap := func(code core.Code, text, hint string) error {
		return &core.Error{Code: code, Text: "database " + path + ": " + text, Hint: hint, Err: err}
	}
	switch {
	case errors.Is(err, sqlite3.FULL), errors.Is(err, syscall.ENOSPC):
		return wrap(core.CodeUnavailable, "the disk is full; nothing was changed", "free some space and try again")
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.LOCKED):
		return wrap(core.CodeBusy, "another process holds it", "try again, or stop the other process")
	case errors.Is(err, sqlite3.READONLY), errors.Is(err, syscall.EROFS):
		return wrap(core.CodeReadOnly, "it cannot be written", "check the owner and mode of the file and its folder")
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB), lacksSchema(err):
		return wrap(core.CodeCorrupt, "it is damaged", "run `orma doctor --fix`, or restore a backup with `orma restore`")
	case errors.Is(err, sqlite3.PERM), errors.Is(err, sqlite3.AUTH), errors.Is(err, fs.ErrPermission):
		return wrap(core.CodeDenied, "no permission", "check the owner and mode of the file and its folder")
	case errors.Is(err, sqlite3.IOERR_WRITE), errors.Is(err, sqlite3.IOERR_FSYNC), errors.Is(err, sqlite3.IOERR_SHMSIZE):
		// What the system said does not come through the driver: as a rule, that the disk is full.
		return wrap(core.CodeUnavailable, "it could not be written, the disk is full or fails; nothing was changed", "free some space and try again, or check the disk")
	case errors.Is(err, sqlite3.CANTOPEN), errors.Is(err, sqlite3.IOERR):
		return wrap(core.CodeUnavailable, "the file cannot be read or written", "check the path and the disk")
	case errors.Is(err, sqlite3.TOOBIG):
		return wrap(core.CodeTooLarge, "a value is too large", "")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case ofDriver(err):
		return wrap(core.CodeInternal, "unexpected", "")
	default:
		return err // a caller's own, such as a sink's
	}
}

// lacksSchema reports whether a statement of ours names something that the file
// does not have.
func lacksSchema(err error) bool {
	return errors.Is(err, sqlite3.ERROR) && strings.Contains(err.Error(), "no such ")
}

func ofDriver(err error) bool {
	var (
		e *sqlite3.Error
		c sqlite3.ErrorCode
		x sqlite3.ExtendedErrorCode
	)
	return errors.As(err, &e) || errors.As(err, &c) || errors.As(err, &x)
}

func notFound(what string, id core.ID) error {
	return core.Errorf(core.CodeNotFound, "no %s %d in this space", what, id)
}

// errStop ends a query early.
var errStop = errors.New("stop")
