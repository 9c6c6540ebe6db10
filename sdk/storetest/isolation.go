package storetest

import (
	"github.com/orma-memory/orma/core"
)

var isolationChecks = []check{
	{"no method shows or changes another space", func(h *harness) {
		ctx := h.Context()
		const text = "The vault code is tulip."
		a := h.add("a", text, named("k"), vectors("e"))
		src := source(a, text, t0)
		st := h.state("a", "vault_code", "tulip", src)
		ids := must[core.ID](h)(h.ReserveIDs(ctx, 2))
		ev := core.Event{ID: ids, Space: "a", Subject: core.SubjectUser, Text: "code set", Said: t0, Recorded: t0, Sources: []core.Source{src}}
		h.apply(&core.Plan{
			Space: "a", States: []core.State{st}, Events: []core.Event{ev}, Entities: []core.Entity{{ID: ids + 1, Name: "vault"}},
			Links:   []core.Link{{From: ids + 1, To: a.Passages[0], Weight: 1, At: t0}},
			Entries: []core.Entry{{At: t0, Op: core.OpForget, Data: []byte(`{"state":1}`)}}, Report: []byte("{}"),
		})
		before := fresh(h, "a", "e")
		b := h.add("b", "Something else.")
		for _, space := range []string{"b", "nowhere"} {
			_, err := h.Episode(ctx, space, a.ID)
			h.want(err, core.CodeNotFound)
			missing := err.Error()
			_, err = h.Episode(ctx, space, 999999)
			h.want(err, core.CodeNotFound)
			if len(err.Error()) != len(missing)+len("999999")-len(itoa(a.ID)) {
				h.Errorf("answers differ: %q and %q", missing, err)
			}
			h.equal("EpisodesByID", len(must[[]core.Episode](h)(h.EpisodesByID(ctx, space, []core.ID{a.ID}))), 0)
			_, err = h.EpisodeByKey(ctx, space, "chat", "k")
			h.want(err, core.CodeNotFound)
			h.equal("PassagesOf", len(must[[]core.Passage](h)(h.PassagesOf(ctx, space, []core.ID{a.ID}))), 0)
			h.equal("Passages", len(must[[]core.Passage](h)(h.Passages(ctx, space, a.Passages))), 0)
			h.equal("SearchText", len(must[[]core.Hit](h)(h.SearchText(ctx, space, []string{"tulip", "vault"}, 9))), 0)
			h.equal("States", len(h.states(space, core.StateFilter{})), 0)
			h.equal("States by ID", len(h.states(space, core.StateFilter{IDs: []core.ID{st.ID}})), 0)
			h.equal("States by source", len(h.states(space, core.StateFilter{Source: a.ID})), 0)
			h.equal("Events", len(must[[]core.Event](h)(h.Events(ctx, space, nil))), 0)
			h.equal("Events by ID", len(must[[]core.Event](h)(h.Events(ctx, space, []core.ID{ev.ID}))), 0)
			h.equal("Entities", len(must[[]core.Entity](h)(h.Entities(ctx, space))), 0)
			h.equal("Links", len(must[[]core.Link](h)(h.Links(ctx, space))), 0)
			h.equal("Entries", len(must[[]core.Entry](h)(h.Entries(ctx, space))), 0)
			h.equal("Reports", len(must[[]core.SleepReport](h)(h.Reports(ctx, space, 9))), 0)
			for _, p := range must[[]core.PendingEpisode](h)(h.Pending(ctx, space, t0, 9)) {
				if p.ID == a.ID {
					h.Error("Pending shows it")
				}
			}
			for _, p := range must[[]core.PassageText](h)(h.MissingVectors(ctx, space, "other", 0, 9)) {
				if p.ID == a.Passages[0] {
					h.Error("MissingVectors shows it")
				}
			}
			if m := fresh(h, space, "e"); len(m.states)+len(m.events)+len(m.entities)+len(m.links)+len(m.uses) > 0 || len(m.texts()) > 1 {
				h.Errorf("the feed of %s shows it", space)
			}
			_, err = h.Erase(ctx, space, a.ID, t0)
			h.want(err, core.CodeNotFound)
		}
		_, err := h.EraseSpace(ctx, "nowhere", t0)
		h.want(err, core.CodeNotFound)
		for what, p := range map[string]*core.Plan{
			"a foreign source":  {Space: "b", States: []core.State{h.state("b", "x", "y", src)}},
			"a foreign closing": {Space: "b", Close: []core.Closing{{State: st.ID, ValidTo: "2026-03-02"}}},
			"a foreign state":   {Space: "b", Sources: []core.StateSource{{State: st.ID, Source: source(b, "Something else.", t0)}}},
			"a foreign alias":   {Space: "b", Aliases: []core.Alias{{Entity: ids + 1, Name: "safe"}}},
		} {
			if err := h.Apply(ctx, p); core.CodeOf(err) != core.CodeConflict {
				h.Errorf("%s: %v", what, err)
			}
		}
		h.ok(h.Apply(ctx, &core.Plan{Space: "b", Done: []core.ID{a.ID}, Failed: []core.FailedSleep{{Episode: a.ID, Retire: true}}}))
		h.ok(h.PutVectors(ctx, "b", "e", a.Passages, [][]byte{{1}}))
		h.ok(h.Requeue(ctx, "b", t0))
		must[core.Receipt](h)(h.Quarantine(ctx, "b", "chat", t0.AddDate(-1, 0, 0), t0, true))
		must[core.Receipt](h)(h.EraseSpace(ctx, "b", t0))
		before.same(h, "space a", fresh(h, "a", "e"))
		h.equal("pending", len(must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9))), 1)
	}},
	{"a space that is erased and made again has another epoch", func(h *harness) {
		h.add("a", "One.")
		m := fresh(h, "a", "")
		must[core.Receipt](h)(h.EraseSpace(h.Context(), "a", t0))
		v := must[core.Version](h)(h.Version(h.Context(), "a"))
		h.equal("version of no space", v, core.Version{})
		h.add("a", "Two.")
		m.follow(h)
		h.equal("texts", m.texts(), []string{"Two."})
		h.equal("resets", m.resets, 2)
		must[core.Receipt](h)(h.EraseSpace(h.Context(), "a", t0))
		m.follow(h)
		h.equal("texts", m.texts(), []string(nil))
	}},
	{"statistics of other spaces do not change scores", func(h *harness) {
		h.add("a", "apple pear.")
		h.add("a", "apple plum cherry.")
		before := must[[]core.Hit](h)(h.SearchText(h.Context(), "a", []string{"apple", "plum"}, 9))
		for i := range 50 {
			h.add("b", "plum plum plum "+itoa(core.ID(i)))
		}
		h.equal("hits", must[[]core.Hit](h)(h.SearchText(h.Context(), "a", []string{"apple", "plum"}, 9)), before)
	}},
	{"names are compared exactly", func(h *harness) {
		names := []string{"a", "A", "a ", "á", "a\u0301", "a:b", "a%", "a_", "0", "ａ", "'; DROP TABLE spaces; --"}
		for _, n := range names {
			h.add(n, "only in "+n)
		}
		for _, n := range names {
			h.equal(n, fresh(h, n, "").texts(), []string{"only in " + n})
		}
		_, err := h.Append(h.Context(), "", []core.Draft{draft("x")})
		h.want(err, core.CodeInvalid)
	}},
}
