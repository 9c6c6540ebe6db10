package storetest

import (
	"strings"

	"github.com/orma-memory/orma/core"
)

var eraseChecks = []check{
	{"everything that rests on an episode goes, and nothing else", func(h *harness) {
		ctx := h.Context()
		const one, two = "Tulip is the code.", "The code is Tulip, I said."
		a := h.add("a", one, vectors("e"))
		b := h.add("a", two, vectors("e"))
		rep := h.add("a", "tulip is the code.", at(day(3)))
		other := h.add("a", "I like rain.", vectors("e"))
		sa, sb := source(a, one, t0), source(b, two, t0)
		only, both := h.state("a", "code", "tulip", sa), h.state("a", "said", "the code", sa, sb)
		ids := must[core.ID](h)(h.ReserveIDs(ctx, 3))
		h.apply(&core.Plan{
			Space: "a", States: []core.State{only, both},
			Events:   []core.Event{{ID: ids, Subject: core.SubjectUser, Text: "told the code", Said: t0, Sources: []core.Source{sa}}},
			Entities: []core.Entity{{ID: ids + 1, Name: "tulip"}, {ID: ids + 2, Name: "rain"}},
			Links:    []core.Link{{From: ids + 2, To: a.Passages[0], Weight: 1, At: t0}, {From: ids + 2, To: other.Passages[0], Weight: 1, At: t0}},
			Uses:     []core.Use{{Item: a.Passages[0], Kind: core.UseRecalled, At: t0}, {Item: other.ID, Kind: core.UseRecalled, At: t0}},
		})
		m := fresh(h, "a", "e")
		rc := must[core.Receipt](h)(h.Erase(ctx, "a", a.ID, day(5)))
		h.equal("receipt", rc, core.Receipt{
			Space: "a", At: day(5), Episodes: []core.ID{a.ID, rep.ID}, Passages: 1, States: 1, Events: 1, Vectors: 1, Uses: 2, Clean: true,
		})
		m.follow(h)
		h.equal("resets", m.resets, 2)
		h.equal("texts", m.texts(), []string{two, "I like rain."})
		h.equal("states", h.values("a", core.StateFilter{}), "the code")
		h.equal("its sources", m.states[both.ID].Sources, []core.Source{sb})
		h.equal("events", len(m.events), 0)
		h.equal("links", len(m.links), 1)
		h.equal("uses", m.uses, []core.Use{{Item: other.ID, Kind: core.UseRecalled, At: t0}})
		h.equal("search", h.find("a", "tulip"), []string{two})
		for _, id := range []core.ID{a.ID, rep.ID} {
			_, err := h.Episode(ctx, "a", id)
			h.want(err, core.CodeNotFound)
			_, err = h.Erase(ctx, "a", id, t0)
			h.want(err, core.CodeNotFound)
		}
		if p := must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9)); len(p) != 2 {
			h.Errorf("pending %+v", p)
		}
		log := must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpErase))
		if len(log) != 1 || strings.Contains(strings.ToLower(string(log[0].Data)), "tulip") {
			h.Errorf("journal %+v", log)
		}
		after := h.add("a", one)
		if after.ID <= other.ID || after.RepeatOf != 0 {
			h.Errorf("said again: %+v", after)
		}
	}},
	{"all that only a source said goes", func(h *harness) {
		ctx := h.Context()
		h.add("a", "I drink tea.")
		said := h.add("a", "I drink tea.", from("imp"), at(day(1)))     // after another: its row goes
		own := h.add("a", "I live in Pune.", from("imp"), vectors("e")) // its own
		again := h.add("a", "I live in Pune.", from("imp"), at(day(2))) // and again
		kept := h.add("a", "My cat is Clove.", from("imp"))             // another says so later
		h.add("a", "My cat is Clove.", at(day(3)))
		near := h.add("a", "I like rain.", from("imported"))
		h.add("b", "I live in Pune.", from("imp"))
		want := core.Receipt{
			Space: "a", At: t0, Episodes: []core.ID{said.ID, own.ID, again.ID}, Passages: 1, Vectors: 1, Uses: 1,
		}
		h.equal("a dry run", must[core.Receipt](h)(h.EraseSource(ctx, "a", "imp", t0, true)), want)
		must[core.Episode](h)(h.Episode(ctx, "a", own.ID))
		h.equal("entries of a dry run", len(must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpErase))), 0)
		want.Clean = true
		h.equal("receipt", must[core.Receipt](h)(h.EraseSource(ctx, "a", "imp", t0, false)), want)
		for _, id := range want.Episodes {
			_, err := h.Episode(ctx, "a", id)
			h.want(err, core.CodeNotFound)
		}
		must[core.Episode](h)(h.Episode(ctx, "a", kept.ID))
		h.equal("search", len(h.find("a", "pune")), 0)
		h.equal("search of what another said", h.find("a", "tea"), []string{"I drink tea."})
		h.equal("search in the other space", h.find("b", "pune"), []string{"I live in Pune."})
		for _, none := range []string{"imp", "Imp", "imp?", ""} {
			_, err := h.EraseSource(ctx, "a", none, t0, false)
			h.want(err, core.CodeNotFound)
		}
		_, err := h.EraseSource(ctx, "nowhere", "imp", t0, false)
		h.want(err, core.CodeNotFound)
		h.equal("by its beginning", must[core.Receipt](h)(h.EraseSource(ctx, "a", "imp*", t0, false)).Episodes, []core.ID{near.ID})
		h.equal("entries", len(must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpErase))), 2)
	}},
	{"what an erased line had ended stands again", func(h *harness) {
		ctx := h.Context()
		texts := []string{"I live in Pune.", "I live in Delhi.", "I live in Goa."}
		var as []core.Appended
		var sts []core.State
		for i, text := range texts {
			as = append(as, h.add("a", text, at(day(i))))
			sts = append(sts, h.state("a", "lives_in", strings.TrimSuffix(text[10:], "."), source(as[i], text, day(i))))
		}
		h.apply(&core.Plan{Space: "a", States: sts, Close: []core.Closing{
			{State: sts[0].ID, ValidTo: sts[1].ValidFrom, SupersededBy: sts[1].ID},
			{State: sts[1].ID, ValidTo: sts[2].ValidFrom, SupersededBy: sts[2].ID},
		}})
		must[core.Receipt](h)(h.Erase(ctx, "a", as[1].ID, t0))
		got := h.states("a", core.StateFilter{})
		if len(got) != 2 || got[0].SupersededBy != sts[2].ID || got[0].ValidTo != sts[2].ValidFrom || got[0].Closed.IsZero() {
			h.Fatalf("the middle of a chain went: %+v", got)
		}
		must[core.Receipt](h)(h.Erase(ctx, "a", as[2].ID, t0))
		h.equal("open", h.values("a", core.StateFilter{Open: true}), "Pune")
		h.equal("closing", h.states("a", core.StateFilter{})[0].ValidTo, "")
	}},
	{"what was taken back by command stays so", func(h *harness) {
		a, b := h.add("a", "I live in Pune."), h.add("a", "I live in Delhi.")
		pune, delhi := h.state("a", "lives_in", "Pune", source(a, "I live in Pune.", t0)), h.state("a", "lives_in", "Delhi", source(b, "I live in Delhi.", t0))
		h.apply(&core.Plan{Space: "a", States: []core.State{pune, delhi}, Close: []core.Closing{{State: pune.ID, ValidTo: "2026-03-01", SupersededBy: delhi.ID, Retracted: true}}})
		must[core.Receipt](h)(h.Erase(h.Context(), "a", b.ID, t0))
		h.equal("open", h.values("a", core.StateFilter{Open: true}), "")
	}},
	{"a state that a line ended stands again without the line", func(h *harness) {
		a, b := h.add("a", "I live in Pune."), h.add("a", "I left Pune.")
		pune := h.state("a", "lives_in", "Pune", source(a, "I live in Pune.", t0))
		sb := source(b, "I left Pune.", t0)
		h.apply(&core.Plan{Space: "a", States: []core.State{pune}, Close: []core.Closing{{State: pune.ID, ValidTo: "2026-03-01", Source: &sb}}})
		h.equal("open before", h.values("a", core.StateFilter{Open: true}), "")
		must[core.Receipt](h)(h.Erase(h.Context(), "a", b.ID, t0))
		h.equal("open after", h.values("a", core.StateFilter{Open: true}), "Pune")
	}},
	{"the journal and reports do not quote it, and still say the rest", func(h *harness) {
		ctx := h.Context()
		const text = "My sister Zuleika sells harpsichords."
		a := h.add("a", text)
		b := h.add("a", "I live in Pune.")
		st := h.state("a", "sister", "Zuleika", source(a, text, t0))
		h.apply(&core.Plan{
			Space: "a", States: []core.State{st},
			Report: []byte(`{"accepted":[{"line":"My sister Zuleika sells harpsichords.","value":"Zuleika"},{"value":"Pune"}]}`),
			Entries: []core.Entry{
				{At: t0, Op: core.OpForget, Data: []byte(`{"state":` + itoa(st.ID) + `,"subject":"user","value":"anything"}`)},
				{At: t0, Op: core.OpForget, Data: []byte(`{"subject":"user","attribute":"lives_in","value":"Pune"}`)},
				{At: t0, Op: core.OpCorrect, Data: []byte(`{"text":"she is called ZULEIKA"}`)},
				{At: t0, Op: core.OpForget, Data: []byte(`{"value":"harpsichords"}`)},
			},
			Failed: []core.FailedSleep{{Episode: b.ID, Error: "model said: My sister Zuleika sells harpsichords."}},
		})
		must[core.Receipt](h)(h.Erase(ctx, "a", a.ID, t0))
		var all strings.Builder
		for _, e := range must[[]core.Entry](h)(h.Entries(ctx, "a")) {
			all.Write(e.Data)
			all.WriteByte('\n')
		}
		for _, r := range must[[]core.SleepReport](h)(h.Reports(ctx, "a", 9)) {
			all.Write(r.Data)
			all.WriteByte('\n')
		}
		for _, p := range must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9)) {
			all.WriteString(p.LastError)
		}
		low := strings.ToLower(all.String())
		for _, w := range []string{"zuleika", "harpsichord", "anything"} {
			if strings.Contains(low, w) {
				h.Errorf("%q is still in\n%s", w, all.String())
			}
		}
		for _, w := range []string{`"Pune"`, `"lives_in"`, `"user"`} {
			if !strings.Contains(all.String(), w) {
				h.Errorf("%s is gone from\n%s", w, all.String())
			}
		}
	}},
	{"a space goes whole", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "One. Two.", vectors("e"))
		h.add("b", "Three.", vectors("e"))
		st := h.state("a", "x", "y", source(a, "One. Two.", t0))
		h.apply(&core.Plan{Space: "a", States: []core.State{st}, Uses: []core.Use{{Item: st.ID, Kind: core.UseCited, At: t0}}, Entries: []core.Entry{{At: t0, Op: core.OpForget}}})
		must[bool](h)(h.Lease(ctx, "a", "x", t0, day(1)))
		b := fresh(h, "b", "e")
		rc := must[core.Receipt](h)(h.EraseSpace(ctx, "a", day(1)))
		h.equal("receipt", rc, core.Receipt{Space: "a", At: day(1), Episodes: []core.ID{a.ID}, Passages: 2, States: 1, Vectors: 2, Uses: 1, Clean: true})
		b.same(h, "b", fresh(h, "b", "e"))
		st2 := must[[]core.SpaceStats](h)(h.Spaces(ctx))
		if len(st2) != 1 || st2[0].Space != "b" {
			h.Errorf("spaces %+v", st2)
		}
		log := must[[]core.Entry](h)(h.Entries(ctx, ""))
		if len(log) != 1 || log[0].Op != core.OpEraseSpace {
			h.Errorf("journal of the store: %+v", log)
		}
	}},
}

var quarantineChecks = []check{
	{"hiding and showing again changes nothing", func(h *harness) {
		ctx := h.Context()
		const good, bad = "I live in Pune.", "I live in Atlantis."
		a := h.add("a", good)
		b := h.add("a", bad, from("evil"), at(day(2)))
		h.add("a", "Trust all links.", from("evil"), at(day(3)))
		h.add("a", "Older line.", from("evil"), at(day(-9)))
		sa, sb := source(a, good, t0), source(b, bad, day(2))
		pune, atlantis := h.state("a", "lives_in", "Pune", sa), h.state("a", "lives_in", "Atlantis", sb)
		both := h.state("a", "lives", "somewhere", sa, sb)
		ev := must[core.ID](h)(h.ReserveIDs(ctx, 1))
		h.apply(&core.Plan{
			Space: "a", States: []core.State{pune, atlantis, both}, Close: []core.Closing{{State: pune.ID, ValidTo: "2026-03-03", SupersededBy: atlantis.ID, Source: &sb}},
			Events: []core.Event{{ID: ev, Subject: core.SubjectUser, Text: "moved", Said: day(2), Recorded: day(2), Sources: []core.Source{sb}, Entities: []core.ID{}}},
		})
		before := fresh(h, "a", "")
		m := fresh(h, "a", "")
		rc := must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(0), day(5), true))
		if len(rc.Episodes) != 2 || rc.Passages != 2 || rc.States != 1 || rc.Events != 1 {
			h.Errorf("receipt %+v", rc)
		}
		m.follow(h)
		h.equal("texts", m.texts(), []string{good, "Older line."})
		h.equal("open", h.values("a", core.StateFilter{Open: true}), "Pune,somewhere")
		h.equal("sources", m.states[both.ID].Sources, []core.Source{sa})
		h.equal("said", m.states[both.ID].Said, t0)
		h.equal("events", len(m.events), 0)
		h.equal("search", h.find("a", "atlantis", "older"), []string{"Older line."})
		if p := must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", day(5), 9)); len(p) != 2 {
			h.Errorf("pending %+v", p)
		}
		e := must[core.Episode](h)(h.Episode(ctx, "a", b.ID))
		h.equal("the episode itself", e.Quarantined && e.Text == bad, true)
		if err := h.Apply(ctx, &core.Plan{Space: "a", At: t0, States: []core.State{h.state("a", "x", "y", sb)}}); core.CodeOf(err) != core.CodeConflict {
			h.Errorf("a quarantined line was cited: %v", err)
		}
		again := must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(0), day(5), true))
		h.equal("again", len(again.Episodes), 0)
		rc = must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(0), day(6), false))
		h.equal("shown", len(rc.Episodes), 2)
		m.follow(h)
		m.same(h, "after", before)
		h.equal("search", h.find("a", "atlantis"), []string{bad})
		log := must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpQuarantine, core.OpRelease))
		h.equal("journal", len(log), 3)
	}},
	{"a text that a good source repeats is recalled from there", func(h *harness) {
		ctx := h.Context()
		const text, again = "I like tea. It is hot.", "I  LIKE tea.  It is hot."
		a := h.add("a", text, from("evil"), vectors("e"))
		b := h.add("a", again, from("chat"), at(day(1)))
		before := fresh(h, "a", "e")
		must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(-1), t0, true))
		m := fresh(h, "a", "e")
		h.equal("texts", m.texts(), []string{"I  LIKE tea.", "It is hot."})
		p := m.passages[a.Passages[0]]
		h.equal("passage", []any{p.Episode, p.Source, p.Repeats, p.Vector}, []any{b.ID, "chat", 0, vectorOf("I like tea.")})
		c := h.add("a", text, from("evil"), at(day(9)))
		h.equal("repeat of", c.RepeatOf, b.ID)
		must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(8), t0, true))
		must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(-1), t0, false))
		got := fresh(h, "a", "e")
		h.equal("repeats", got.passages[a.Passages[0]].Repeats, 2)
		must[core.Receipt](h)(h.Erase(ctx, "a", c.ID, t0))
		h.equal("texts", fresh(h, "a", "e").texts(), []string(nil))
		_ = before
	}},
	{"said again after it was hidden", func(h *harness) {
		ctx := h.Context()
		h.add("a", "I like tea.", from("evil"))
		must[core.Receipt](h)(h.Quarantine(ctx, "a", "evil", day(-1), t0, true))
		m := newMirror("a", "")
		m.follow(h)
		h.equal("texts", m.texts(), []string(nil))
		b := h.add("a", "I like tea.")
		m.follow(h)
		h.equal("texts", m.texts(), []string{"I like tea."})
		for _, p := range m.passages {
			h.equal("episode", p.Episode, b.ID)
		}
		h.equal("search", h.find("a", "tea"), []string{"I like tea."})
		_, err := h.Quarantine(ctx, "nowhere", "evil", t0, t0, true)
		h.want(err, core.CodeNotFound)
	}},
}
