package sqlite

import (
	"context"
	"slices"

	"github.com/orma-memory/orma/core"
)

// Apply carries out a plan in one transaction.
func (s *Store) Apply(ctx context.Context, p *core.Plan) error {
	return s.write(ctx, func(t *tx) error {
		sp, err := t.makeSpace(p.Space)
		if err != nil {
			return err
		}
		a := &applier{tx: t, sp: sp, plan: p}
		for _, step := range []func() error{
			a.checkIDs, a.entities, a.states, a.closings, a.redate, a.sources, a.events, a.links, a.journal, a.sleep,
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return t.insertUses(sp, p.Uses)
	})
}

type applier struct {
	*tx
	sp   *spaceRow
	plan *core.Plan
}

func gone(format string, args ...any) error {
	return core.Errorf(core.CodeConflict, format, args...).Hinted("what the plan was made from has changed; read it again")
}

// checkIDs refuses new items whose IDs were not reserved: another item would get them.
func (a *applier) checkIDs() error {
	last, _, err := a.one("SELECT value FROM counters WHERE name = 'id'")
	if err != nil {
		return err
	}
	var ids []core.ID
	for i := range a.plan.Entities {
		ids = append(ids, a.plan.Entities[i].ID)
	}
	for i := range a.plan.States {
		ids = append(ids, a.plan.States[i].ID)
	}
	for i := range a.plan.Events {
		ids = append(ids, a.plan.Events[i].ID)
	}
	slices.Sort(ids)
	for i, id := range ids {
		if id < 1 || int64(id) > last {
			return core.Errorf(core.CodeInvalid, "id %d was not reserved", id)
		}
		if i > 0 && ids[i-1] == id {
			return core.Errorf(core.CodeInvalid, "id %d is used twice", id)
		}
		n, err := a.count(`SELECT (SELECT count(*) FROM states WHERE key = ?1) + (SELECT count(*) FROM events WHERE key = ?1)
			+ (SELECT count(*) FROM entities WHERE key = ?1) + (SELECT count(*) FROM episodes WHERE key = ?1)
			+ (SELECT count(*) FROM passages WHERE key = ?1)`, a.sp.key(id))
		if err != nil {
			return err
		}
		if n > 0 {
			return core.Errorf(core.CodeConflict, "id %d is in use", id)
		}
	}
	return nil
}

// checkSource refuses a line that is not there, not inside its passage, or quarantined.
func (a *applier) checkSource(src *core.Source) error {
	ok, err := a.count(`SELECT count(*) FROM episodes e
		LEFT JOIN passages p ON p.key = ?2 AND p.episode = coalesce(e.repeat_of, e.key)
		WHERE e.key = ?1 AND (e.quarantined = 0 OR ?6) AND ?3 >= 0 AND ?3 < ?4 AND ?4 <= length(CAST(e.text AS BLOB))
		AND (?2 = ?5 OR p.key IS NOT NULL AND (e.repeat_of IS NOT NULL OR ?3 >= p.start AND ?4 <= p.stop))`,
		a.sp.key(src.Episode), a.sp.key(src.Passage), src.Start, src.End, a.sp.lo(), a.plan.Restore)
	if err != nil {
		return err
	}
	if ok == 0 {
		return gone("bytes %d to %d of episode %d, passage %d, are not there", src.Start, src.End, src.Episode, src.Passage)
	}
	return nil
}

func (a *applier) checkSources(what string, id core.ID, sources []core.Source) error {
	if len(sources) == 0 {
		return core.Errorf(core.CodeInvalid, "%s %d cites no line", what, id)
	}
	for i := range sources {
		if err := a.checkSource(&sources[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) entities() error {
	for i := range a.plan.Entities {
		e := &a.plan.Entities[i]
		if err := a.exec("INSERT INTO entities (key, stamp, name) VALUES (?, ?, ?)", a.sp.key(e.ID), a.sp.stamp(), e.Name); err != nil {
			return err
		}
		for _, name := range e.Aliases {
			if err := a.alias(core.Alias{Entity: e.ID, Name: name}); err != nil {
				return err
			}
		}
	}
	for _, al := range a.plan.Aliases {
		if err := a.alias(al); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) alias(al core.Alias) error {
	key := a.sp.key(al.Entity)
	if err := a.exec("UPDATE entities SET stamp = ? WHERE key = ?", a.sp.stamp(), key); err != nil {
		return err
	}
	if a.c.Changes() == 0 {
		return gone("entity %d is not there", al.Entity)
	}
	return a.exec("INSERT INTO aliases (entity, name) VALUES (?, ?) ON CONFLICT DO NOTHING", key, al.Name)
}

func (a *applier) states() error {
	for i := range a.plan.States {
		st := a.plan.States[i]
		if err := a.checkSources("state", st.ID, st.Sources); err != nil {
			return err
		}
		if st.Recorded.IsZero() {
			st.Recorded = a.plan.At
		}
		if err := a.insertState(a.sp, &st); err != nil {
			return err
		}
		if err := a.refresh(a.sp, a.sp.key(st.ID)); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) closings() error {
	for i := range a.plan.Close {
		cl := &a.plan.Close[i]
		key := a.sp.key(cl.State)
		retracted, found, err := a.one("SELECT retracted FROM states WHERE key = ? AND (hidden = 0 OR ?)", key, a.plan.Restore)
		if err != nil {
			return err
		}
		if !found {
			return gone("state %d is not there", cl.State)
		}
		if retracted != 0 && !cl.Retracted {
			return gone("state %d was taken back by command", cl.State)
		}
		if cl.SupersededBy != 0 {
			n, err := a.count("SELECT count(*) FROM states WHERE key = ?", a.sp.key(cl.SupersededBy))
			if err != nil {
				return err
			}
			if n == 0 || cl.SupersededBy == cl.State {
				return gone("state %d cannot be superseded by %d", cl.State, cl.SupersededBy)
			}
		}
		if err := a.exec(`UPDATE states SET closed = ?, valid_to = ?, superseded_by = ?, retracted = ?, held = NULL, stamp = ? WHERE key = ?`,
			micros(a.plan.At), cl.ValidTo, cl.SupersededBy, cl.Retracted, a.sp.stamp(), key); err != nil {
			return err
		}
		if err := a.exec("DELETE FROM sources WHERE item = ? AND closing = 1", key); err != nil {
			return err
		}
		if cl.Source == nil {
			continue
		}
		if err := a.checkSource(cl.Source); err != nil {
			return err
		}
		if err := a.insertSources(a.sp, key, 1, []core.Source{*cl.Source}); err != nil {
			return err
		}
	}
	if a.plan.Restore && len(a.plan.Close) > 0 {
		es, err := a.endings(a.sp)
		if err != nil {
			return err
		}
		return a.settleEndings(a.sp, es)
	}
	return nil
}

func (a *applier) redate() error {
	for _, r := range a.plan.Redate {
		if err := a.exec("UPDATE states SET valid_from = ?, stated = ?, stamp = ? WHERE key = ? AND hidden = 0",
			r.ValidFrom, r.Stated, a.sp.stamp(), a.sp.key(r.State)); err != nil {
			return err
		}
		if a.c.Changes() == 0 {
			return gone("state %d is not there", r.State)
		}
	}
	return nil
}

func (a *applier) sources() error {
	for i := range a.plan.Sources {
		src := &a.plan.Sources[i]
		key := a.sp.key(src.State)
		if err := a.checkSource(&src.Source); err != nil {
			return err
		}
		if err := a.exec("UPDATE states SET stamp = ? WHERE key = ? AND hidden = 0", a.sp.stamp(), key); err != nil {
			return err
		}
		if a.c.Changes() == 0 {
			return gone("state %d is not there", src.State)
		}
		if err := a.insertSources(a.sp, key, 0, []core.Source{src.Source}); err != nil {
			return err
		}
		if err := a.refresh(a.sp, key); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) events() error {
	for i := range a.plan.Events {
		ev := a.plan.Events[i]
		if err := a.checkSources("event", ev.ID, ev.Sources); err != nil {
			return err
		}
		if ev.Recorded.IsZero() {
			ev.Recorded = a.plan.At
		}
		if err := a.insertEvent(a.sp, &ev); err != nil {
			return err
		}
		if err := a.refresh(a.sp, a.sp.key(ev.ID)); err != nil {
			return err
		}
	}
	return nil
}

// links makes links or gives those that exist their new weight.
func (a *applier) links() error {
	for _, l := range a.plan.Links {
		if !(l.Weight > 0) || l.From < 1 || l.To < 1 {
			return core.Errorf(core.CodeInvalid, "link from %d to %d has weight %v", l.From, l.To, l.Weight)
		}
		if err := a.exec(`INSERT INTO links (source, target, weight, at, stamp) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET weight = excluded.weight, at = excluded.at, stamp = excluded.stamp`,
			a.sp.key(l.From), a.sp.key(l.To), l.Weight, micros(l.At), a.sp.stamp()); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) journal() error {
	for i := range a.plan.Entries {
		if err := a.record(a.sp, &a.plan.Entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// sleep settles the queue and keeps the report.
func (a *applier) sleep() error {
	for _, id := range a.plan.Done {
		if err := a.exec(`DELETE FROM pending WHERE (space, at, episode) IN (SELECT ?, at, key FROM episodes WHERE key = ?)`,
			a.sp.id, a.sp.key(id)); err != nil {
			return err
		}
	}
	for _, f := range a.plan.Failed {
		if err := a.exec(`UPDATE pending SET attempts = attempts + 1, error = ?, retired = max(retired, ?)
			WHERE (space, at, episode) IN (SELECT ?, at, key FROM episodes WHERE key = ?)`,
			f.Error, f.Retire, a.sp.id, a.sp.key(f.Episode)); err != nil {
			return err
		}
	}
	if a.plan.Report == nil {
		return nil
	}
	return a.exec(`INSERT INTO reports (key, at, data)
		SELECT coalesce(max(key), ?1) + 1, ?3, ?4 FROM reports WHERE key BETWEEN ?1 AND ?2`,
		a.sp.lo(), a.sp.hi(), micros(a.plan.At), a.plan.Report)
}

// AddUses appends uses to the journal.
func (s *Store) AddUses(ctx context.Context, space string, uses []core.Use) error {
	if len(uses) == 0 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		sp, err := t.touch(space)
		if err != nil {
			return err
		}
		return t.insertUses(sp, uses)
	})
}
