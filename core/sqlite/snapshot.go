package sqlite

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// snapshotPart is the size of the rows that a snapshot is cut into: SQLite holds a
// whole row in memory.
const snapshotPart = 1 << 20

// Snapshot returns a saved index.
func (s *Store) Snapshot(ctx context.Context, space, name string) (data []byte, v core.Version, ok bool, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		size, err := c.count("SELECT coalesce(sum(length(data)), 0) FROM snapshots WHERE space = ? AND name = ? AND epoch = ?", sp.id, name, sp.epoch)
		if err != nil {
			return err
		}
		data = make([]byte, 0, size)
		return c.each("SELECT epoch, gen, data FROM snapshots WHERE space = ? AND name = ? AND epoch = ? ORDER BY part", func(r *row) error {
			v, ok = core.Version{Epoch: r.ColumnInt64(0), Gen: r.ColumnInt64(1)}, true
			data = r.ColumnBlob(2, data)
			return nil
		}, sp.id, name, sp.epoch)
	})
	if err != nil || !ok {
		return nil, core.Version{}, false, err
	}
	return data, v, true, nil
}

// SaveSnapshot keeps an index in place of the last one of that name. One that is of
// another epoch than the space, or older than the one kept, is dropped without an
// error: another process was quicker.
func (s *Store) SaveSnapshot(ctx context.Context, space, name string, v core.Version, data []byte) error {
	return s.write(ctx, func(t *tx) error {
		sp, ok, err := t.findSpace(space)
		if err != nil || !ok || sp.epoch != v.Epoch || v.Gen > sp.gen {
			return err
		}
		newest, _, err := t.one("SELECT max(gen) FROM snapshots WHERE space = ? AND name = ? AND epoch = ?", sp.id, name, sp.epoch)
		if err != nil || newest > v.Gen {
			return err
		}
		if err := t.exec("DELETE FROM snapshots WHERE space = ? AND name = ?", sp.id, name); err != nil {
			return err
		}
		for part := 0; part == 0 || part*snapshotPart < len(data); part++ {
			piece := data[part*snapshotPart : min((part+1)*snapshotPart, len(data))]
			if piece == nil {
				piece = []byte{}
			}
			if err := t.exec("INSERT INTO snapshots (space, name, part, epoch, gen, data) VALUES (?, ?, ?, ?, ?, ?)",
				sp.id, name, part, v.Epoch, v.Gen, piece); err != nil {
				return err
			}
		}
		return nil
	})
}
