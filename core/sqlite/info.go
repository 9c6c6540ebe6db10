package sqlite

import (
	"context"
	"os"
	"strings"

	"github.com/orma-memory/orma/core"
)

// Spaces lists the spaces with their counts, by name.
func (s *Store) Spaces(ctx context.Context) (out []core.SpaceStats, err error) {
	err = s.read(ctx, func(c *conn) error {
		type named struct {
			spaceRow
			core.SpaceStats
		}
		var all []named
		if err := c.each("SELECT id, name, episodes, repeats, passages, first, last FROM spaces ORDER BY name", func(r *row) error {
			all = append(all, named{spaceRow{id: r.ColumnInt64(0)}, core.SpaceStats{
				Space: r.ColumnText(1), Episodes: r.ColumnInt(2), Repeats: r.ColumnInt(3), Passages: r.ColumnInt(4),
				First: when(r, 5), Last: when(r, 6),
			}})
			return nil
		}); err != nil {
			return err
		}
		out = make([]core.SpaceStats, len(all))
		for i := range all {
			if err := c.countFacts(&all[i].spaceRow, &all[i].SpaceStats); err != nil {
				return err
			}
			out[i] = all[i].SpaceStats
		}
		return nil
	})
	return out, err
}

// countFacts counts what spaces has no running count of.
func (c *conn) countFacts(sp *spaceRow, st *core.SpaceStats) error {
	return c.each(`SELECT
		(SELECT count(*) FROM states WHERE key BETWEEN ?1 AND ?2 AND hidden = 0 AND closed IS NULL AND forbidden = 0),
		(SELECT count(*) FROM states WHERE key BETWEEN ?1 AND ?2 AND hidden = 0 AND closed IS NOT NULL),
		(SELECT count(*) FROM states WHERE key BETWEEN ?1 AND ?2 AND hidden = 0 AND closed IS NULL AND forbidden = 1),
		(SELECT count(*) FROM events WHERE key BETWEEN ?1 AND ?2 AND hidden = 0),
		(SELECT count(*) FROM entities WHERE key BETWEEN ?1 AND ?2),
		(SELECT count(*) FROM links WHERE source BETWEEN ?1 AND ?2),
		(SELECT count(*) FROM uses WHERE stamp BETWEEN ?1 AND ?2),
		(SELECT count(*) FROM pending WHERE space = ?3 AND retired = 0),
		(SELECT count(*) FROM pending WHERE space = ?3 AND retired = 1)`, func(r *row) error {
		for i, n := range []*int{&st.States, &st.Closed, &st.Rules, &st.Events, &st.Entities, &st.Links, &st.Uses, &st.Pending, &st.Retired} {
			*n = r.ColumnInt(i)
		}
		return nil
	}, sp.lo(), sp.hi(), sp.id)
}

// Info describes the store.
func (s *Store) Info(ctx context.Context) (core.StoreInfo, error) {
	info := core.StoreInfo{Path: s.path, ReadOnly: s.mode != readWrite}
	err := s.read(ctx, func(c *conn) (err error) {
		info.Schema, err = version(c)
		return err
	})
	for suffix, n := range map[string]*int64{"": &info.Bytes, "-wal": &info.WALBytes} {
		if f, err := os.Stat(s.path + suffix); err == nil {
			*n = f.Size()
		}
	}
	return info, err
}

// Meta returns a small value by name, or "".
func (s *Store) Meta(ctx context.Context, key string) (value string, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.each("SELECT value FROM meta WHERE name = ?", func(r *row) error {
			value = strings.Clone(r.ColumnText(0))
			return nil
		}, key)
	})
	return value, err
}

// SetMeta keeps a small value by name; an empty one is removed.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.write(ctx, func(t *tx) error {
		if value == "" {
			return t.exec("DELETE FROM meta WHERE name = ?", key)
		}
		return t.exec("INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2", key, value)
	})
}
