package sqlite

import (
	"context"

	"github.com/orma-memory/orma/core"
)

// Version returns the newest version of a space.
func (s *Store) Version(ctx context.Context, space string) (v core.Version, err error) {
	err = s.inSpace(ctx, space, func(_ *conn, sp *spaceRow) error {
		v = core.Version{Epoch: sp.epoch, Gen: sp.gen}
		return nil
	})
	return v, err
}

// Changes gives the sink what is recallable and newer than after, from one read
// transaction.
func (s *Store) Changes(ctx context.Context, space, embedder string, after core.Version, sink core.Sink) (v core.Version, err error) {
	exists := false
	err = s.inSpace(ctx, space, func(c *conn, sp *spaceRow) error {
		exists = true
		v = core.Version{Epoch: sp.epoch, Gen: sp.gen}
		if v == after {
			return nil
		}
		if after.Epoch != sp.epoch || after.Gen > sp.gen {
			sink.Reset()
			after = core.Version{}
		}
		f := &feed{conn: c, sp: sp, space: space, sink: sink, after: after.Gen}
		return f.run(embedder)
	})
	if err != nil {
		return core.Version{}, err
	}
	if !exists && after != (core.Version{}) {
		sink.Reset()
	}
	return v, nil
}

// feed is one run of Changes.
type feed struct {
	*conn
	sp    *spaceRow
	space string
	sink  core.Sink
	after int64 // generation; 0 gives all
}

func (f *feed) run(embedder string) error {
	if err := f.passages(embedder); err != nil {
		return err
	}
	for _, part := range []func() error{f.entities, f.states, f.events, f.links, f.uses} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// query runs a select over what is new: by stamp, or all of the space by key.
func (f *feed) query(sel, order string, fn func(*row) error) error {
	if f.after == 0 {
		return f.each(sel+order+" BETWEEN ? AND ? ORDER BY "+order, fn, f.sp.lo(), f.sp.hi())
	}
	return f.each(sel+"stamp BETWEEN ? AND ? ORDER BY "+order, fn, pack(f.sp.id, f.after+1), f.sp.hi())
}

func (f *feed) states() error {
	return f.query(selectState+"WHERE hidden = 0 AND ", "key", func(r *row) error {
		st := scanState(r, f.space)
		var err error
		if st.Sources, err = f.sourcesOf(f.sp.key(st.ID)); err != nil {
			return err
		}
		return f.sink.State(&st)
	})
}

func (f *feed) events() error {
	return f.query(selectEvent+"WHERE hidden = 0 AND ", "key", func(r *row) error {
		ev, err := scanEvent(r, f.space)
		if err != nil {
			return err
		}
		if ev.Sources, err = f.sourcesOf(f.sp.key(ev.ID)); err != nil {
			return err
		}
		return f.sink.Event(&ev)
	})
}

func (f *feed) entities() error {
	if f.after == 0 {
		return f.conn.entities(f.space, "WHERE key BETWEEN ? AND ? ORDER BY key", f.sp.lo(), f.sp.hi(), f.sink.Entity)
	}
	return f.conn.entities(f.space, "WHERE stamp BETWEEN ? AND ? ORDER BY key", pack(f.sp.id, f.after+1), f.sp.hi(), f.sink.Entity)
}

func (f *feed) links() error {
	return f.query(selectLink+"WHERE ", "source", func(r *row) error { return f.sink.Link(scanLink(r)) })
}

func (f *feed) uses() error {
	return f.each("SELECT item, kind, at FROM uses WHERE stamp BETWEEN ? AND ? ORDER BY stamp, n", func(r *row) error {
		return f.sink.Use(core.Use{Item: core.ID(r.ColumnInt64(0)), Kind: useKind(r.ColumnRawText(1)), At: when(r, 2)})
	}, pack(f.sp.id, f.after+1), f.sp.hi())
}

// useKind avoids an allocation a use.
func useKind(b []byte) core.UseKind {
	for _, k := range [...]core.UseKind{core.UseRecalled, core.UseStated, core.UseCited} {
		if string(b) == string(k) {
			return k
		}
	}
	return core.UseKind(b)
}
