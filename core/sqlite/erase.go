package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

// Erase removes an episode, the episodes that repeat it or that it repeats, and
// everything derived from them. States and events that rest on other lines too
// keep those; what the erased lines had ended stands again. It records itself in
// the journal, with numbers only.
func (s *Store) Erase(ctx context.Context, space string, episode core.ID, at time.Time) (core.Receipt, error) {
	return s.eraseWith(ctx, func(t *tx, rc *core.Receipt) error {
		sp, err := t.touch(space)
		if err != nil {
			return notFound("episode", episode) // the same answer as for an unknown one
		}
		*rc = core.Receipt{Space: space, At: at}
		err = t.eraseEpisodes(ctx, sp, rc, false, `SELECT e.key FROM episodes e, (SELECT coalesce(repeat_of, key) AS holder FROM episodes WHERE key = ?) g
			WHERE e.key = g.holder OR e.repeat_of = g.holder ORDER BY e.key`, sp.key(episode))
		if err == nil && len(rc.Episodes) == 0 {
			return notFound("episode", episode)
		}
		return err
	})
}

// errDry rolls a dry run back.
var errDry = errors.New("nothing was to be done")

// EraseSource removes what came from a source and nobody else said.
func (s *Store) EraseSource(ctx context.Context, space, source string, at time.Time, dry bool) (core.Receipt, error) {
	prefix, open := strings.CutSuffix(source, "*")
	where := "source = ?3"
	if open {
		where = "substr(source, 1, length(?3)) = ?3"
	}
	pick := "SELECT key FROM episodes WHERE key BETWEEN ?1 AND ?2 AND " + where
	pick = pick + " AND NOT EXISTS (SELECT 1 FROM episodes o WHERE o.repeat_of = episodes.key AND o.key NOT IN (" + pick + ")) ORDER BY key"
	var would core.Receipt
	rc, err := s.eraseWith(ctx, func(t *tx, rc *core.Receipt) error {
		sp, err := t.touch(space)
		if err != nil {
			return err
		}
		*rc = core.Receipt{Space: space, At: at}
		if err := t.eraseEpisodes(ctx, sp, rc, dry, pick, sp.lo(), sp.hi(), prefix); err != nil {
			return err
		}
		if would = *rc; dry {
			return errDry
		}
		if len(rc.Episodes) == 0 {
			return core.Errorf(core.CodeNotFound, "nothing that only source %q said is in this space", source)
		}
		return nil
	})
	if errors.Is(err, errDry) {
		return would, nil
	}
	return rc, err
}

// eraseEpisodes removes the episodes that a query picks, and writes what went into the
// receipt and, if anything did, into the journal. A dry one only counts: it leaves a
// transaction that must be rolled back.
func (t *tx) eraseEpisodes(ctx context.Context, sp *spaceRow, rc *core.Receipt, dry bool, pick string, args ...any) error {
	rm := &removal{
		tx: t, ctx: ctx, sp: sp, traces: &traces{},
		episodes: map[int64]bool{}, items: map[int64]bool{}, states: map[int64]bool{},
		receipt: *rc,
	}
	if err := t.each(pick, func(r *row) error {
		rm.episodes[r.ColumnInt64(0)] = true
		rm.receipt.Episodes = append(rm.receipt.Episodes, idOf(r.ColumnInt64(0)))
		return nil
	}, args...); err != nil || len(rm.episodes) == 0 {
		return err
	}
	steps := []func() error{rm.remove, rm.removeTraces, rm.removeLinksAndUses}
	if dry {
		steps = []func() error{rm.remove, rm.removeUses}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	if *rc = rm.receipt; dry {
		return nil
	}
	if err := t.recount(sp); err != nil {
		return err
	}
	if err := t.newEpoch(sp); err != nil {
		return err
	}
	return t.recordReceipt(sp, core.OpErase, rc)
}

// eraseWith erases in one transaction, then cleans the file. erase does it and says what.
func (s *Store) eraseWith(ctx context.Context, erase func(*tx, *core.Receipt) error) (core.Receipt, error) {
	var rc core.Receipt
	err := s.write(ctx, func(t *tx) (err error) {
		rc = core.Receipt{} // of a try before
		if err := erase(t, &rc); err != nil {
			return err
		}
		if len(rc.Episodes) > 0 {
			if rc.Backups, err = t.backupsHolding(rc.Episodes[0]); err != nil {
				return err
			}
		}
		return t.markUnclean()
	})
	if err != nil {
		return core.Receipt{}, err
	}
	rc.Clean = s.clean(ctx) == nil
	return rc, nil
}

// EraseSpace removes a space with everything in it, and its name. The receipt is
// recorded in the journal of the store, without the name: Entries of space "".
func (s *Store) EraseSpace(ctx context.Context, space string, at time.Time) (core.Receipt, error) {
	return s.eraseWith(ctx, func(t *tx, rc *core.Receipt) error {
		sp, ok, err := t.findSpace(space)
		if err != nil {
			return err
		}
		if !ok {
			return core.Errorf(core.CodeNotFound, "no space %q", space)
		}
		*rc = core.Receipt{Space: space, At: at}
		if err := t.countSpace(sp, rc); err != nil {
			return err
		}
		if rc.Vectors, err = t.dropSpace(sp, space); err != nil {
			return err
		}
		return t.recordReceipt(&spaceRow{}, core.OpEraseSpace, &core.Receipt{
			At: at, Passages: rc.Passages, States: rc.States, Events: rc.Events, Vectors: rc.Vectors, Uses: rc.Uses,
		})
	})
}

func (t *tx) countSpace(sp *spaceRow, rc *core.Receipt) error {
	if err := t.each("SELECT key FROM episodes WHERE key BETWEEN ? AND ? ORDER BY key", func(r *row) error {
		rc.Episodes = append(rc.Episodes, idOf(r.ColumnInt64(0)))
		return nil
	}, sp.lo(), sp.hi()); err != nil {
		return err
	}
	return t.each(`SELECT (SELECT count(*) FROM passages WHERE key BETWEEN ?1 AND ?2),
		(SELECT count(*) FROM states WHERE key BETWEEN ?1 AND ?2), (SELECT count(*) FROM events WHERE key BETWEEN ?1 AND ?2),
		(SELECT count(*) FROM uses WHERE stamp BETWEEN ?1 AND ?2)`, func(r *row) error {
		rc.Passages, rc.States, rc.Events, rc.Uses = r.ColumnInt(0), r.ColumnInt(1), r.ColumnInt(2), r.ColumnInt(3)
		return nil
	}, sp.lo(), sp.hi())
}

// dropSpace deletes the rows of a space from every table and counts its vectors.
func (t *tx) dropSpace(sp *spaceRow, name string) (vectors int, err error) {
	embs, err := t.embedderIDs()
	if err != nil {
		return 0, err
	}
	for _, emb := range embs {
		if err := t.exec("DELETE FROM vectors WHERE key BETWEEN ? AND ?", vectorKey(emb, sp.lo()), vectorKey(emb, sp.hi())); err != nil {
			return 0, err
		}
		vectors += int(t.c.Changes())
	}
	return vectors, t.dropRows(sp, name)
}

func (t *tx) dropRows(sp *spaceRow, name string) error {
	if err := t.exec("DELETE FROM fulltext WHERE rowid IN (SELECT key & ? FROM passages WHERE key BETWEEN ? AND ?)", maxID, sp.lo(), sp.hi()); err != nil {
		return err
	}
	for _, sql := range []string{
		"DELETE FROM links WHERE source BETWEEN ? AND ?",
		"DELETE FROM entities WHERE key BETWEEN ? AND ?", // aliases go with them
		"DELETE FROM sources WHERE item BETWEEN ? AND ?",
		"DELETE FROM states WHERE key BETWEEN ? AND ?",
		"DELETE FROM events WHERE key BETWEEN ? AND ?",
		"DELETE FROM passages WHERE key BETWEEN ? AND ?",
		"DELETE FROM episodes WHERE key BETWEEN ? AND ?",
		"DELETE FROM uses WHERE stamp BETWEEN ? AND ?",
		"DELETE FROM journal WHERE key BETWEEN ? AND ?",
		"DELETE FROM reports WHERE key BETWEEN ? AND ?",
	} {
		if err := t.exec(sql, sp.lo(), sp.hi()); err != nil {
			return err
		}
	}
	if err := t.exec("DELETE FROM pending WHERE space = ?", sp.id); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM snapshots WHERE space = ?", sp.id); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM leases WHERE space = ?", name); err != nil {
		return err
	}
	return t.exec("DELETE FROM spaces WHERE id = ?", sp.id)
}

// recordReceipt keeps what happened without what it happened to.
func (t *tx) recordReceipt(sp *spaceRow, op core.Op, rc *core.Receipt) error {
	data, err := json.Marshal(map[string]any{
		"episodes": rc.Episodes, "passages": rc.Passages, "states": rc.States, "events": rc.Events,
		"vectors": rc.Vectors, "uses": rc.Uses,
	})
	if err != nil {
		return err
	}
	return t.record(sp, &core.Entry{At: rc.At, Op: op, Data: data})
}

// backupsHolding lists the known copies that were made after an item was recorded.
// Those that are gone from the disk are forgotten.
func (t *tx) backupsHolding(id core.ID) (paths []string, err error) {
	var missing []string
	err = t.each("SELECT path, last_id FROM backups ORDER BY path", func(r *row) error {
		path := r.ColumnText(0)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, path)
		} else if r.ColumnInt64(1) >= int64(id) {
			paths = append(paths, path)
		}
		return nil
	})
	for _, path := range missing {
		err = errors.Join(err, t.exec("DELETE FROM backups WHERE path = ?", path))
	}
	return paths, err
}

// metaUnclean is set while something erased may still lie in unused parts of the file.
const metaUnclean = "unclean"

func (t *tx) markUnclean() error {
	return t.exec("INSERT INTO meta (name, value) VALUES (?, '1') ON CONFLICT DO NOTHING", metaUnclean)
}

// clean rewrites the file without what was deleted, and empties its log. It fails
// when readers keep an old version in use for longer than the timeout, or there is
// no room for the new file: then Check with fix, or the next erasure, does it. What
// was erased is gone from every answer in any case.
func (s *Store) clean(ctx context.Context) error {
	return s.alone(ctx, func(c *conn) error {
		for _, sql := range []string{
			// Merging all segments of the full text index drops the terms of deleted rows.
			"INSERT INTO fulltext (fulltext) VALUES ('optimize')",
			"VACUUM",
			"DELETE FROM meta WHERE name = '" + metaUnclean + "'",
		} {
			if err := c.c.Exec(sql); err != nil {
				return err
			}
		}
		wait := patience(s.opt.BusyTimeout)
		for i := 0; ; i++ {
			_, _, err := c.c.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
			if err == nil {
				return nil
			}
			if !isBusy(err) || !wait(ctx, i) {
				// The log still has the old pages, and so may the file.
				return errors.Join(err, c.exec("INSERT INTO meta (name, value) VALUES (?, '1') ON CONFLICT DO NOTHING", metaUnclean))
			}
		}
	})
}

func isBusy(err error) bool {
	return errors.Is(err, sqlite3.BUSY) || errors.Is(err, sqlite3.LOCKED)
}
