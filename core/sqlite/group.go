package sqlite

import (
	"encoding/binary"

	"github.com/orma-memory/orma/core"
)

// A group is the episodes of one space that say the same words in the same role:
// doc.go, "Repeats". Its holder has the passages.
type group struct {
	holder  int64    // key
	members []member // by key
}

type member struct {
	key         int64
	quarantined bool
	expires     int64 // microseconds; forever when it never does
	spans       []byte
}

const forever = int64(1<<63 - 1)

// class says which kinds may repeat each other. The same words as a turn and as a
// note are the same words; an identity or a document is something else, and a rule
// must never be swallowed, for it may have been lifted in between. A document
// repeats only its own source, so that taking one source out leaves the other.
func class(k core.Kind, source string) string {
	switch k {
	case core.KindTurn, core.KindNote:
		return "said"
	case core.KindDocument, core.KindTool:
		return string(k) + "\x00" + source
	case core.KindAntiPattern:
		return ""
	default:
		return string(k)
	}
}

// holderOf finds the episode that a draft repeats; 0 is none.
func (a *appender) holderOf(d *core.Draft) (holder int64, err error) {
	e := &d.Episode
	cls := class(e.Kind, e.Source)
	if d.NormHash == [16]byte{} || cls == "" || len(d.Passages) == 0 {
		return 0, nil
	}
	// A different number of passages means that the texts were cut by different
	// rules; then the new one could not stand in for the old.
	err = a.each(`SELECT key, kind, source FROM episodes
		WHERE norm = ? AND repeat_of IS NULL AND key BETWEEN ? AND ? AND role = ? AND speaker = ?
		AND ? = (SELECT count(*) FROM passages WHERE episode = episodes.key) ORDER BY key`, func(r *row) error {
		if holder == 0 && class(core.Kind(r.ColumnText(1)), r.ColumnText(2)) == cls {
			holder = r.ColumnInt64(0)
		}
		return nil
	}, d.NormHash[:], a.sp.lo(), a.sp.hi(), string(e.Role), e.Speaker, len(d.Passages))
	return holder, err
}

// addRepeat counts a repeat that was just inserted, and keeps its text recallable:
// the passages live as long as the longest-lived of the group.
func (a *appender) addRepeat(holder int64, e *core.Episode) error {
	if err := a.each("SELECT key FROM passages WHERE episode = ? ORDER BY seq", func(r *row) error {
		a.uses = append(a.uses, core.Use{Item: idOf(r.ColumnInt64(0)), Kind: core.UseStated, At: e.At})
		return nil
	}, holder); err != nil {
		return err
	}
	hidden, _, err := a.one("SELECT quarantined FROM episodes WHERE key = ?", holder)
	if err != nil {
		return err
	}
	if hidden != 0 || e.Quarantined {
		g, err := a.group(holder)
		if err != nil {
			return err
		}
		return a.settle(a.sp, g)
	}
	// The same, without reading the whole group: "ok" may be said ten thousand times.
	lives, mortal, err := a.one("SELECT lives FROM episodes WHERE key = ?", holder)
	if err != nil {
		return err
	}
	longer := mortal && (e.Expires.IsZero() || micros(e.Expires) > lives)
	if longer {
		err = a.exec("UPDATE episodes SET repeats = repeats + 1, lives = ? WHERE key = ?", e.Expires, holder)
	} else {
		err = a.exec("UPDATE episodes SET repeats = repeats + 1 WHERE key = ?", holder)
	}
	if err != nil {
		return err
	}
	if err := a.exec("UPDATE passages SET stamp = ? WHERE episode = ?", a.sp.stamp(), holder); err != nil || !longer {
		return err
	}
	return a.refreshCiting(a.sp, holder)
}

// group reads the members of a holder's group.
func (c *conn) group(holder int64) (*group, error) {
	g := &group{holder: holder}
	err := c.each(`SELECT key, quarantined, expires, spans FROM episodes WHERE key = ?1 OR repeat_of = ?1 ORDER BY key`, func(r *row) error {
		m := member{key: r.ColumnInt64(0), quarantined: r.ColumnBool(1), expires: forever}
		if t := when(r, 2); !t.IsZero() {
			m.expires = micros(t)
		}
		m.spans = r.ColumnBlob(3, nil)
		g.members = append(g.members, m)
		return nil
	}, holder)
	return g, err
}

// settle makes the first episode of a group that is not quarantined its holder,
// and brings the holder's count and expiry up to date.
func (t *tx) settle(sp *spaceRow, g *group) error {
	holder, lives, repeats := g.members[0].key, int64(0), -1
	found := false
	for _, m := range g.members {
		if m.quarantined {
			continue
		}
		if !found {
			holder, found = m.key, true
		}
		lives = max(lives, m.expires)
		repeats++
	}
	if !found {
		repeats = 0
		for _, m := range g.members {
			lives = max(lives, m.expires)
		}
	}
	if holder != g.holder {
		if err := t.moveHolder(sp, g, holder); err != nil {
			return err
		}
	}
	var expires any
	if lives != forever {
		expires = lives
	}
	if err := t.exec("UPDATE episodes SET repeats = ?, lives = ? WHERE key = ?", repeats, expires, holder); err != nil {
		return err
	}
	if err := t.exec("UPDATE passages SET stamp = ? WHERE episode = ?", sp.stamp(), holder); err != nil {
		return err
	}
	for _, m := range g.members {
		if err := t.refreshCiting(sp, m.key); err != nil {
			return err
		}
	}
	return nil
}

// moveHolder gives the passages to another episode of the group, at the places
// they have in its text.
func (t *tx) moveHolder(sp *spaceRow, g *group, to int64) error {
	var spans []byte
	for _, m := range g.members {
		if m.key == to {
			spans = m.spans
		}
	}
	type place struct{ key, start, stop int64 }
	var places []place
	err := t.each("SELECT key, start, stop FROM passages WHERE episode = ? ORDER BY seq", func(r *row) error {
		places = append(places, place{r.ColumnInt64(0), r.ColumnInt64(1), r.ColumnInt64(2)})
		return nil
	}, g.holder)
	if err != nil {
		return err
	}
	next := unpackSpans(spans)
	if len(next) != len(places) {
		return core.Errorf(core.CodeCorrupt, "episode %d does not fit the one it repeats", idOf(to)).Hinted("run `orma doctor --fix`")
	}
	var old []core.DraftPassage
	for i, p := range places {
		old = append(old, core.DraftPassage{Start: int(p.start), End: int(p.stop)})
		if err := t.exec("UPDATE passages SET episode = ?, start = ?, stop = ?, born = ?, stamp = ? WHERE key = ?",
			to, next[i].Start, next[i].End, sp.gen, sp.stamp(), p.key); err != nil {
			return err
		}
	}
	for i := range g.members {
		m := &g.members[i]
		switch {
		case m.key == to:
			m.spans = nil
			err = t.exec("UPDATE episodes SET repeat_of = NULL, spans = NULL WHERE key = ?", m.key)
		case m.key == g.holder:
			m.spans = packSpans(old)
			err = t.exec("UPDATE episodes SET repeat_of = ?, spans = ?, repeats = 0, lives = expires WHERE key = ?", to, m.spans, m.key)
		default:
			err = t.exec("UPDATE episodes SET repeat_of = ? WHERE key = ?", to, m.key)
		}
		if err != nil {
			return err
		}
	}
	g.holder = to
	return nil
}

// packSpans writes places as varints: start, then length, of each passage.
func packSpans(ps []core.DraftPassage) []byte {
	b := make([]byte, 0, 4*len(ps))
	for i := range ps {
		b = binary.AppendUvarint(b, uint64(ps[i].Start))
		b = binary.AppendUvarint(b, uint64(ps[i].End-ps[i].Start))
	}
	return b
}

func unpackSpans(b []byte) (ps []core.DraftPassage) {
	for len(b) > 0 {
		start, n := binary.Uvarint(b)
		if n <= 0 {
			return ps
		}
		length, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return ps
		}
		b = b[n+m:]
		ps = append(ps, core.DraftPassage{Start: int(start), End: int(start + length)})
	}
	return ps
}
