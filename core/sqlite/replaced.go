package sqlite

import (
	"os"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// replaced returns an error if another file, or none, lies where the database was opened.
// SQLite would write on into the old one, which has no name any more, and so lose it.
func (s *Store) replaced() error {
	if s.file == nil {
		return nil
	}
	if now, err := os.Stat(s.path); err == nil && os.SameFile(s.file, now) || err != nil && !os.IsNotExist(err) {
		return nil
	}
	return core.Errorf(core.CodeUnavailable, "database %s was moved, removed or replaced while it was open; nothing is written to the old file", s.path).
		Hinted("restart this program; stop it first next time, or use `orma restore`")
}

// let closes a connection to a file that is not there any more without tidying up after
// it: SQLite removes a log by its name, which is the new database's.
func (s *Store) let(c *conn) error {
	if s.replaced() != nil {
		_, _ = c.c.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true) // else the log goes, which is no worse than before
	}
	return c.close()
}
