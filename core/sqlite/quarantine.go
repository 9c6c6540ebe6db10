package sqlite

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
)

// Quarantine hides or shows the episodes of a source said at or after since, and
// what rests on them alone. A text that another source repeats is recalled from
// there meanwhile; what hidden lines had ended stands again. Showing undoes hiding
// exactly. It records itself in the journal.
func (s *Store) Quarantine(ctx context.Context, space, source string, since, at time.Time, hide bool) (core.Receipt, error) {
	var rc core.Receipt
	err := s.write(ctx, func(t *tx) error {
		sp, err := t.touch(space)
		if err != nil {
			return err
		}
		rc = core.Receipt{Space: space, At: at}
		q := &quarantine{tx: t, sp: sp, hide: hide, receipt: &rc}
		if err := q.run(source, since); err != nil {
			return err
		}
		op := core.OpQuarantine
		if !hide {
			op = core.OpRelease
		}
		data, err := json.Marshal(map[string]any{"source": source, "since": since, "episodes": len(rc.Episodes)})
		if err != nil {
			return err
		}
		if err := t.newEpoch(sp); err != nil {
			return err
		}
		return t.record(sp, &core.Entry{At: at, Op: op, Data: data})
	})
	if err != nil {
		return core.Receipt{}, err
	}
	return rc, nil
}

type quarantine struct {
	*tx
	sp      *spaceRow
	hide    bool
	receipt *core.Receipt
}

func (q *quarantine) run(source string, since time.Time) error {
	from := int64(-1 << 63)
	if !since.IsZero() {
		from = micros(since)
	}
	var keys []int64
	holders := map[int64]bool{}
	if err := q.each(`SELECT key, coalesce(repeat_of, key) FROM episodes
		WHERE key BETWEEN ? AND ? AND source = ? AND at >= ? AND quarantined <> ? ORDER BY key`, func(r *row) error {
		keys = append(keys, r.ColumnInt64(0))
		holders[r.ColumnInt64(1)] = true
		return nil
	}, q.sp.lo(), q.sp.hi(), source, from, q.hide); err != nil {
		return err
	}
	states, events, err := q.visible()
	if err != nil {
		return err
	}
	for _, key := range keys {
		q.receipt.Episodes = append(q.receipt.Episodes, idOf(key))
		if err := q.exec("UPDATE episodes SET quarantined = ? WHERE key = ?", q.hide, key); err != nil {
			return err
		}
	}
	for _, holder := range slices.Sorted(maps.Keys(holders)) {
		g, err := q.group(holder)
		if err != nil {
			return err
		}
		if err := q.settle(q.sp, g); err != nil {
			return err
		}
	}
	for _, key := range keys {
		n, err := q.count("SELECT count(*) FROM passages WHERE episode = ?", key)
		if err != nil {
			return err
		}
		q.receipt.Passages += n
	}
	es, err := q.endings(q.sp)
	if err != nil {
		return err
	}
	if err := q.settleEndings(q.sp, es); err != nil {
		return err
	}
	s, e, err := q.visible()
	q.receipt.States, q.receipt.Events = max(states-s, s-states), max(events-e, e-events)
	return err
}

// visible counts the states and events that are not hidden.
func (q *quarantine) visible() (states, events int, err error) {
	err = q.each(`SELECT (SELECT count(*) FROM states WHERE key BETWEEN ?1 AND ?2 AND hidden = 0),
		(SELECT count(*) FROM events WHERE key BETWEEN ?1 AND ?2 AND hidden = 0)`, func(r *row) error {
		states, events = r.ColumnInt(0), r.ColumnInt(1)
		return nil
	}, q.sp.lo(), q.sp.hi())
	return states, events, err
}
