package sqlite

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/orma-memory/orma/core"
)

// closing says how a state ended. The zero closing is that of an open state.
type closing struct {
	Closed    int64   `json:"closed"` // microseconds
	ValidTo   string  `json:"valid_to"`
	By        core.ID `json:"by"` // the state that replaced it
	Retracted bool    `json:"retracted"`
}

// ending is what decides whether a state's closing counts. When the line or state
// that ended it is quarantined, the state stands again; then what was recorded is
// held until the quarantine is lifted.
type ending struct {
	key      int64
	hidden   bool
	recorded closing
	shown    closing
	held     bool
	lines    int // lines that ended it
	visible  int // of these, not quarantined
}

// endings are the states of a space by ID.
type endings map[core.ID]*ending

func (c *conn) endings(sp *spaceRow) (endings, error) {
	es := endings{}
	err := c.each(`SELECT key, hidden, closed, valid_to, superseded_by, retracted, held,
		(SELECT count(*) FROM sources s WHERE s.item = states.key AND s.closing = 1),
		(SELECT count(*) FROM sources s JOIN episodes e ON e.key = s.episode
			WHERE s.item = states.key AND s.closing = 1 AND e.quarantined = 0)
		FROM states WHERE key BETWEEN ? AND ?`, func(r *row) error {
		e := &ending{key: r.ColumnInt64(0), hidden: r.ColumnBool(1), lines: r.ColumnInt(7), visible: r.ColumnInt(8)}
		e.shown = closing{r.ColumnInt64(2), r.ColumnText(3), core.ID(r.ColumnInt64(4)), r.ColumnBool(5)}
		e.recorded = e.shown
		if held := r.ColumnRawText(6); held != nil {
			e.held = true
			if err := json.Unmarshal(held, &e.recorded); err != nil {
				return err
			}
		}
		es[idOf(e.key)] = e
		return nil
	}, sp.lo(), sp.hi())
	return es, err
}

// effective is the closing that counts now: the recorded one, or, when what ended
// the state is hidden, that of what came after it.
func (es endings) effective(e *ending) closing {
	seen := map[core.ID]bool{}
	c := e.recorded
	for c.Closed != 0 && !c.Retracted && c.By != 0 {
		next := es[c.By]
		if next == nil || seen[c.By] {
			return closing{}
		}
		if !next.hidden {
			return c
		}
		seen[c.By] = true
		c = next.recorded
		c.Retracted = false
		if c.By == 0 {
			return closing{} // ended for a reason of its own, which says nothing of this one
		}
	}
	if c.Closed != 0 && !c.Retracted && e.lines > 0 && e.visible == 0 {
		return closing{}
	}
	return c
}

// settleEndings writes the closings that count now.
func (t *tx) settleEndings(sp *spaceRow, es endings) error {
	for _, id := range slices.Sorted(maps.Keys(es)) {
		e := es[id]
		now := es.effective(e)
		hold := now != e.recorded
		if now == e.shown && hold == e.held {
			continue
		}
		var held, closed any
		if hold {
			b, err := json.Marshal(e.recorded)
			if err != nil {
				return err
			}
			held = string(b)
		}
		if now.Closed != 0 {
			closed = now.Closed
		}
		if err := t.exec(`UPDATE states SET closed = ?, valid_to = ?, superseded_by = ?, retracted = ?, held = ?, stamp = ? WHERE key = ?`,
			closed, now.ValidTo, now.By, now.Retracted, held, sp.stamp(), e.key); err != nil {
			return err
		}
	}
	return nil
}

// forgetEndings takes removed states out, as if they had never been: what one had
// replaced is now replaced by what replaced it, or stands again. es is as it was
// before the removal.
func (t *tx) forgetEndings(sp *spaceRow, es endings, removed map[int64]bool) error {
	for _, id := range slices.Sorted(maps.Keys(es)) {
		e := es[id]
		if removed[e.key] {
			continue
		}
		c := es.without(e.recorded, removed)
		if c == e.recorded && c.By == 0 && c.Closed != 0 && !c.Retracted && e.lines > 0 {
			// Ended by a line, not a state: without the line it stands again.
			left, err := t.count("SELECT count(*) FROM sources WHERE item = ? AND closing = 1", e.key)
			if err != nil {
				return err
			}
			if left == 0 {
				c = closing{}
			}
		}
		if c == e.recorded {
			continue
		}
		var closed any
		if c.Closed != 0 {
			closed = c.Closed
		}
		if err := t.exec(`UPDATE states SET closed = ?, valid_to = ?, superseded_by = ?, retracted = ?, held = NULL, stamp = ? WHERE key = ?`,
			closed, c.ValidTo, c.By, c.Retracted, sp.stamp(), e.key); err != nil {
			return err
		}
	}
	now, err := t.endings(sp)
	if err != nil {
		return err
	}
	return t.settleEndings(sp, now)
}

// without is a closing when the removed states had never been.
func (es endings) without(c closing, removed map[int64]bool) closing {
	for range len(es) + 1 {
		by := es[c.By]
		switch {
		case c.By == 0 || by != nil && !removed[by.key]:
			return c
		case c.Retracted: // taken back by command: it stays so, whatever had replaced it
			c.By = 0
			return c
		case by == nil || by.recorded.By == 0:
			return closing{}
		}
		c = by.recorded
		c.Retracted = false
	}
	return closing{}
}
