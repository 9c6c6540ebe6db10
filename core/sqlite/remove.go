package sqlite

import (
	"context"
	"maps"
	"slices"

	"github.com/orma-memory/orma/core"
)

// removal takes episodes and what rests on them out of a space.
type removal struct {
	*tx
	ctx      context.Context // of the call, which may end amid much to remove
	sp       *spaceRow
	episodes map[int64]bool
	items    map[int64]bool // keys of everything that goes, of any kind
	states   map[int64]bool
	traces   *traces
	receipt  core.Receipt
}

// remove deletes the episodes with their passages, and the states and events that
// rest on nothing else.
func (rm *removal) remove() error {
	es, err := rm.endings(rm.sp)
	if err != nil {
		return err
	}
	cited, err := rm.cited()
	if err != nil {
		return err
	}
	for key := range rm.episodes {
		if err := rm.exec("DELETE FROM sources WHERE episode = ?", key); err != nil {
			return err
		}
	}
	var keep []int64
	for _, item := range cited {
		if err := rm.ctx.Err(); err != nil {
			return err
		}
		left, err := rm.count("SELECT count(*) FROM sources WHERE item = ? AND closing = 0", item)
		if err != nil {
			return err
		}
		if left > 0 {
			keep = append(keep, item)
		} else if err := rm.removeItem(item); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rm.episodes)) {
		if err := rm.ctx.Err(); err != nil {
			return err
		}
		if err := rm.removeEpisode(key); err != nil {
			return err
		}
	}
	for _, item := range keep {
		if err := rm.ctx.Err(); err != nil {
			return err
		}
		if err := rm.refresh(rm.sp, item); err != nil {
			return err
		}
	}
	return rm.forgetEndings(rm.sp, es, rm.states)
}

// cited returns the states and events that rest on the episodes.
func (rm *removal) cited() ([]int64, error) {
	items := map[int64]bool{}
	for key := range rm.episodes {
		if err := rm.each("SELECT item FROM sources WHERE episode = ? AND closing = 0", func(r *row) error {
			items[r.ColumnInt64(0)] = true
			return nil
		}, key); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(items)), nil
}

// removeItem deletes a state or an event.
func (rm *removal) removeItem(key int64) error {
	rm.items[key] = true
	if err := rm.each("SELECT subject, value, condition FROM states WHERE key = ?", func(r *row) error {
		rm.states[key] = true
		rm.receipt.States++
		for col := range 3 {
			rm.traces.piece(r.ColumnText(col))
		}
		return nil
	}, key); err != nil {
		return err
	}
	if err := rm.each("SELECT subject, text FROM events WHERE key = ?", func(r *row) error {
		rm.receipt.Events++
		rm.traces.piece(r.ColumnText(0))
		rm.traces.piece(r.ColumnText(1))
		return nil
	}, key); err != nil {
		return err
	}
	for _, sql := range []string{
		"DELETE FROM states WHERE key = ?",
		"DELETE FROM events WHERE key = ?",
		"DELETE FROM sources WHERE item = ?",
	} {
		if err := rm.exec(sql, key); err != nil {
			return err
		}
	}
	return nil
}

func (rm *removal) removeEpisode(key int64) error {
	rm.items[key] = true
	var text string
	if err := rm.each("SELECT text, repeat_of IS NOT NULL FROM episodes WHERE key = ?", func(r *row) error {
		text = r.ColumnText(0)
		rm.traces.text(text)
		return nil
	}, key); err != nil {
		return err
	}
	var passages []int64
	if err := rm.each("SELECT key, start, stop FROM passages WHERE episode = ?", func(r *row) error {
		passages = append(passages, r.ColumnInt64(0))
		if start, stop := r.ColumnInt(1), r.ColumnInt(2); start >= 0 && start <= stop && stop <= len(text) {
			rm.traces.piece(text[start:stop])
		}
		return nil
	}, key); err != nil {
		return err
	}
	for _, p := range passages {
		rm.items[p] = true
		n, err := rm.removePassage(p)
		if err != nil {
			return err
		}
		rm.receipt.Passages++
		rm.receipt.Vectors += n
	}
	if err := rm.exec("DELETE FROM pending WHERE (space, at, episode) IN (SELECT ?, at, key FROM episodes WHERE key = ?)", rm.sp.id, key); err != nil {
		return err
	}
	return rm.exec("DELETE FROM episodes WHERE key = ?", key)
}

// removePassage deletes a passage from its table, the full text index and the
// vectors, and returns how many of these there were.
func (t *tx) removePassage(key int64) (vectors int, err error) {
	if err := t.exec("DELETE FROM passages WHERE key = ?", key); err != nil {
		return 0, err
	}
	if err := t.exec("DELETE FROM fulltext WHERE rowid = ?", idOf(key)); err != nil {
		return 0, err
	}
	embs, err := t.embedderIDs()
	if err != nil {
		return 0, err
	}
	for _, emb := range embs {
		if err := t.exec("DELETE FROM vectors WHERE key = ?", vectorKey(emb, key)); err != nil {
			return 0, err
		}
		vectors += int(t.c.Changes())
	}
	return vectors, nil
}

// removeLinksAndUses deletes what points to anything that went.
func (rm *removal) removeLinksAndUses() error {
	for _, key := range slices.Sorted(maps.Keys(rm.items)) {
		if err := rm.ctx.Err(); err != nil {
			return err
		}
		if err := rm.exec("DELETE FROM links WHERE source = ?", key); err != nil {
			return err
		}
		if err := rm.exec("DELETE FROM links WHERE target = ?", key); err != nil {
			return err
		}
	}
	return rm.removeUses()
}

// removeUses deletes what was noted of the use of anything that went.
func (rm *removal) removeUses() error {
	type use struct{ stamp, n int64 }
	var uses []use
	if err := rm.each("SELECT stamp, n, item FROM uses WHERE stamp BETWEEN ? AND ?", func(r *row) error {
		if rm.items[pack(rm.sp.id, r.ColumnInt64(2))] {
			uses = append(uses, use{r.ColumnInt64(0), r.ColumnInt64(1)})
		}
		return nil
	}, rm.sp.lo(), rm.sp.hi()); err != nil {
		return err
	}
	for _, u := range uses {
		if err := rm.exec("DELETE FROM uses WHERE stamp = ? AND n = ?", u.stamp, u.n); err != nil {
			return err
		}
	}
	rm.receipt.Uses = len(uses)
	return nil
}

// recount works the running counts of a space out anew.
func (t *tx) recount(sp *spaceRow) error {
	return t.exec(`UPDATE spaces SET (episodes, repeats, first, last) =
			(SELECT count(*), count(repeat_of), min(at), max(at) FROM episodes WHERE key BETWEEN ?1 AND ?2),
		(passages, terms) = (SELECT count(*), coalesce(sum(terms), 0) FROM passages WHERE key BETWEEN ?1 AND ?2)
		WHERE id = ?3`, sp.lo(), sp.hi(), sp.id)
}
