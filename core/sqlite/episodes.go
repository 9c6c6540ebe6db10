package sqlite

import (
	"context"
	"iter"

	"github.com/orma-memory/orma/core"
)

const selectEpisode = `SELECT key, kind, role, speaker, session, source, coalesce(outer_key, ''), trust, marks, at, zone,
	recorded, expires, repeat_of, quarantined, text FROM episodes `

func scanEpisode(r *row, space string) core.Episode {
	return core.Episode{
		ID: idOf(r.ColumnInt64(0)), Space: space,
		Kind: core.Kind(r.ColumnText(1)), Role: core.Role(r.ColumnText(2)),
		Speaker: r.ColumnText(3), Session: r.ColumnText(4), Source: r.ColumnText(5), Key: r.ColumnText(6),
		Trust: core.Trust(r.ColumnInt64(7)), Marks: core.Mark(r.ColumnInt64(8)),
		At: when(r, 9), Zone: r.ColumnText(10), Recorded: when(r, 11), Expires: when(r, 12),
		RepeatOf: idOf(r.ColumnInt64(13)), Quarantined: r.ColumnBool(14), Text: r.ColumnText(15),
	}
}

// Episode returns one episode with its text.
func (s *Store) Episode(ctx context.Context, space string, id core.ID) (core.Episode, error) {
	es, err := s.EpisodesByID(ctx, space, []core.ID{id})
	if err != nil {
		return core.Episode{}, err
	}
	if len(es) == 0 {
		return core.Episode{}, notFound("episode", id)
	}
	return es[0], nil
}

// EpisodesByID returns the episodes that exist, in the order of ids.
func (s *Store) EpisodesByID(ctx context.Context, space string, ids []core.ID) (es []core.Episode, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		es = make([]core.Episode, 0, len(ids))
		for _, id := range ids {
			if err := c.first(selectEpisode+"WHERE key = ?", func(r *row) {
				es = append(es, scanEpisode(r, space))
			}, sp.key(id)); err != nil {
				return err
			}
		}
		return nil
	})
	return es, err
}

// EpisodesByKey returns the episodes with the caller's key in a source, newest first.
func (s *Store) EpisodesByKey(ctx context.Context, space, source, key string) (es []core.Episode, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.each(selectEpisode+"WHERE outer_key = ? AND key BETWEEN ? AND ? AND source = ? ORDER BY key DESC", func(r *row) error {
			es = append(es, scanEpisode(r, space))
			return nil
		}, key, sp.lo(), sp.hi(), source)
	})
	return es, err
}

// EpisodeByKey returns the newest episode with the caller's key in a source.
func (s *Store) EpisodeByKey(ctx context.Context, space, source, key string) (e core.Episode, err error) {
	found := false
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.each(selectEpisode+"WHERE outer_key = ? AND key BETWEEN ? AND ? AND source = ? ORDER BY key DESC LIMIT 1", func(r *row) error {
			e, found = scanEpisode(r, space), true
			return nil
		}, key, sp.lo(), sp.hi(), source)
	})
	if err == nil && !found {
		err = core.Errorf(core.CodeNotFound, "no episode with that key of source %q in this space", source)
	}
	return e, err
}

// scanPage bounds what Scan holds at a time.
const (
	scanRows  = 256
	scanBytes = 4 << 20
)

// Scan yields a space's episodes with an ID above after, in ID order. It reads in
// pages and holds no lock while the caller works, so what is appended meanwhile is
// seen. When all that was yielded is erased between two pages, with the space or without,
// it ends with an error: what was yielded is not the whole of anything.
func (s *Store) Scan(ctx context.Context, space string, after core.ID) iter.Seq2[core.Episode, error] {
	return func(yield func(core.Episode, error) bool) {
		for begun := false; ; begun = true {
			var page []core.Episode
			size, there := 0, false
			err := s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
				page, size, there = nil, 0, false
				if begun { // a new space may have the number of the erased one, but no old ID
					if err := c.first("SELECT 1 FROM episodes WHERE key BETWEEN ? AND ? LIMIT 1", func(*row) { there = true }, sp.lo(), sp.key(after)); err != nil {
						return err
					}
				}
				err := c.each(selectEpisode+"WHERE key > ? AND key <= ? ORDER BY key LIMIT ?", func(r *row) error {
					if size > scanBytes {
						return errStop
					}
					e := scanEpisode(r, space)
					size += len(e.Text)
					page = append(page, e)
					return nil
				}, sp.lo()+int64(min(max(after, 0), maxID)), sp.hi(), scanRows)
				if err == errStop {
					err = nil
				}
				return err
			})
			if err == nil && begun && !there {
				err = core.Errorf(core.CodeNotFound, "what space %q had was erased while it was read", space)
			}
			if err != nil {
				yield(core.Episode{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
				after = e.ID
			}
			if len(page) == 0 {
				return
			}
		}
	}
}

// Recent returns the last n episodes of a space with an ID below before (zero: all),
// newest first.
func (s *Store) Recent(ctx context.Context, space string, before core.ID, n int) (es []core.Episode, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		hi := sp.hi()
		if before > 0 && before <= maxID {
			hi = sp.key(before) - 1
		}
		return c.each(selectEpisode+"WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT ?", func(r *row) error {
			es = append(es, scanEpisode(r, space))
			return nil
		}, sp.lo(), hi, max(n, 0))
	})
	return es, err
}

const selectPassage = "SELECT key, episode, seq, start, stop FROM passages "

func scanPassage(r *row) core.Passage {
	return core.Passage{
		ID: idOf(r.ColumnInt64(0)), Episode: idOf(r.ColumnInt64(1)),
		Seq: r.ColumnInt(2), Start: r.ColumnInt(3), End: r.ColumnInt(4),
	}
}

// PassagesOf returns the passages of the given episodes, in order.
func (s *Store) PassagesOf(ctx context.Context, space string, episodes []core.ID) ([]core.Passage, error) {
	return s.passages(ctx, space, selectPassage+"WHERE episode = ? ORDER BY seq", episodes)
}

// Passages returns the passages that exist, in the order of ids.
func (s *Store) Passages(ctx context.Context, space string, ids []core.ID) ([]core.Passage, error) {
	return s.passages(ctx, space, selectPassage+"WHERE key = ?", ids)
}

func (s *Store) passages(ctx context.Context, space, sql string, ids []core.ID) (ps []core.Passage, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		for _, id := range ids {
			if err := c.each(sql, func(r *row) error {
				ps = append(ps, scanPassage(r))
				return nil
			}, sp.key(id)); err != nil {
				return err
			}
		}
		return nil
	})
	return ps, err
}
