package sqlite

import (
	"context"
	"fmt"

	"github.com/orma-memory/orma/core"
)

// rederive makes the derived rows of a salvaged database from its episodes.
type rederive struct {
	*tx
	damaged map[string]bool
	derive  func(core.Episode) (core.Draft, error)
	fixed   []string
	made    int // passages made anew
	done    int // episodes since the last commit
}

func (rd *rederive) run(ctx context.Context) error {
	for _, step := range []func() error{rd.prepare, rd.orphans} {
		if err := step(); err != nil {
			return err
		}
	}
	var names []string
	if err := rd.each("SELECT name FROM spaces ORDER BY id", func(r *row) error {
		names = append(names, r.ColumnText(0))
		return nil
	}); err != nil {
		return err
	}
	for _, name := range names {
		if err := rd.space(ctx, name); err != nil {
			return err
		}
	}
	if rd.made > 0 {
		rd.note("derived %d passages anew", rd.made)
	}
	rd.note("made the full text index anew")
	return rd.loose()
}

func (rd *rederive) note(format string, args ...any) {
	rd.fixed = append(rd.fixed, fmt.Sprintf(format, args...))
}

// step runs a statement and notes how many rows it touched.
func (rd *rederive) step(what, sql string, args ...any) error {
	if err := rd.exec(sql, args...); err != nil {
		return err
	}
	if n := rd.c.Changes(); n > 0 && what != "" {
		rd.note("%s: %d", what, n)
	}
	return nil
}

// prepare mends what everything else needs: counters, and a space for each row.
func (rd *rederive) prepare() error {
	if err := rd.step("", `INSERT INTO counters VALUES ('id', 0), ('epoch', 0) ON CONFLICT DO NOTHING`); err != nil {
		return err
	}
	if err := rd.step("spaces whose name was lost", `INSERT INTO spaces (id, name, epoch, gen)
		SELECT DISTINCT key >> ?1, 'recovered-' || (key >> ?1), 0, 1 FROM episodes WHERE key >> ?1 NOT IN (SELECT id FROM spaces)`, idBits); err != nil {
		return err
	}
	if err := rd.exec("UPDATE spaces SET gen = max(gen, 1)"); err != nil {
		return err
	}
	lost, err := rd.count("SELECT coalesce(sum(episodes), 0) - (SELECT count(*) FROM episodes) FROM spaces")
	if err != nil {
		return err
	}
	if lost > 0 {
		rd.note("episodes that could not be read: %d", lost)
	}
	if err := rd.exec(`UPDATE counters SET value = max(value, (SELECT coalesce(max(epoch), 0) FROM spaces)) WHERE name = 'epoch'`); err != nil {
		return err
	}
	return rd.exec(`UPDATE counters SET value = max(value, (SELECT coalesce(max(id), 0) FROM (
		SELECT max(key & ?1) AS id FROM episodes UNION ALL SELECT max(key & ?1) FROM passages UNION ALL SELECT max(key & ?1) FROM states
		UNION ALL SELECT max(key & ?1) FROM events UNION ALL SELECT max(key & ?1) FROM entities))) WHERE name = 'id'`, maxID)
}

// orphans removes what no episode backs: it cannot be shown with its words.
func (rd *rederive) orphans() error {
	for _, s := range []struct{ what, sql string }{
		{"repeats that now stand alone", `UPDATE episodes SET repeat_of = NULL, spans = NULL WHERE repeat_of IS NOT NULL AND
			NOT EXISTS (SELECT 1 FROM episodes h WHERE h.key = episodes.repeat_of AND h.repeat_of IS NULL)`},
		{"passages without an episode removed", `DELETE FROM passages WHERE NOT EXISTS
			(SELECT 1 FROM episodes e WHERE e.key = passages.episode AND e.repeat_of IS NULL)`},
	} {
		if err := rd.step(s.what, s.sql); err != nil {
			return err
		}
	}
	return nil
}

// space derives the rows of one space, and gives it a new epoch.
func (rd *rederive) space(ctx context.Context, name string) error {
	sp, err := rd.touch(name)
	if err != nil {
		return err
	}
	if err := rd.newEpoch(sp); err != nil {
		return err
	}
	a := &appender{tx: rd.tx, sp: sp, prefix: termPrefix(sp.id)}
	for after, more := sp.lo(), true; more; {
		var page []core.Episode
		if err := rd.each(selectEpisode+"WHERE key > ? AND key <= ? ORDER BY key LIMIT 64", func(r *row) error {
			page = append(page, scanEpisode(r, name))
			return nil
		}, after, sp.hi()); err != nil {
			return err
		}
		for i := range page {
			if err := ctx.Err(); err != nil {
				return err
			}
			after = sp.key(page[i].ID)
			if page[i].RepeatOf != 0 {
				continue
			}
			if err := rd.episode(a, &page[i]); err != nil {
				return fmt.Errorf("episode %d: %w", page[i].ID, err)
			}
		}
		more = len(page) > 0
		if rd.done += len(page); rd.done >= commitEvery {
			rd.done = 0
			if err := rd.exec("COMMIT"); err != nil {
				return err
			}
			if err := rd.exec("BEGIN"); err != nil {
				return err
			}
		}
	}
	return rd.regroup(sp)
}

// episode gives one episode its passages. Those that can be read keep their IDs,
// which facts and uses refer to; lost ones get the IDs they had, which follow the
// episode's own.
func (rd *rederive) episode(a *appender, e *core.Episode) error {
	d, err := rd.derive(*e)
	if err != nil {
		return err
	}
	d.Episode = *e
	if err := checkDraft(&d); err != nil {
		return err
	}
	key := a.sp.key(e.ID)
	old := map[int]core.Passage{}
	if err := rd.each(selectPassage+"WHERE episode = ? ORDER BY seq", func(r *row) error {
		p := scanPassage(r)
		old[p.Seq] = p
		return nil
	}, key); err != nil {
		return err
	}
	for i := range d.Passages {
		p := &d.Passages[i]
		was, ok := old[i]
		delete(old, i)
		id := int64(was.ID)
		if !ok {
			if id, err = rd.freeID(a.sp, int64(e.ID)+1+int64(i)); err != nil {
				return err
			}
		}
		if !ok || was.Start != p.Start || was.End != p.End {
			rd.made++
		}
		if ok && (was.Start != p.Start || was.End != p.End) {
			// Other words than its vector was made of.
			if _, err := rd.removePassage(a.sp.key(was.ID)); err != nil {
				return err
			}
		}
		if err := a.insertPassage(key, id, i, p, rederived); err != nil {
			return err
		}
	}
	for _, p := range old {
		if _, err := rd.removePassage(a.sp.key(p.ID)); err != nil {
			return err
		}
	}
	if err := rd.exec("UPDATE episodes SET parts = ?, norm = coalesce(norm, ?) WHERE key = ?", len(d.Passages), normOf(&d), key); err != nil {
		return err
	}
	return rd.rule(a.sp, e, &d)
}

func normOf(d *core.Draft) any {
	if d.NormHash == [16]byte{} {
		return nil
	}
	return d.NormHash[:]
}

// rederived writes a passage over what is left of it. A vector that could be read stays.
var rederived = conflict{
	passage: " ON CONFLICT DO UPDATE SET terms = excluded.terms, born = excluded.born, stamp = excluded.stamp",
	vector:  " ON CONFLICT DO NOTHING",
}
