package history

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash/maphash"
	"slices"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// target is a space that is imported into.
type target struct {
	m     Memory
	space string
	fresh bool // nothing was in it before

	ids   map[core.ID]core.ID // what an n of the file became
	known map[[32]byte]core.ID
	seen  map[uint64]bool // keys of this import, hashed
	seed  maphash.Seed

	sources map[string]bool // of what was added
	first   core.ID         // of what was added; 0: nothing yet
}

// twice reports whether an episode's key was there before, or seems so: the store
// knows then.
func (t *target) twice(in *engine.Input) bool {
	if in.Key == "" {
		return false
	}
	sum := maphash.String(t.seed, in.Source+"\x00"+in.Key)
	old := t.seen[sum]
	t.seen[sum] = true
	return old
}

// stored remembers what an episode became.
func (t *target) stored(w *waiting, a *engine.Added) {
	if w.n != 0 {
		t.ids[w.n] = a.ID
	}
	t.sources[w.Source] = true
	if t.first == 0 {
		t.first = a.ID
	}
}

// earlier returns the sources of what was added that had episodes before. When that cannot be
// read, it is all of them.
func (t *target) earlier(ctx context.Context) (map[string]bool, error) {
	if t.fresh {
		return nil, nil
	}
	had := map[string]bool{}
	for ep, err := range t.m.Store().Scan(ctx, t.space, 0) {
		if err != nil {
			return t.sources, err
		}
		if ep.ID >= t.first || len(had) == len(t.sources) {
			break
		}
		if t.sources[ep.Source] {
			had[ep.Source] = true
		}
	}
	return had, nil
}

// unnamed looks for an episode without a key: one said at the same time by the same.
func (t *target) unnamed(ctx context.Context, in *engine.Input) (core.ID, bool, error) {
	if t.known == nil {
		t.known = map[[32]byte]core.ID{}
		for ep, err := range t.m.Store().Scan(ctx, t.space, 0) {
			if err != nil {
				return 0, false, err
			}
			if ep.Key == "" {
				t.known[print(ep.At, ep.Role, ep.Speaker, ep.Source, ep.Text)] = ep.ID
			}
		}
	}
	id, ok := t.known[print(in.At, in.Role, in.Speaker, in.Source, in.Text)]
	return id, ok, nil
}

func print(at time.Time, role core.Role, speaker, source, text string) [32]byte {
	b := at.UTC().AppendFormat(nil, time.RFC3339Nano)
	for _, s := range []string{string(role), speaker, source, text} {
		b = append(append(b, 0), s...)
	}
	return sha256.Sum256(b)
}

// command carries out a row that is no episode. It returns false when the store knows
// it already.
func (t *target) command(ctx context.Context, kind string, line []byte) (bool, error) {
	switch kind {
	case typeState:
		return read(line, func(r *stateRow) (bool, error) { return t.state(ctx, r) })
	case typeClose:
		return read(line, func(r *closeRow) (bool, error) { return t.close(ctx, r) })
	}
	return read(line, func(r *journalRow) (bool, error) { return t.journal(ctx, r) })
}

func read[T any](line []byte, do func(*T) (bool, error)) (bool, error) {
	var r T
	if err := json.Unmarshal(line, &r); err != nil {
		return false, explain(line, err)
	}
	return do(&r)
}

// state makes a fact, unless the store has it: the rule of an episode, or one of an
// earlier import.
func (t *target) state(ctx context.Context, r *stateRow) (bool, error) {
	st, err := t.stateOf(ctx, r)
	if err != nil {
		return false, err
	}
	have, err := t.m.Store().States(ctx, t.space, core.StateFilter{Subject: st.Subject, Attribute: st.Attribute, Hidden: true})
	if err != nil {
		return false, err
	}
	for i := range have {
		if same(&have[i], &st) {
			t.ids[r.N] = have[i].ID
			return false, nil
		}
	}
	if st.ID, err = t.m.Store().ReserveIDs(ctx, 1); err != nil {
		return false, err
	}
	t.ids[r.N] = st.ID
	return true, t.apply(ctx, &core.Plan{Space: t.space, At: st.Recorded, States: []core.State{st}, Restore: true})
}

// same reports whether two states say the same because of the same episode. When it
// was last said may differ: repeats that come later in the file count too.
func same(a, b *core.State) bool {
	return a.Value == b.Value && a.Condition == b.Condition && a.Forbidden == b.Forbidden &&
		len(a.Sources) > 0 && len(b.Sources) > 0 && a.Sources[0].Episode == b.Sources[0].Episode
}

// apply carries out a plan. What does not fit the store is the row's fault.
func (t *target) apply(ctx context.Context, p *core.Plan) error {
	err := t.m.Store().Apply(ctx, p)
	if errors.Is(err, core.ErrConflict) {
		return core.Errorf(core.CodeInvalid, "%w", err)
	}
	return err
}

func (t *target) stateOf(ctx context.Context, r *stateRow) (core.State, error) {
	st := core.State{
		Space: t.space, Subject: r.Subject, Attribute: r.Attribute, Value: r.Value, Condition: r.Condition, Forbidden: r.Forbidden,
		ValidFrom: r.ValidFrom, Stated: r.Stated, Backend: r.Backend,
	}
	if r.Subject == "" || r.Attribute == "" || !byCommand(&st) {
		return st, core.Errorf(core.CodeInvalid, "a state needs a subject, an attribute, and a backend of command or import")
	}
	trust, ok := core.ParseTrust(r.Trust)
	if !ok {
		return st, core.Errorf(core.CodeInvalid, "trust %q is not known", r.Trust)
	}
	st.Trust = trust
	for _, x := range []struct {
		key string
		m   moment
		to  *time.Time
	}{{"said", r.Said, &st.Said}, {"recorded", r.Recorded, &st.Recorded}, {"expires", r.Expires, &st.Expires}} {
		var err error
		if *x.to, err = x.m.time(time.UTC); err != nil {
			return st, core.Errorf(core.CodeInvalid, "%s: %w", x.key, err)
		}
	}
	for _, s := range r.Sources {
		src, err := t.source(ctx, s)
		if err != nil {
			return st, err
		}
		st.Sources = append(st.Sources, src)
	}
	return st, nil
}

func (t *target) source(ctx context.Context, r sourceRow) (core.Source, error) {
	src := core.Source{Episode: t.ids[r.Episode], Start: r.Start, End: r.End}
	if src.Episode == 0 {
		return src, core.Errorf(core.CodeInvalid, "it rests on episode %d, which is not in this file above it", r.Episode)
	}
	var err error
	if src.At, err = r.At.time(time.UTC); err != nil {
		return src, core.Errorf(core.CodeInvalid, "at: %w", err)
	}
	ps, err := t.m.Store().PassagesOf(ctx, t.space, []core.ID{src.Episode})
	for _, p := range ps {
		if p.Start <= r.Start && r.End <= p.End {
			src.Passage = p.ID
		}
	}
	return src, err
}

func (t *target) close(ctx context.Context, r *closeRow) (bool, error) {
	id := t.ids[r.State]
	states, err := t.m.Store().States(ctx, t.space, core.StateFilter{IDs: []core.ID{id}, Hidden: true})
	if err != nil {
		return false, err
	}
	if id == 0 || len(states) == 0 {
		return false, core.Errorf(core.CodeInvalid, "it ends fact %d, which is not in this file above it", r.State)
	}
	if !states[0].Closed.IsZero() {
		return false, nil
	}
	at, err := r.At.time(time.UTC)
	if err != nil {
		return false, core.Errorf(core.CodeInvalid, "at: %w", err)
	}
	return true, t.apply(ctx, &core.Plan{Space: t.space, At: at, Restore: true, Close: []core.Closing{{
		State: id, ValidTo: r.ValidTo, SupersededBy: t.ids[r.SupersededBy], Retracted: r.Retracted,
	}}})
}

// journal records what was commanded, unless the journal has it. What came of it is in
// other rows.
func (t *target) journal(ctx context.Context, r *journalRow) (bool, error) {
	at, err := r.At.time(time.UTC)
	if err != nil || !kept(r.Op) {
		return false, core.Errorf(core.CodeInvalid, "a journal row needs at and an op such as forget")
	}
	entries, err := t.m.Store().Entries(ctx, t.space, r.Op)
	if err != nil {
		return false, err
	}
	var data bytes.Buffer
	if err := json.Compact(&data, r.Data); err != nil {
		return false, core.Errorf(core.CodeInvalid, "data: %w", err)
	}
	if slices.ContainsFunc(entries, func(e core.Entry) bool { return e.At.Equal(at) && bytes.Equal(e.Data, data.Bytes()) }) {
		return false, nil
	}
	return true, t.m.Store().Record(ctx, t.space, core.Entry{At: at, Op: r.Op, Data: data.Bytes()})
}
