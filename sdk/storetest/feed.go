package storetest

import (
	"errors"
	"fmt"

	"github.com/orma-memory/orma/core"
)

var feedChecks = []check{
	{"a passage comes with all of its episode", func(h *harness) {
		a := h.add("a", "One here. Two there.", kind(core.KindNote), speaking("Mira"), from("file:x"), until(day(3)), vectors("e"))
		e := must[core.Episode](h)(h.Episode(h.Context(), "a", a.ID))
		m := fresh(h, "a", "e")
		h.equal("passage", m.passages[a.Passages[1]], core.FeedPassage{
			Passage: core.Passage{ID: a.Passages[1], Episode: a.ID, Seq: 1, Start: 10, End: 20},
			Kind:    e.Kind, Role: e.Role, Speaker: "Mira", Source: "file:x", Trust: e.Trust, At: t0, Expires: day(3),
			Text: "Two there.", Vector: vectorOf("Two there."), Episodes: 2,
		})
		h.equal("of another embedder", fresh(h, "a", "f").passages[a.Passages[1]].Vector, []byte(nil))
	}},
	{"only what is new comes, and nothing when nothing is", func(h *harness) {
		m := newMirror("a", "")
		m.follow(h)
		h.equal("version of no space", m.at, core.Version{})
		h.equal("resets", m.resets, 0)
		for i := range 5 {
			h.add("a", fmt.Sprintf("Text %d.", i))
			h.add("b", fmt.Sprintf("Text %d.", i))
			was := len(m.passages)
			m.follow(h)
			h.equal("new passages", len(m.passages)-was, 1)
			v := m.at
			m.follow(h)
			h.equal("version", m.at, v)
		}
		h.equal("resets", m.resets, 1)
	}},
	{"another handle's write is seen", func(h *harness) {
		m := fresh(h, "a", "")
		other := h.another()
		_, err := other.Append(h.Context(), "a", []core.Draft{draft("From afar.")})
		h.ok(err)
		m.follow(h)
		h.equal("texts", m.texts(), []string{"From afar."})
	}},
	{"a strange version begins from nothing", func(h *harness) {
		h.add("a", "One.")
		for _, v := range []core.Version{{Epoch: 999, Gen: 1}, {Epoch: 0, Gen: 5}, {Epoch: m1(h).Epoch, Gen: 1 << 30}} {
			m := newMirror("a", "")
			m.at = v
			m.follow(h)
			h.equal("resets", m.resets, 1)
			h.equal("texts", m.texts(), []string{"One."})
		}
	}},
	{"a sink's error stops the feed and comes back", func(h *harness) {
		h.add("a", "One. Two.")
		boom := errors.New("boom")
		s := &failing{mirror: newMirror("a", ""), err: boom}
		v, err := h.Changes(h.Context(), "a", "", core.Version{}, s)
		if !errors.Is(err, boom) || v != (core.Version{}) || s.calls != 1 {
			h.Errorf("got %v, %v after %d calls", v, err, s.calls)
		}
		h.equal("texts", fresh(h, "a", "").texts(), []string{"One.", "Two."})
	}},
	{"a sink may use the store", func(h *harness) {
		h.add("a", "One. Two.")
		s := &nosy{mirror: newMirror("a", ""), h: h}
		_, err := h.Changes(h.Context(), "a", "", core.Version{}, s)
		h.ok(err)
	}},
	{"facts come new, changed and closed", func(h *harness) {
		m := newMirror("a", "")
		a := h.add("a", "I live in Pune.")
		m.follow(h)
		st := h.state("a", "lives_in", "Pune", source(a, "I live in Pune.", t0))
		ent := must[core.ID](h)(h.ReserveIDs(h.Context(), 1))
		h.apply(&core.Plan{Space: "a", States: []core.State{st}, Entities: []core.Entity{{ID: ent, Name: "Pune"}}, Links: []core.Link{{From: ent, To: st.ID, Weight: 0.5, At: t0}}})
		m.follow(h)
		m.same(h, "made", fresh(h, "a", ""))
		h.apply(&core.Plan{
			Space: "a", Close: []core.Closing{{State: st.ID, ValidTo: "2026-04-01", Retracted: true}},
			Aliases: []core.Alias{{Entity: ent, Name: "Poona"}}, Links: []core.Link{{From: ent, To: st.ID, Weight: 2, At: day(2)}},
			Uses: []core.Use{{Item: st.ID, Kind: core.UseCited, At: day(2)}},
		})
		m.follow(h)
		m.same(h, "changed", fresh(h, "a", ""))
		if got := m.states[st.ID]; !got.Retracted || got.ValidTo != "2026-04-01" || got.Closed.IsZero() {
			h.Errorf("state %+v", got)
		}
		h.equal("aliases", m.entities[ent].Aliases, []string{"Poona"})
		h.equal("weight", m.links[[2]core.ID{ent, st.ID}].Weight, float32(2))
		h.equal("resets", m.resets, 1)
	}},
	{"a snapshot is kept for its epoch", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "One.")
		v := m1(h)
		big := make([]byte, 3<<20+17)
		for i := range big {
			big[i] = byte(i * 7 >> 3)
		}
		for _, data := range [][]byte{{}, {1, 2}, big} {
			h.ok(h.SaveSnapshot(ctx, "a", "text", v, data))
			got, gv, ok, err := h.Snapshot(ctx, "a", "text")
			h.ok(err)
			h.equal("snapshot", ok && gv == v && string(got) == string(data), true)
		}
		h.equal("version", m1(h), v)
		for what, f := range map[string]func() ([]byte, core.Version, bool, error){
			"another name":  func() ([]byte, core.Version, bool, error) { return h.Snapshot(ctx, "a", "other") },
			"another space": func() ([]byte, core.Version, bool, error) { return h.Snapshot(ctx, "b", "text") },
		} {
			_, _, ok, err := f()
			h.ok(err)
			h.equal(what, ok, false)
		}
		h.add("a", "Two.")
		_, gv, ok, err := h.Snapshot(ctx, "a", "text")
		h.ok(err)
		h.equal("after a write", ok && gv == v, true)
		must[core.Receipt](h)(h.Erase(ctx, "a", a.ID, t0))
		_, _, ok, err = h.Snapshot(ctx, "a", "text")
		h.ok(err)
		h.equal("after erase", ok, false)
		h.ok(h.SaveSnapshot(ctx, "a", "text", v, big))
		_, _, ok, err = h.Snapshot(ctx, "a", "text")
		h.ok(err)
		h.equal("saved late", ok, false)
	}},
}

func m1(h *harness) core.Version {
	h.Helper()
	return must[core.Version](h)(h.Version(h.Context(), "a"))
}

type failing struct {
	*mirror
	err   error
	calls int
}

func (f *failing) Passage(*core.FeedPassage) error { f.calls++; return f.err }

type nosy struct {
	*mirror
	h *harness
}

func (n *nosy) Passage(p *core.FeedPassage) error {
	_, err := n.h.Episode(n.h.Context(), n.space, p.Episode)
	return err
}

var vectorChecks = []check{
	{"missing vectors are listed and filled", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "One. Two.", speaking("Mira"))
		b := h.add("b", "Three.")
		c := h.add("a", "Four.", vectors("e"))
		m := newMirror("a", "e")
		m.follow(h)
		missing := must[[]core.PassageText](h)(h.MissingVectors(ctx, "", "e", 0, 10))
		h.equal("missing", missing, []core.PassageText{
			{ID: a.Passages[0], Space: "a", Speaker: "Mira", Text: "One."}, {ID: a.Passages[1], Space: "a", Speaker: "Mira", Text: "Two."},
			{ID: b.Passages[0], Space: "b", Text: "Three."},
		})
		h.equal("paged", must[[]core.PassageText](h)(h.MissingVectors(ctx, "", "e", a.Passages[0], 1)), missing[1:2])
		h.equal("of a space", must[[]core.PassageText](h)(h.MissingVectors(ctx, "b", "e", 0, 10)), missing[2:])
		h.equal("of a new embedder", len(must[[]core.PassageText](h)(h.MissingVectors(ctx, "", "f", 0, 10))), 4)
		h.ok(h.PutVectors(ctx, "a", "e", []core.ID{a.Passages[1], 99999, b.Passages[0]}, [][]byte{{1}, {2}, {3}}))
		m.follow(h) // the mirror checks NewOnly
		h.equal("vector", m.passages[a.Passages[1]].Vector, []byte{1})
		m.same(h, "feed", fresh(h, "a", "e"))
		h.equal("embedders", must[map[string]int](h)(h.Embedders(ctx)), map[string]int{"e": 2})
		h.ok(h.PutVectors(ctx, "a", "f", c.Passages, [][]byte{{9}}))
		h.ok(h.DropVectors(ctx, "e"))
		m.follow(h)
		h.equal("after dropping", m.passages[a.Passages[1]].Vector, []byte(nil))
		h.equal("embedders", must[map[string]int](h)(h.Embedders(ctx)), map[string]int{"f": 1})
		h.ok(h.DropVectors(ctx, "unknown"))
	}},
	{"bad vectors are refused whole", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "One. Two.")
		h.want(h.PutVectors(ctx, "a", "e", a.Passages, [][]byte{{1}}), core.CodeInvalid)
		h.want(h.PutVectors(ctx, "a", "e", a.Passages, [][]byte{{1}, nil}), core.CodeInvalid)
		h.want(h.PutVectors(ctx, "a", "", a.Passages, [][]byte{{1}, {2}}), core.CodeInvalid)
		h.equal("embedders", must[map[string]int](h)(h.Embedders(ctx)), map[string]int{})
	}},
	{"a longer passage count does not mix embedders up", func(h *harness) {
		for i := range 30 {
			name := fmt.Sprintf("e%d", i)
			a := h.add("a", fmt.Sprintf("Text %d.", i), vectors(name))
			h.equal(name, fresh(h, "a", name).passages[a.Passages[0]].Vector, vectorOf(fmt.Sprintf("Text %d.", i)))
		}
		h.equal("embedders", len(must[map[string]int](h)(h.Embedders(h.Context()))), 30)
	}},
}
