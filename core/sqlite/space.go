package sqlite

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// findSpace reads a space; ok is false when there is none of that name.
func (c *conn) findSpace(name string) (sp *spaceRow, ok bool, err error) {
	err = c.first("SELECT id, epoch, gen FROM spaces WHERE name = ?", func(r *row) {
		sp, ok = &spaceRow{id: r.ColumnInt64(0), epoch: r.ColumnInt64(1), gen: r.ColumnInt64(2)}, true
	}, name)
	return sp, ok, err
}

// inSpace runs fn in a read transaction if the space exists.
func (s *Store) inSpace(ctx context.Context, name string, fn func(*conn, *spaceRow) error) error {
	return s.read(ctx, func(c *conn) error {
		sp, ok, err := c.findSpace(name)
		if err != nil || !ok {
			return err
		}
		return fn(c, sp)
	})
}

// touch returns the space in a new generation. It fails when there is none.
func (t *tx) touch(name string) (*spaceRow, error) {
	sp, ok, err := t.findSpace(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, core.Errorf(core.CodeNotFound, "no space %q", name)
	}
	sp.gen++
	if sp.gen > maxID {
		return nil, core.Errorf(core.CodeLimit, "space %q was written too often", name)
	}
	return sp, t.exec("UPDATE spaces SET gen = ? WHERE id = ?", sp.gen, sp.id)
}

// makeSpace is touch for a space that may be new.
func (t *tx) makeSpace(name string) (*spaceRow, error) {
	if _, ok, err := t.findSpace(name); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return t.touch(name)
	}
	if name == "" {
		return nil, core.Errorf(core.CodeInvalid, "a space needs a name")
	}
	if err := t.roomForSpace(); err != nil {
		return nil, err
	}
	epoch, err := t.next("epoch", 1)
	if err != nil {
		return nil, err
	}
	id, _, err := t.one("INSERT INTO spaces (name, epoch, gen) VALUES (?, ?, 1) RETURNING id", name, epoch)
	if err != nil {
		return nil, err
	}
	if id > maxSpaces {
		return nil, core.Errorf(core.CodeLimit, "the database has had %d spaces, which is the most", maxSpaces)
	}
	return &spaceRow{id: id, epoch: epoch, gen: 1}, nil
}

// roomForSpace refuses a space above the limit.
func (t *tx) roomForSpace() error {
	if t.opt == nil || t.opt.Spaces == 0 {
		return nil
	}
	n, _, err := t.one("SELECT coalesce(max(id), 0) FROM spaces") // at least as many as there are
	if err == nil && n >= int64(t.opt.Spaces) {
		n, _, err = t.one("SELECT count(*) FROM spaces")
	}
	if err == nil && n >= int64(t.opt.Spaces) {
		return core.Errorf(core.CodeLimit, "there are %d spaces, and limits.spaces = %d", n, t.opt.Spaces).
			Hinted("use a space that is there, erase one, or raise the limit")
	}
	return err
}

// roomForEpisodes refuses n episodes that would be above the limit of a space.
func (t *tx) roomForEpisodes(name string, sp *spaceRow, n int) error {
	if t.opt == nil || t.opt.SpaceEpisodes == 0 {
		return nil
	}
	have, _, err := t.one("SELECT episodes FROM spaces WHERE id = ?", sp.id)
	if err == nil && have+int64(n) > int64(t.opt.SpaceEpisodes) {
		return core.Errorf(core.CodeLimit, "space %q has %d episodes, and %d more would be over limits.space_episodes = %d", name, have, n, t.opt.SpaceEpisodes).
			Hinted("use another space, erase what is not needed, or raise the limit")
	}
	return err
}

// newEpoch tells every reader of the space to begin from nothing.
func (t *tx) newEpoch(sp *spaceRow) error {
	epoch, err := t.next("epoch", 1)
	if err != nil {
		return err
	}
	sp.epoch = epoch
	for _, sql := range []string{
		"DELETE FROM snapshots WHERE space = ?",
		// Answers given to clients may quote what is taken out.
		"DELETE FROM requests WHERE space = (SELECT name FROM spaces WHERE id = ?)",
	} {
		if err := t.exec(sql, sp.id); err != nil {
			return err
		}
	}
	return t.exec("UPDATE spaces SET epoch = ? WHERE id = ?", epoch, sp.id)
}

// next takes n numbers of a counter and returns the first.
func (t *tx) next(counter string, n int) (int64, error) {
	last, _, err := t.one("UPDATE counters SET value = value + ? WHERE name = ? RETURNING value", n, counter)
	if err != nil {
		return 0, err
	}
	if last > maxID {
		return 0, core.Errorf(core.CodeLimit, "the database has no numbers left")
	}
	return last - int64(n) + 1, nil
}

// ReserveIDs returns the first of n consecutive IDs that no item will get.
func (s *Store) ReserveIDs(ctx context.Context, n int) (core.ID, error) {
	if n < 1 {
		return 0, core.Errorf(core.CodeInvalid, "cannot reserve %d ids", n)
	}
	var first int64
	err := s.write(ctx, func(t *tx) (err error) {
		first, err = t.next("id", n)
		return err
	})
	return core.ID(first), err
}
