package sqlite

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core"
)

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
