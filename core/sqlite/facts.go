package sqlite

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
)

const selectState = `SELECT key, subject, subject_id, attribute, value, condition, forbidden, valid_from, valid_to, stated,
	said, recorded, closed, superseded_by, retracted, trust, expires, backend FROM states `

func scanState(r *row, space string) core.State {
	return core.State{
		ID: idOf(r.ColumnInt64(0)), Space: space,
		Subject: r.ColumnText(1), SubjectID: core.ID(r.ColumnInt64(2)),
		Attribute: r.ColumnText(3), Value: r.ColumnText(4), Condition: r.ColumnText(5), Forbidden: r.ColumnBool(6),
		ValidFrom: r.ColumnText(7), ValidTo: r.ColumnText(8), Stated: r.ColumnBool(9),
		Said: when(r, 10), Recorded: when(r, 11), Closed: when(r, 12),
		SupersededBy: core.ID(r.ColumnInt64(13)), Retracted: r.ColumnBool(14),
		Trust: core.Trust(r.ColumnInt64(15)), Expires: when(r, 16), Backend: r.ColumnText(17),
	}
}

const selectEvent = `SELECT key, subject, text, start, stop, stated, said, recorded, trust, expires, entities, backend FROM events `

func scanEvent(r *row, space string) (core.Event, error) {
	e := core.Event{
		ID: idOf(r.ColumnInt64(0)), Space: space,
		Subject: r.ColumnText(1), Text: r.ColumnText(2), Start: r.ColumnText(3), End: r.ColumnText(4),
		Stated: r.ColumnBool(5), Said: when(r, 6), Recorded: when(r, 7),
		Trust: core.Trust(r.ColumnInt64(8)), Expires: when(r, 9), Backend: r.ColumnText(11),
	}
	err := json.Unmarshal(r.ColumnRawText(10), &e.Entities)
	return e, err
}

// sourcesOf reads the lines an item rests on, without those that are quarantined.
func (c *conn) sourcesOf(item int64) (out []core.Source, err error) {
	return c.linesOf(item, false)
}

// linesOf reads the lines an item rests on, with the quarantined ones if hidden.
func (c *conn) linesOf(item int64, hidden bool) (out []core.Source, err error) {
	err = c.each(`SELECT s.episode, s.passage, s.start, s.stop, s.at FROM sources s JOIN episodes e ON e.key = s.episode
		WHERE s.item = ?1 AND s.closing = 0 AND (e.quarantined = 0 OR ?2) ORDER BY s.n`, func(r *row) error {
		out = append(out, core.Source{
			Episode: idOf(r.ColumnInt64(0)), Passage: idOf(r.ColumnInt64(1)),
			Start: r.ColumnInt(2), End: r.ColumnInt(3), At: when(r, 4),
		})
		return nil
	}, item, hidden)
	return out, err
}

// addSources reads the lines that items rest on; of tells an item's ID and where they go.
func addSources[T any](c *conn, sp *spaceRow, items []T, hidden bool, of func(*T) (core.ID, *[]core.Source)) error {
	for i := range items {
		id, to := of(&items[i])
		var err error
		if *to, err = c.linesOf(sp.key(id), hidden); err != nil {
			return err
		}
	}
	return nil
}

// States returns matching states with their sources.
func (s *Store) States(ctx context.Context, space string, f core.StateFilter) (out []core.State, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		keep := func(r *row) error {
			if st := scanState(r, space); matches(&st, &f) {
				out = append(out, st)
			}
			return nil
		}
		if err := c.candidates(sp, &f, keep); err != nil {
			return err
		}
		if err := addSources(c, sp, out, f.Hidden, func(st *core.State) (core.ID, *[]core.Source) { return st.ID, &st.Sources }); err != nil {
			return err
		}
		if f.Hidden {
			return c.recordedClosings(sp, out)
		}
		return nil
	})
	slices.SortFunc(out, func(a, b core.State) int {
		return cmp.Or(strings.Compare(a.ValidFrom, b.ValidFrom), a.Said.Compare(b.Said), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// recordedClosings puts closings that are held back because of a quarantine into
// states.
func (c *conn) recordedClosings(sp *spaceRow, out []core.State) error {
	es, err := c.endings(sp)
	if err != nil {
		return err
	}
	for i := range out {
		e := es[out[i].ID]
		if e == nil || !e.held {
			continue
		}
		st := &out[i]
		st.Closed, st.ValidTo, st.SupersededBy, st.Retracted = time.Time{}, e.recorded.ValidTo, e.recorded.By, e.recorded.Retracted
		if e.recorded.Closed != 0 {
			st.Closed = time.UnixMicro(e.recorded.Closed).UTC()
		}
	}
	return nil
}

// candidates reads the states that a filter's IDs or source name, or all.
func (c *conn) candidates(sp *spaceRow, f *core.StateFilter, keep func(*row) error) error {
	switch {
	case f.Hidden && f.IDs == nil:
		return c.each(selectState+"WHERE key BETWEEN ? AND ? ORDER BY key", keep, sp.lo(), sp.hi())
	case f.IDs != nil:
		ids := slices.Compact(slices.Sorted(slices.Values(f.IDs)))
		for _, id := range ids {
			if err := c.each(selectState+"WHERE key = ? AND (hidden = 0 OR ?)", keep, sp.key(id), f.Hidden); err != nil {
				return err
			}
		}
		return nil
	case f.Source != 0:
		return c.each(selectState+`WHERE hidden = 0 AND key IN
			(SELECT item FROM sources WHERE episode = ? AND closing = 0) ORDER BY key`, keep, sp.key(f.Source))
	default:
		return c.each(selectState+"WHERE key BETWEEN ? AND ? AND hidden = 0 ORDER BY key", keep, sp.lo(), sp.hi())
	}
}

func matches(st *core.State, f *core.StateFilter) bool {
	return (f.Subject == "" || strings.EqualFold(st.Subject, f.Subject)) &&
		(f.Attribute == "" || st.Attribute == f.Attribute) &&
		(f.Forbidden == nil || st.Forbidden == *f.Forbidden) &&
		(!f.Open || st.Closed.IsZero()) &&
		(f.AsOf.IsZero() || st.TrueOn(f.AsOf.Format(time.DateOnly), f.AsOf.Location()))
}

// Events returns events with their sources, by Start, then ID. A nil ids means all.
func (s *Store) Events(ctx context.Context, space string, ids []core.ID) (out []core.Event, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		keep := func(r *row) error {
			ev, err := scanEvent(r, space)
			out = append(out, ev)
			return err
		}
		if ids == nil {
			if err := c.each(selectEvent+"WHERE key BETWEEN ? AND ? AND hidden = 0", keep, sp.lo(), sp.hi()); err != nil {
				return err
			}
		}
		for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
			if err := c.each(selectEvent+"WHERE key = ? AND hidden = 0", keep, sp.key(id)); err != nil {
				return err
			}
		}
		return addSources(c, sp, out, false, func(ev *core.Event) (core.ID, *[]core.Source) { return ev.ID, &ev.Sources })
	})
	slices.SortFunc(out, func(a, b core.Event) int {
		return cmp.Or(strings.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// Entities returns all entities of a space with their aliases, by ID.
func (s *Store) Entities(ctx context.Context, space string) (out []core.Entity, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.entities(space, "WHERE key BETWEEN ? AND ? ORDER BY key", sp.lo(), sp.hi(), func(e *core.Entity) error {
			out = append(out, *e)
			return nil
		})
	})
	return out, err
}

func (c *conn) entities(space, where string, lo, hi int64, fn func(*core.Entity) error) error {
	return c.each("SELECT key, name FROM entities "+where, func(r *row) error {
		key := r.ColumnInt64(0)
		e := core.Entity{ID: idOf(key), Space: space, Name: r.ColumnText(1)}
		if err := c.each("SELECT name FROM aliases WHERE entity = ? ORDER BY name", func(r *row) error {
			e.Aliases = append(e.Aliases, r.ColumnText(0))
			return nil
		}, key); err != nil {
			return err
		}
		return fn(&e)
	}, lo, hi)
}

// Links returns all links of a space, by From, then To.
func (s *Store) Links(ctx context.Context, space string) (out []core.Link, err error) {
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		return c.each(selectLink+"WHERE source BETWEEN ? AND ? ORDER BY source, target", func(r *row) error {
			out = append(out, scanLink(r))
			return nil
		}, sp.lo(), sp.hi())
	})
	return out, err
}

const selectLink = "SELECT source, target, weight, at FROM links "

func scanLink(r *row) core.Link {
	return core.Link{From: idOf(r.ColumnInt64(0)), To: idOf(r.ColumnInt64(1)), Weight: float32(r.ColumnFloat(2)), At: when(r, 3)}
}
