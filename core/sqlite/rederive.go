package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
		if err := rd.passage(a, key, id, i, p); err != nil {
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

// passage writes one passage and its full text. A vector that could be read stays.
func (rd *rederive) passage(a *appender, episode, id int64, seq int, p *core.DraftPassage) error {
	key := pack(a.sp.id, id)
	n := a.prefixed(p.Terms)
	if err := rd.exec(insertPassage+` ON CONFLICT DO UPDATE SET terms = excluded.terms, born = excluded.born, stamp = excluded.stamp`,
		key, episode, seq, p.Start, p.End, n, a.sp.gen, a.sp.stamp()); err != nil {
		return err
	}
	if err := rd.exec("INSERT INTO fulltext (rowid, terms) VALUES (?, ?)", id, string(a.terms)); err != nil {
		return err
	}
	if p.Vector == nil {
		return nil
	}
	emb, err := a.embedder(p.Embedder)
	if err != nil {
		return err
	}
	return rd.exec("INSERT INTO vectors (key, vec) VALUES (?, ?) ON CONFLICT DO NOTHING", vectorKey(emb, key), p.Vector)
}

// freeID returns the wanted ID if nothing has it, or a new one.
func (rd *rederive) freeID(sp *spaceRow, want int64) (int64, error) {
	n, err := rd.count(`SELECT (SELECT count(*) FROM episodes WHERE key = ?1) + (SELECT count(*) FROM passages WHERE key = ?1)
		+ (SELECT count(*) FROM states WHERE key = ?1) + (SELECT count(*) FROM events WHERE key = ?1)
		+ (SELECT count(*) FROM entities WHERE key = ?1)`, pack(sp.id, want))
	if err != nil {
		return 0, err
	}
	last, _, err := rd.one("SELECT value FROM counters WHERE name = 'id'")
	if err != nil {
		return 0, err
	}
	if n == 0 && want <= last {
		return want, nil
	}
	return rd.next("id", 1)
}

// rule restores a rule that was written by command and whose row was lost. One that
// the journal says was lifted comes back closed.
func (rd *rederive) rule(sp *spaceRow, e *core.Episode, d *core.Draft) error {
	if d.Rule == nil || !rd.damaged["states"] && !rd.damaged["sources"] {
		return nil
	}
	n, err := rd.count("SELECT count(*) FROM sources JOIN states ON states.key = sources.item WHERE sources.episode = ? AND closing = 0", sp.key(e.ID))
	if err != nil || n > 0 {
		return err
	}
	id, err := rd.freeID(sp, int64(e.ID)+1+int64(len(d.Passages)))
	if err != nil {
		return err
	}
	rule := *d.Rule
	rule.ID, rule.Expires, rule.Recorded, rule.Said = core.ID(id), e.Expires, e.Recorded, e.At
	rule.Sources = []core.Source{{Episode: e.ID, End: len(e.Text), At: e.At}}
	if err := rd.each("SELECT at, data FROM journal WHERE op IN (?, ?, ?) AND key BETWEEN ? AND ?", func(r *row) error {
		eachLeaf(r.ColumnBlob(1, nil), func(string) {}, func(n int64) {
			if n == id {
				rule.Closed, rule.Retracted = when(r, 0), true
			}
		})
		return nil
	}, string(core.OpLift), string(core.OpForget), string(core.OpCorrect), sp.lo(), sp.hi()); err != nil {
		return err
	}
	rd.note("restored rule %d", id)
	if err := rd.exec("DELETE FROM sources WHERE item = ?", pack(sp.id, id)); err != nil {
		return err
	}
	return rd.insertState(sp, &rule)
}

// regroup works out anew which episode of each group holds the passages, how often
// it was repeated, and how long it lives.
func (rd *rederive) regroup(sp *spaceRow) error {
	if err := rd.exec(`UPDATE episodes SET repeats = 0, lives = expires WHERE key BETWEEN ? AND ?`, sp.lo(), sp.hi()); err != nil {
		return err
	}
	var holders []int64
	if err := rd.each("SELECT DISTINCT repeat_of FROM episodes WHERE repeat_of IS NOT NULL AND key BETWEEN ? AND ?", func(r *row) error {
		holders = append(holders, r.ColumnInt64(0))
		return nil
	}, sp.lo(), sp.hi()); err != nil {
		return err
	}
	for _, h := range holders {
		g, err := rd.group(h)
		if err != nil {
			return err
		}
		if err := rd.settle(sp, g); err != nil {
			return err
		}
	}
	return rd.recount(sp)
}

// loose removes facts whose lines are gone, and asks sleep to read again what may
// have been lost.
func (rd *rederive) loose() error {
	const noItem = "NOT EXISTS (SELECT 1 FROM states WHERE key = item) AND NOT EXISTS (SELECT 1 FROM events WHERE key = item)"
	steps := []struct{ what, sql string }{
		{"citations of lost lines removed", `DELETE FROM sources WHERE NOT EXISTS (SELECT 1 FROM episodes WHERE key = sources.episode)
			OR passage & 137438953471 <> 0 AND NOT EXISTS (SELECT 1 FROM passages WHERE key = sources.passage)`},
		{"citations for lost facts removed", "DELETE FROM sources WHERE " + noItem},
		{"states that rest on no line removed", "DELETE FROM states WHERE key NOT IN (SELECT item FROM sources WHERE closing = 0)"},
		{"events that rest on no line removed", "DELETE FROM events WHERE key NOT IN (SELECT item FROM sources WHERE closing = 0)"},
		{"", "DELETE FROM sources WHERE " + noItem},
		{"aliases of lost entities removed", "DELETE FROM aliases WHERE NOT EXISTS (SELECT 1 FROM entities WHERE key = entity)"},
		{"vectors of lost passages removed", `DELETE FROM vectors WHERE NOT EXISTS
			(SELECT 1 FROM passages WHERE passages.key = vectors.key & 288230376151711743)`},
		{"", `DELETE FROM pending WHERE NOT EXISTS (SELECT 1 FROM episodes WHERE key = pending.episode AND at = pending.at)`},
	}
	for _, s := range steps {
		if err := rd.step(s.what, s.sql); err != nil {
			return err
		}
	}
	lost := slices.DeleteFunc([]string{"states", "events", "sources", "entities", "aliases", "links", "pending"}, func(t string) bool { return !rd.damaged[t] })
	if len(lost) == 0 {
		return nil
	}
	// What was lost is not known, so everything is read again.
	rd.note("sleep will read all episodes again, because parts of %s could not be read", strings.Join(lost, ", "))
	return rd.exec(`INSERT INTO pending (space, at, episode) SELECT key >> ?, at, key FROM episodes WHERE kind <> ?
		ON CONFLICT DO NOTHING`, idBits, string(core.KindAntiPattern))
}
