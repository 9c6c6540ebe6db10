package sqlite

import (
	"context"
	"time"

	"github.com/orma-memory/orma/core"
)

// Pending returns up to n episodes that sleep has not finished with.
func (s *Store) Pending(ctx context.Context, space string, now time.Time, n int) (out []core.PendingEpisode, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.each(`SELECT e.key, e.kind, e.role, e.speaker, e.session, e.source, coalesce(e.outer_key, ''), e.trust, e.marks,
			e.at, e.zone, e.recorded, e.expires, e.repeat_of, e.quarantined, e.text, p.attempts, p.error, p.retired
			FROM pending p JOIN episodes e ON e.key = p.episode
			WHERE p.space = ? AND p.retired = 0 AND e.quarantined = 0 AND (e.expires IS NULL OR e.expires > ?)
			ORDER BY p.at, p.episode LIMIT ?`, func(r *row) error {
			out = append(out, core.PendingEpisode{
				Episode: scanEpisode(r, space), Attempts: r.ColumnInt(16), LastError: r.ColumnText(17), Retired: r.ColumnBool(18),
			})
			return nil
		}, sp.id, micros(now), max(n, 0))
	})
	return out, err
}

// exactlyDue is up to how many pending episodes Due looks at each to leave out
// those that expired or are quarantined. Sleep is due anyway when there are more.
const exactlyDue = 1000

// Due lists spaces with pending episodes, by name. It is cheap enough to be asked
// often, however many wait.
func (s *Store) Due(ctx context.Context) (out []core.DueSpace, err error) {
	now := micros(s.opt.Now())
	err = s.read(ctx, func(c *conn) error {
		out = nil
		type waiting struct {
			id, newest int64
			core.DueSpace
		}
		var all []waiting
		if err := c.each(`SELECT s.id, max(p.episode), s.name, count(*) FROM pending p JOIN spaces s ON s.id = p.space
			WHERE p.retired = 0 GROUP BY p.space ORDER BY s.name`, func(r *row) error {
			all = append(all, waiting{r.ColumnInt64(0), r.ColumnInt64(1), core.DueSpace{Space: r.ColumnText(2), Pending: r.ColumnInt(3)}})
			return nil
		}); err != nil {
			return err
		}
		for _, w := range all {
			if w.Pending <= exactlyDue {
				if err := c.each(`SELECT count(*), max(p.episode) FROM pending p JOIN episodes e ON e.key = p.episode
					WHERE p.space = ? AND p.retired = 0 AND e.quarantined = 0 AND (e.expires IS NULL OR e.expires > ?)`, func(r *row) error {
					w.Pending, w.newest = r.ColumnInt(0), r.ColumnInt64(1)
					return nil
				}, w.id, now); err != nil {
					return err
				}
			}
			if w.Pending == 0 {
				continue
			}
			if err := c.each("SELECT recorded FROM episodes WHERE key = ?", func(r *row) error {
				w.Last = when(r, 0)
				return nil
			}, w.newest); err != nil {
				return err
			}
			out = append(out, w.DueSpace)
		}
		return nil
	})
	return out, err
}

// Lease takes or renews the right to sleep in a space until a time. One that holds for ten
// times as long as this one would is of a clock that was set back since, or of a time that
// was made up: it holds nobody up.
func (s *Store) Lease(ctx context.Context, space, holder string, now, until time.Time) (ok bool, err error) {
	err = s.write(ctx, func(t *tx) error {
		if err := t.exec(`INSERT INTO leases (space, holder, until) VALUES (?1, ?2, ?3)
			ON CONFLICT DO UPDATE SET holder = ?2, until = ?3 WHERE holder = ?2 OR until <= ?4 OR until > ?3 + 9 * (?3 - ?4)`,
			space, holder, micros(until), micros(now)); err != nil {
			return err
		}
		ok = t.c.Changes() > 0
		return nil
	})
	return ok, err
}

// Release gives a lease back; another holder's is left alone.
func (s *Store) Release(ctx context.Context, space, holder string) error {
	return s.write(ctx, func(t *tx) error {
		return t.exec("DELETE FROM leases WHERE space = ? AND holder = ?", space, holder)
	})
}

// Reports returns the last n sleep reports, newest first.
func (s *Store) Reports(ctx context.Context, space string, n int) (out []core.SleepReport, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.each("SELECT at, data FROM reports WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT ?", func(r *row) error {
			out = append(out, core.SleepReport{At: when(r, 0), Data: r.ColumnBlob(1, nil)})
			return nil
		}, sp.lo(), sp.hi(), max(n, 0))
	})
	return out, err
}
