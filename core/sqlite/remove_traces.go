package sqlite

import (
	"encoding/json"

	"github.com/orma-memory/orma/core"
)

// paper is a row that may quote: an entry of the journal, a report, an error.
type paper struct {
	update string // sets the content of the row with the key
	key    int64
	data   []byte
	about  bool // it names an item that went
}

// removeTraces takes what was erased out of everything that quotes it.
func (rm *removal) removeTraces() error {
	papers, err := rm.papers()
	if err != nil {
		return err
	}
	names, err := rm.names()
	if err != nil {
		return err
	}
	for i := range papers {
		p := &papers[i]
		eachLeaf(p.data, rm.traces.note, func(n int64) {
			if n > 0 && n <= maxID && rm.items[pack(rm.sp.id, n)] {
				p.about = true
			}
		})
	}
	for _, n := range names {
		rm.traces.note(n.name)
	}
	if err := rm.ctx.Err(); err != nil {
		return err
	}
	rm.traces.match()
	for _, sql := range []string{
		"SELECT text FROM episodes WHERE key BETWEEN ? AND ?",
		"SELECT subject || char(10) || value || char(10) || condition FROM states WHERE key BETWEEN ? AND ?",
		"SELECT subject || char(10) || text FROM events WHERE key BETWEEN ? AND ?",
	} {
		if err := rm.each(sql, func(r *row) error {
			rm.traces.said(r.ColumnText(0))
			return rm.ctx.Err()
		}, rm.sp.lo(), rm.sp.hi()); err != nil {
			return err
		}
	}
	rm.traces.settle()
	for _, p := range papers {
		if err := rm.ctx.Err(); err != nil {
			return err
		}
		data, changed := rm.traces.scrub(p.data, p.about)
		if !changed {
			continue
		}
		if data == nil {
			data = []byte{}
		}
		if err := rm.exec(p.update, data, p.key); err != nil {
			return err
		}
	}
	return rm.removeNames(names)
}

func (rm *removal) papers() (out []paper, err error) {
	for _, q := range []struct{ sel, update string }{
		{"SELECT key, data FROM journal WHERE data IS NOT NULL AND key BETWEEN ? AND ?", "UPDATE journal SET data = ? WHERE key = ?"},
		{"SELECT key, data FROM reports WHERE key BETWEEN ? AND ?", "UPDATE reports SET data = ? WHERE key = ?"},
		{"SELECT episode, error FROM pending WHERE error <> '' AND episode BETWEEN ? AND ?", "UPDATE pending SET error = CAST(? AS TEXT) WHERE episode = ?"},
	} {
		if err := rm.each(q.sel, func(r *row) error {
			out = append(out, paper{update: q.update, key: r.ColumnInt64(0), data: r.ColumnBlob(1, nil)})
			return nil
		}, rm.sp.lo(), rm.sp.hi()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

type entityName struct {
	key   int64
	name  string
	alias bool
}

func (rm *removal) names() (out []entityName, err error) {
	for i, sel := range []string{
		"SELECT key, name FROM entities WHERE key BETWEEN ? AND ?",
		"SELECT entity, name FROM aliases WHERE entity BETWEEN ? AND ?",
	} {
		if err := rm.each(sel, func(r *row) error {
			out = append(out, entityName{r.ColumnInt64(0), r.ColumnText(1), i == 1})
			return nil
		}, rm.sp.lo(), rm.sp.hi()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// removeNames deletes the entities and aliases that only the erased text named,
// unless something that stays is about them.
func (rm *removal) removeNames(names []entityName) error {
	used, err := rm.usedEntities()
	if err != nil {
		return err
	}
	for _, n := range names {
		if !rm.traces.words[fold(n.name)] {
			continue
		}
		if n.alias {
			if err := rm.exec("DELETE FROM aliases WHERE entity = ? AND name = ?", n.key, n.name); err != nil {
				return err
			}
			continue
		}
		if used[n.key] {
			continue
		}
		rm.items[n.key] = true
		if err := rm.exec("DELETE FROM entities WHERE key = ?", n.key); err != nil {
			return err
		}
	}
	return nil
}

// usedEntities are those that a state or event is about.
func (rm *removal) usedEntities() (map[int64]bool, error) {
	keys := map[int64]bool{}
	if err := rm.each("SELECT DISTINCT subject_id FROM states WHERE subject_id > 0 AND key BETWEEN ? AND ?", func(r *row) error {
		keys[rm.sp.key(core.ID(r.ColumnInt64(0)))] = true
		return nil
	}, rm.sp.lo(), rm.sp.hi()); err != nil {
		return nil, err
	}
	err := rm.each("SELECT entities FROM events WHERE key BETWEEN ? AND ?", func(r *row) error {
		var ids []core.ID
		if err := json.Unmarshal(r.ColumnRawText(0), &ids); err != nil {
			return err
		}
		for _, id := range ids {
			keys[rm.sp.key(id)] = true
		}
		return nil
	}, rm.sp.lo(), rm.sp.hi())
	return keys, err
}
