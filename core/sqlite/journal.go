package sqlite

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
)

// record appends an entry to a space's journal.
func (t *tx) record(sp *spaceRow, e *core.Entry) error {
	if e.Op == "" {
		return core.Errorf(core.CodeInvalid, "a journal entry needs an operation")
	}
	return t.exec(`INSERT INTO journal (key, at, op, data)
		SELECT coalesce(max(key), ?1) + 1, ?3, ?4, ?5 FROM journal WHERE key BETWEEN ?1 AND ?2`,
		sp.lo(), sp.hi(), micros(e.At), string(e.Op), e.Data)
}

// Record appends an entry to a space's journal; its Seq is the store's to give.
func (s *Store) Record(ctx context.Context, space string, e core.Entry) error {
	return s.write(ctx, func(t *tx) error {
		sp, err := t.makeSpace(space)
		if err != nil {
			return err
		}
		return t.record(sp, &e)
	})
}

// Entries returns a space's journal, oldest first; ops limits the kinds. Seq counts
// from 1 in each space. The space "" is the store itself: what was done to spaces
// that are gone.
func (s *Store) Entries(ctx context.Context, space string, ops ...core.Op) (out []core.Entry, err error) {
	read := func(c *conn, sp *spaceRow) error {
		return c.each("SELECT key, at, op, data FROM journal WHERE key BETWEEN ? AND ? ORDER BY key", func(r *row) error {
			e := core.Entry{Seq: int64(idOf(r.ColumnInt64(0))), At: when(r, 1), Op: core.Op(r.ColumnText(2)), Data: r.ColumnBlob(3, nil)}
			if len(ops) == 0 || slices.Contains(ops, e.Op) {
				out = append(out, e)
			}
			return nil
		}, sp.lo(), sp.hi())
	}
	if space == "" {
		err = s.read(ctx, func(c *conn) error { return read(c, &spaceRow{}) })
	} else {
		err = s.inSpace(ctx, space, read)
	}
	return out, err
}
