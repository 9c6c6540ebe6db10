package sqlite

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// embedderID returns the number of an embedder, new or known.
func (t *tx) embedderID(name string) (int64, error) {
	id, found, err := t.one("SELECT id FROM embedders WHERE name = ?", name)
	if err != nil || found {
		return id, err
	}
	if name == "" {
		return 0, core.Errorf(core.CodeInvalid, "an embedder needs a name")
	}
	id, _, err = t.one("INSERT INTO embedders (id, name) SELECT coalesce(max(id), -1) + 1, ? FROM embedders RETURNING id", name)
	if err != nil {
		return 0, err
	}
	if id >= maxEmbedders {
		return 0, core.Errorf(core.CodeLimit, "the database has vectors of %d embedders, which is the most", maxEmbedders).
			Hinted("drop those of one that is not used any more")
	}
	return id, nil
}

func (c *conn) embedderIDs() (ids []int64, err error) {
	err = c.each("SELECT id FROM embedders", func(r *row) error {
		ids = append(ids, r.ColumnInt64(0))
		return nil
	})
	return ids, err
}

// PutVectors stores vectors of one embedder for passages that still exist.
func (s *Store) PutVectors(ctx context.Context, space, embedder string, ids []core.ID, vecs [][]byte) error {
	if len(ids) != len(vecs) {
		return core.Errorf(core.CodeInvalid, "%d passages and %d vectors", len(ids), len(vecs))
	}
	if len(ids) == 0 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		sp, err := t.touch(space)
		if err != nil {
			return err
		}
		emb, err := t.embedderID(embedder)
		if err != nil {
			return err
		}
		for i, id := range ids {
			if len(vecs[i]) == 0 {
				return core.Errorf(core.CodeInvalid, "the vector of passage %d is empty", id)
			}
			key := sp.key(id)
			if err := t.exec("UPDATE passages SET stamp = ? WHERE key = ?", sp.stamp(), key); err != nil {
				return err
			}
			if t.c.Changes() == 0 {
				continue // erased meanwhile
			}
			if err := t.exec("INSERT INTO vectors (key, vec) VALUES (?, ?) ON CONFLICT DO UPDATE SET vec = excluded.vec",
				vectorKey(emb, key), vecs[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// MissingVectors gives up to n passages with an ID above after, by ID, that have no
// vector of the embedder, in any space when space is empty.
func (s *Store) MissingVectors(ctx context.Context, space, embedder string, after core.ID, n int) (out []core.PassageText, err error) {
	if n <= 0 {
		return nil, nil
	}
	err = s.read(ctx, func(c *conn) error {
		emb, known, err := c.one("SELECT id FROM embedders WHERE name = ?", embedder)
		if err != nil {
			return err
		}
		if !known {
			emb = maxEmbedders // no vector has that number
		}
		if space != "" {
			sp, ok, err := c.findSpace(space)
			if err != nil || !ok {
				return err
			}
			out, err = c.missing(sp, space, emb, after, n)
			return err
		}
		out, err = c.missingAnywhere(emb, after, n)
		return err
	})
	return out, err
}

const selectMissing = `SELECT p.key, e.speaker, substr(CAST(e.text AS BLOB), p.start + 1, p.stop - p.start)
	FROM passages p JOIN episodes e ON e.key = p.episode
	WHERE p.key > ? AND p.key <= ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.key = p.key + ?) ORDER BY p.key LIMIT ?`

func (c *conn) missing(sp *spaceRow, name string, emb int64, after core.ID, n int) (out []core.PassageText, err error) {
	err = c.each(selectMissing, func(r *row) error {
		out = append(out, core.PassageText{ID: idOf(r.ColumnInt64(0)), Space: name, Speaker: r.ColumnText(1), Text: string(r.ColumnRawBlob(2))})
		return nil
	}, sp.lo()+int64(min(max(after, 0), maxID)), sp.hi(), vectorKey(emb, 0), n)
	return out, err
}

// missingAnywhere merges the spaces by ID: each can give at most n.
func (c *conn) missingAnywhere(emb int64, after core.ID, n int) ([]core.PassageText, error) {
	type named struct {
		spaceRow
		name string
	}
	var spaces []named
	if err := c.each("SELECT id, name FROM spaces", func(r *row) error {
		spaces = append(spaces, named{spaceRow{id: r.ColumnInt64(0)}, r.ColumnText(1)})
		return nil
	}); err != nil {
		return nil, err
	}
	var out []core.PassageText
	for i := range spaces {
		part, err := c.missing(&spaces[i].spaceRow, spaces[i].name, emb, after, n)
		if err != nil {
			return nil, err
		}
		out = mergeMissing(out, part, n)
	}
	return out, nil
}

// mergeMissing returns the first n of two lists that are in ID order.
func mergeMissing(a, b []core.PassageText, n int) []core.PassageText {
	out := make([]core.PassageText, 0, min(len(a)+len(b), n))
	for len(out) < n && len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].ID < b[0].ID {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// Embedders returns the embedders that have vectors, with their counts.
func (s *Store) Embedders(ctx context.Context) (map[string]int, error) {
	out := map[string]int{}
	err := s.read(ctx, func(c *conn) error {
		return c.each("SELECT name, id FROM embedders", func(r *row) error {
			name, id := r.ColumnText(0), r.ColumnInt64(1)
			n, err := c.count("SELECT count(*) FROM vectors WHERE key >= ? AND key <= ?", vectorKey(id, 0), vectorKey(id, 0)|(1<<(spaceBits+idBits)-1))
			if err == nil && n > 0 {
				out[name] = n
			}
			return err
		})
	})
	return out, err
}

// DropVectors removes the vectors of one embedder. Indexes that hold them are told
// to begin anew.
func (s *Store) DropVectors(ctx context.Context, embedder string) error {
	return s.write(ctx, func(t *tx) error {
		id, found, err := t.one("SELECT id FROM embedders WHERE name = ?", embedder)
		if err != nil || !found {
			return err
		}
		if err := t.exec("DELETE FROM vectors WHERE key >= ? AND key <= ?", vectorKey(id, 0), vectorKey(id, 0)|(1<<(spaceBits+idBits)-1)); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM embedders WHERE id = ?", id); err != nil {
			return err
		}
		var names []string
		if err := t.each("SELECT name FROM spaces", func(r *row) error {
			names = append(names, r.ColumnText(0))
			return nil
		}); err != nil {
			return err
		}
		for _, name := range names {
			sp, err := t.touch(name)
			if err != nil {
				return err
			}
			if err := t.newEpoch(sp); err != nil {
				return err
			}
		}
		return nil
	})
}
