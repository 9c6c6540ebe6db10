package sqlite

import (
	"encoding/json"

	"github.com/orma-memory/orma/core"
)

const insertState = `INSERT INTO states
	(key, stamp, subject, subject_id, attribute, value, condition, forbidden, valid_from, valid_to, stated, said, recorded,
	 closed, superseded_by, retracted, trust, expires, backend)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`

func (t *tx) insertState(sp *spaceRow, st *core.State) error {
	key := sp.key(st.ID)
	if err := t.exec(insertState, key, sp.stamp(), st.Subject, st.SubjectID, st.Attribute, st.Value, st.Condition,
		st.Forbidden, st.ValidFrom, st.ValidTo, st.Stated, micros(st.Said), micros(st.Recorded), st.Closed,
		st.SupersededBy, st.Retracted, int(st.Trust), st.Expires, st.Backend); err != nil {
		return err
	}
	return t.insertSources(sp, key, 0, st.Sources)
}

const insertEvent = `INSERT INTO events
	(key, stamp, subject, text, start, stop, stated, said, recorded, trust, expires, entities, backend)
	VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`

func (t *tx) insertEvent(sp *spaceRow, ev *core.Event) error {
	ids := ev.Entities
	if ids == nil {
		ids = []core.ID{}
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	key := sp.key(ev.ID)
	if err := t.exec(insertEvent, key, sp.stamp(), ev.Subject, ev.Text, ev.Start, ev.End, ev.Stated, micros(ev.Said),
		micros(ev.Recorded), int(ev.Trust), ev.Expires, string(list), ev.Backend); err != nil {
		return err
	}
	return t.insertSources(sp, key, 0, ev.Sources)
}

// insertSources adds sources behind those the item has. The same line twice is one.
func (t *tx) insertSources(sp *spaceRow, item int64, closing int, sources []core.Source) error {
	n, err := t.count("SELECT coalesce(max(n), 0) FROM sources WHERE item = ? AND closing = ?", item, closing)
	if err != nil {
		return err
	}
	for _, src := range sources {
		n++
		if err := t.exec(`INSERT INTO sources (item, closing, n, episode, passage, start, stop, at)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM sources
				WHERE item = ?1 AND closing = ?2 AND episode = ?4 AND start = ?6 AND stop = ?7)`,
			item, closing, n, sp.key(src.Episode), sp.key(src.Passage), src.Start, src.End, micros(src.At)); err != nil {
			return err
		}
	}
	return nil
}

// refreshCiting brings the items that cite an episode up to date with it.
func (t *tx) refreshCiting(sp *spaceRow, episode int64) error {
	var items []int64
	if err := t.each("SELECT DISTINCT item FROM sources WHERE episode = ? AND closing = 0", func(r *row) error {
		items = append(items, r.ColumnInt64(0))
		return nil
	}, episode); err != nil {
		return err
	}
	for _, item := range items {
		if err := t.refresh(sp, item); err != nil {
			return err
		}
	}
	return nil
}

// refresh works out anew what a state or event has from the lines it rests on:
// whether any is left that is not quarantined, when the newest was said, and how
// long it lives: as long as the longest-lived of the episodes that say those words.
func (t *tx) refresh(sp *spaceRow, item int64) error {
	var visible, said int64
	var expires any
	err := t.each(`SELECT count(*), max(s.at), max(coalesce(h.lives, ?2)) FROM sources s
		JOIN episodes e ON e.key = s.episode JOIN episodes h ON h.key = coalesce(e.repeat_of, e.key)
		WHERE s.item = ?1 AND s.closing = 0 AND e.quarantined = 0`, func(r *row) error {
		visible, said = r.ColumnInt64(0), r.ColumnInt64(1)
		if lives := r.ColumnInt64(2); lives != forever {
			expires = lives
		}
		return nil
	}, item, forever)
	if err != nil {
		return err
	}
	for _, table := range []string{
		"UPDATE states SET hidden = 1, stamp = ?2 WHERE key = ?1 AND hidden = 0",
		"UPDATE events SET hidden = 1, stamp = ?2 WHERE key = ?1 AND hidden = 0",
	} {
		if visible > 0 {
			break
		}
		if err := t.exec(table, item, sp.stamp()); err != nil {
			return err
		}
	}
	if visible == 0 {
		return nil
	}
	for _, table := range []string{
		`UPDATE states SET hidden = 0, said = ?2, expires = ?3, stamp = ?4
			WHERE key = ?1 AND (hidden = 1 OR said <> ?2 OR expires IS NOT ?3)`,
		`UPDATE events SET hidden = 0, said = ?2, expires = ?3, stamp = ?4
			WHERE key = ?1 AND (hidden = 1 OR said <> ?2 OR expires IS NOT ?3)`,
	} {
		if err := t.exec(table, item, said, expires, sp.stamp()); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) insertUses(sp *spaceRow, uses []core.Use) error {
	if len(uses) == 0 {
		return nil
	}
	// Calls that share a transaction may share a generation too.
	n, err := t.count("SELECT coalesce(max(n), 0) FROM uses WHERE stamp = ?", sp.stamp())
	if err != nil {
		return err
	}
	for i, u := range uses {
		if err := t.exec("INSERT INTO uses (stamp, n, item, kind, at) VALUES (?, ?, ?, ?, ?)",
			sp.stamp(), n+1+i, u.Item, string(u.Kind), micros(u.At)); err != nil {
			return err
		}
	}
	return nil
}
