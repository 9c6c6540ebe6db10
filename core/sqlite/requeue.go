package sqlite

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// Requeue makes all episodes pending again and drops what sleep made of them, in
// one transaction. What a command or an import made stays, for sleep would not make
// it again. It records itself in the journal.
func (s *Store) Requeue(ctx context.Context, space string, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		sp, err := t.touch(space)
		if err != nil {
			return err
		}
		if err := t.dropDerived(sp); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM pending WHERE space = ?", sp.id); err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO pending (space, at, episode) SELECT ?, at, key FROM episodes
			WHERE key BETWEEN ? AND ? AND kind <> ?`, sp.id, sp.lo(), sp.hi(), string(core.KindAntiPattern)); err != nil {
			return err
		}
		if err := t.newEpoch(sp); err != nil {
			return err
		}
		return t.record(sp, &core.Entry{At: at, Op: core.OpRebuild})
	})
}

// dropDerived removes what sleep made: states, events, and the entities and links
// that nothing left is about.
func (t *tx) dropDerived(sp *spaceRow) error {
	es, err := t.endings(sp)
	if err != nil {
		return err
	}
	rm := &removal{tx: t, sp: sp, traces: &traces{}, items: map[int64]bool{}, states: map[int64]bool{}}
	var drop []int64
	for _, sql := range []string{
		`SELECT key FROM states WHERE key BETWEEN ? AND ? AND backend NOT IN ('command', 'import') AND NOT EXISTS
			(SELECT 1 FROM sources s JOIN episodes e ON e.key = s.episode
			 WHERE s.item = states.key AND s.closing = 0 AND e.kind = '` + string(core.KindAntiPattern) + `')`,
		`SELECT key FROM events WHERE key BETWEEN ? AND ? AND backend NOT IN ('command', 'import')`,
	} {
		if err := t.each(sql, func(r *row) error {
			drop = append(drop, r.ColumnInt64(0))
			return nil
		}, sp.lo(), sp.hi()); err != nil {
			return err
		}
	}
	for _, key := range drop {
		if err := rm.removeItem(key); err != nil {
			return err
		}
	}
	// A line that ended a state will be read again.
	if err := t.exec("DELETE FROM sources WHERE closing = 1 AND item BETWEEN ? AND ?", sp.lo(), sp.hi()); err != nil {
		return err
	}
	if err := t.forgetEndings(sp, es, rm.states); err != nil {
		return err
	}
	used, err := rm.usedEntities()
	if err != nil {
		return err
	}
	list, err := json.Marshal(append([]int64{}, slices.Sorted(maps.Keys(used))...)) // never null
	if err != nil {
		return err
	}
	if err := t.exec("DELETE FROM entities WHERE key BETWEEN ? AND ? AND key NOT IN (SELECT value FROM json_each(?))",
		sp.lo(), sp.hi(), string(list)); err != nil {
		return err
	}
	return t.dropLooseLinks(sp)
}

// dropLooseLinks removes links of which an end is gone.
func (t *tx) dropLooseLinks(sp *spaceRow) error {
	return t.exec(`DELETE FROM links WHERE source BETWEEN ? AND ? AND NOT (
		(EXISTS (SELECT 1 FROM entities WHERE key = source) OR EXISTS (SELECT 1 FROM passages WHERE key = source)
		 OR EXISTS (SELECT 1 FROM states WHERE key = source) OR EXISTS (SELECT 1 FROM events WHERE key = source)
		 OR EXISTS (SELECT 1 FROM episodes WHERE key = source)) AND
		(EXISTS (SELECT 1 FROM entities WHERE key = target) OR EXISTS (SELECT 1 FROM passages WHERE key = target)
		 OR EXISTS (SELECT 1 FROM states WHERE key = target) OR EXISTS (SELECT 1 FROM events WHERE key = target)
		 OR EXISTS (SELECT 1 FROM episodes WHERE key = target)))`, sp.lo(), sp.hi())
}
