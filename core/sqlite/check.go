package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// Check looks for damage: unreadable pages, and derived rows that do not fit the
// episodes. With fix it makes a new database from what can be read, derives the
// rest anew through derive, and puts it in place of the old one, of which it keeps
// a copy beside it. For that no other process may have the file open; a call of
// this process meanwhile fails with [core.CodeBusy]. It also finishes an erasure
// that could not be.
func (s *Store) Check(ctx context.Context, fix bool, derive func(core.Episode) (core.Draft, error)) (core.Health, error) {
	h := core.Health{Problems: []string{}, Fixed: []string{}}
	unclean, err := s.inspect(ctx, &h)
	if err != nil {
		return h, err
	}
	if fix && s.mode != readWrite {
		return h, core.Errorf(core.CodeReadOnly, "database %s is open for reading only", s.path)
	}
	if fix && len(h.Problems) > 0 {
		if derive == nil {
			return h, core.Errorf(core.CodeInvalid, "nothing to derive with")
		}
		fixed, err := s.repair(ctx, derive)
		if err != nil {
			return h, err
		}
		h.Fixed = append(h.Fixed, fixed...)
		again := core.Health{}
		if unclean, err = s.inspect(ctx, &again); err != nil {
			return h, err
		}
		if len(again.Problems) > 0 {
			h.Problems = append(h.Problems, again.Problems...)
			return h, nil
		}
	}
	if unclean {
		const problem = "an erasure is not finished: deleted text may still be in unused parts of the file"
		if !fix {
			h.Problems = append(h.Problems, problem)
		} else if err := s.clean(ctx); err != nil {
			h.Problems = append(h.Problems, fmt.Sprintf("%s (%s); stop other processes that use it and try again", problem, plain(err)))
			return h, nil
		} else {
			h.Fixed = append(h.Fixed, "finished an erasure")
		}
	}
	h.OK = len(h.Problems) == 0 || fix
	return h, nil
}

// maxProblems bounds how many findings of SQLite's own check are listed.
const maxProblems = 20

// inspect lists what is wrong.
func (s *Store) inspect(ctx context.Context, h *core.Health) (unclean bool, err error) {
	if s.mode == readWrite {
		// The index checks itself, through what looks like a write.
		err := s.alone(ctx, func(c *conn) error {
			return c.exec("INSERT INTO fulltext (fulltext, rank) VALUES ('integrity-check', 0)")
		})
		if err != nil {
			if !isDamage(err) {
				return false, err
			}
			h.Problems = append(h.Problems, "full text index: "+plain(err))
		}
	}
	err = s.read(ctx, func(c *conn) error {
		if err := c.each(fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems), func(r *row) error {
			if line := r.ColumnText(0); line != "ok" {
				h.Problems = append(h.Problems, line)
			}
			return nil
		}); err != nil {
			if !isDamage(err) {
				return err
			}
			h.Problems = append(h.Problems, "integrity: "+plain(err))
		}
		for _, q := range consistency {
			n, err := c.count(q.sql)
			switch {
			case err != nil && !isDamage(err):
				return err
			case err != nil:
				h.Problems = append(h.Problems, fmt.Sprintf("%s: %s", q.what, plain(err)))
			case n > 0:
				h.Problems = append(h.Problems, fmt.Sprintf("%s: %d", q.what, n))
			}
		}
		_, unclean, err = c.one("SELECT 1 FROM meta WHERE name = ?", metaUnclean)
		if isDamage(err) {
			err = nil
		}
		return err
	})
	return unclean, err
}

func isDamage(err error) bool {
	return errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB) || core.CodeOf(err) == core.CodeCorrupt ||
		errors.Is(err, sqlite3.IOERR) || errors.Is(err, sqlite3.ERROR)
}

func plain(err error) string {
	var e *sqlite3.Error
	if errors.As(err, &e) {
		return e.Error()
	}
	return err.Error()
}

// consistency counts derived rows that do not fit what they are derived from.
var consistency = []struct{ what, sql string }{
	{"episodes without their passages", `SELECT count(*) FROM episodes WHERE repeat_of IS NULL AND
		parts <> (SELECT count(*) FROM passages WHERE episode = episodes.key)`},
	{"repeats that have passages", `SELECT count(*) FROM passages WHERE episode IN (SELECT key FROM episodes WHERE repeat_of IS NOT NULL)`},
	{"repeats of nothing", `SELECT count(*) FROM episodes e WHERE repeat_of IS NOT NULL AND
		NOT EXISTS (SELECT 1 FROM episodes h WHERE h.key = e.repeat_of AND h.repeat_of IS NULL)`},
	{"passages outside of their episode", `SELECT count(*) FROM passages p LEFT JOIN episodes e ON e.key = p.episode
		WHERE e.key IS NULL OR p.start < 0 OR p.start >= p.stop OR p.stop > length(CAST(e.text AS BLOB))`},
	{"passages missing in the full text index", `SELECT count(*) FROM passages WHERE key & 137438953471 NOT IN (SELECT id FROM fulltext_docsize)`},
	{"full text of no passage", `SELECT (SELECT count(*) FROM fulltext_docsize) - (SELECT count(*) FROM passages)`},
	{"vectors of no passage", `SELECT count(*) FROM vectors WHERE NOT EXISTS (SELECT 1 FROM passages WHERE passages.key = vectors.key & 288230376151711743)`},
	{"states or events that rest on no line", `SELECT count(*) FROM (SELECT key FROM states UNION ALL SELECT key FROM events)
		WHERE key NOT IN (SELECT item FROM sources WHERE closing = 0)`},
	{"lines cited that are not there", `SELECT count(*) FROM sources s WHERE NOT EXISTS (SELECT 1 FROM episodes WHERE key = s.episode)
		OR s.passage & 137438953471 <> 0 AND NOT EXISTS (SELECT 1 FROM passages WHERE key = s.passage)
		OR NOT EXISTS (SELECT 1 FROM states WHERE key = s.item) AND NOT EXISTS (SELECT 1 FROM events WHERE key = s.item)`},
	{"aliases of no entity", `SELECT count(*) FROM aliases WHERE NOT EXISTS (SELECT 1 FROM entities WHERE key = entity)`},
	{"episodes waiting for sleep that are not there", `SELECT count(*) FROM pending p WHERE NOT EXISTS
		(SELECT 1 FROM episodes WHERE key = p.episode AND at = p.at AND key >> 37 = p.space)`},
	{"items of no space", `SELECT count(*) FROM (SELECT DISTINCT key >> 37 AS space FROM episodes) WHERE space NOT IN (SELECT id FROM spaces)`},
	{"spaces whose counts are wrong", `SELECT count(*) FROM spaces s WHERE
		(episodes, repeats) <> (SELECT count(*), count(repeat_of) FROM episodes WHERE key BETWEEN s.id << 37 AND (s.id + 1 << 37) - 1)
		OR (passages, terms) <> (SELECT count(*), coalesce(sum(terms), 0) FROM passages WHERE key BETWEEN s.id << 37 AND (s.id + 1 << 37) - 1)`},
	{"numbers that will be given twice", `SELECT count(*) FROM counters WHERE name = 'id' AND value < max(
		(SELECT coalesce(max(key & 137438953471), 0) FROM episodes), (SELECT coalesce(max(key & 137438953471), 0) FROM passages),
		(SELECT coalesce(max(key & 137438953471), 0) FROM states), (SELECT coalesce(max(key & 137438953471), 0) FROM events),
		(SELECT coalesce(max(key & 137438953471), 0) FROM entities))`},
}
