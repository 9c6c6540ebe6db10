package storetest

import (
	"time"

	"github.com/orma-memory/orma/core"
)

var factChecks = []check{
	{"a plan is kept and comes back", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "Mira moved to Pune. She likes tea.")
		first := must[core.ID](h)(h.ReserveIDs(ctx, 4))
		src := core.Source{Episode: a.ID, Passage: a.Passages[0], Start: 5, End: 18, At: t0}
		st := core.State{
			ID: first, Space: "a", Subject: "Mira", SubjectID: first + 1, Attribute: "lives_in", Value: "Pune", Condition: "in winter",
			ValidFrom: "2026-02-01", Stated: true, Said: t0, Recorded: day(1), Trust: core.TrustUser, Sources: []core.Source{src}, Backend: "llm:x",
		}
		ev := core.Event{
			ID: first + 2, Space: "a", Subject: "Mira", Text: "moved to Pune", Start: "2026-02-01", End: "2026-02-03", Stated: true, Said: t0, Recorded: day(1),
			Trust: core.TrustUser, Entities: []core.ID{first + 1, first + 3}, Sources: []core.Source{src}, Backend: "llm:x",
		}
		ents := []core.Entity{{ID: first + 1, Name: "Mira", Aliases: []string{"M."}}, {ID: first + 3, Name: "Pune"}}
		links := []core.Link{{From: first + 3, To: first + 1, Weight: 0.5, At: t0}, {From: first + 1, To: a.Passages[0], Weight: 1, At: t0}}
		h.apply(&core.Plan{
			Space: "a", States: []core.State{st}, Events: []core.Event{ev}, Entities: ents, Links: links,
			Uses: []core.Use{{Item: first, Kind: core.UseCited, At: t0}}, Entries: []core.Entry{{At: t0, Op: core.OpCorrect, Data: []byte(`{}`)}},
			Done: []core.ID{a.ID}, Report: []byte(`{"accepted":1}`),
		})
		check := func() {
			h.equal("states", h.states("a", core.StateFilter{}), []core.State{st})
			h.equal("events", must[[]core.Event](h)(h.Events(ctx, "a", nil)), []core.Event{ev})
			h.equal("events by id", must[[]core.Event](h)(h.Events(ctx, "a", []core.ID{ev.ID, ev.ID, 9999})), []core.Event{ev})
			h.equal("no events", len(must[[]core.Event](h)(h.Events(ctx, "a", []core.ID{}))), 0)
			got := must[[]core.Entity](h)(h.Entities(ctx, "a"))
			h.equal("entities", got, []core.Entity{{ID: first + 1, Space: "a", Name: "Mira", Aliases: []string{"M."}}, {ID: first + 3, Space: "a", Name: "Pune"}})
			h.equal("links", must[[]core.Link](h)(h.Links(ctx, "a")), []core.Link{links[1], links[0]})
			h.equal("entries", must[[]core.Entry](h)(h.Entries(ctx, "a")), []core.Entry{{Seq: 1, At: t0, Op: core.OpCorrect, Data: []byte(`{}`)}})
			h.equal("pending", len(must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9))), 0)
			h.equal("reports", must[[]core.SleepReport](h)(h.Reports(ctx, "a", 9)), []core.SleepReport{{At: day(1), Data: []byte(`{"accepted":1}`)}})
		}
		check()
		h.reopen()
		check()
	}},
	{"filters", func(h *harness) {
		a := h.add("a", "I live in Pune.")
		b := h.add("a", "I live in Delhi.", at(day(10)))
		sa, sb := source(a, "I live in Pune.", t0), source(b, "I live in Delhi.", day(10))
		pune, delhi := h.state("a", "lives_in", "Pune", sa), h.state("a", "lives_in", "Delhi", sb)
		rule := h.state("a", core.ForbiddenPrefix+"jokes", "jokes", sb)
		rule.Forbidden, rule.ValidFrom = true, ""
		rule.Subject = "Mira"
		h.apply(&core.Plan{Space: "a", States: []core.State{pune, delhi, rule}, Close: []core.Closing{{State: pune.ID, ValidTo: delhi.ValidFrom, SupersededBy: delhi.ID, Source: &sb}}})
		yes, no := true, false
		for _, c := range []struct {
			what string
			f    core.StateFilter
			want string
		}{
			{"all, oldest first", core.StateFilter{}, "jokes,Pune,Delhi"},
			{"ids", core.StateFilter{IDs: []core.ID{delhi.ID, pune.ID, 99999, delhi.ID}}, "Pune,Delhi"},
			{"no ids", core.StateFilter{IDs: []core.ID{}}, ""},
			{"subject", core.StateFilter{Subject: "mira"}, "jokes"},
			{"attribute", core.StateFilter{Attribute: "lives_in"}, "Pune,Delhi"},
			{"rules", core.StateFilter{Forbidden: &yes}, "jokes"},
			{"no rules", core.StateFilter{Forbidden: &no}, "Pune,Delhi"},
			{"open", core.StateFilter{Open: true}, "jokes,Delhi"},
			{"source", core.StateFilter{Source: a.ID}, "Pune"},
			{"source and attribute", core.StateFilter{Source: b.ID, Attribute: "lives_in"}, "Delhi"},
			{"before all", core.StateFilter{AsOf: day(-1)}, ""},
			{"then", core.StateFilter{AsOf: day(3)}, "Pune"},
			{"the last day of the old", core.StateFilter{AsOf: day(9)}, "Pune"},
			{"the first day of the new", core.StateFilter{AsOf: day(10)}, "jokes,Delhi"},
			{"later", core.StateFilter{AsOf: day(99), Subject: core.SubjectUser}, "Delhi"},
		} {
			h.equal(c.what, h.values("a", c.f), c.want)
		}
	}},
	{"a plan that does not fit is refused whole", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "I live in Pune. I like tea.")
		src := source(a, "I live in Pune. I like tea.", t0)
		st := h.state("a", "lives_in", "Pune", src)
		h.apply(&core.Plan{Space: "a", States: []core.State{st}})
		forgotten := h.state("a", "likes", "tea", src)
		h.apply(&core.Plan{Space: "a", States: []core.State{forgotten}})
		h.apply(&core.Plan{Space: "a", Close: []core.Closing{{State: forgotten.ID, ValidTo: "2026-03-02", Retracted: true}}})
		before := fresh(h, "a", "")
		with := func(change func(*core.Source)) []core.State {
			s := src
			change(&s)
			return []core.State{h.state("a", "x", "y", s)}
		}
		none := h.state("a", "x", "y", src)
		none.Sources = nil
		unreserved := h.state("a", "x", "y", src)
		unreserved.ID = 1 << 30
		taken := h.state("a", "x", "y", src)
		taken.ID = a.ID
		twice := h.state("a", "x", "y", src)
		for _, c := range []struct {
			what string
			plan core.Plan
			code core.Code
		}{
			{"no source", core.Plan{States: []core.State{none}}, core.CodeInvalid},
			{"an unknown episode", core.Plan{States: with(func(s *core.Source) { s.Episode = 99999 })}, core.CodeConflict},
			{"an unknown passage", core.Plan{States: with(func(s *core.Source) { s.Passage = 99999 })}, core.CodeConflict},
			{"another passage than the bytes", core.Plan{States: with(func(s *core.Source) { s.Passage = a.Passages[1] })}, core.CodeConflict},
			{"past the passage", core.Plan{States: with(func(s *core.Source) { s.End = 20 })}, core.CodeConflict},
			{"no bytes", core.Plan{States: with(func(s *core.Source) { s.End = s.Start })}, core.CodeConflict},
			{"negative bytes", core.Plan{States: with(func(s *core.Source) { s.Start = -1 })}, core.CodeConflict},
			{"an ID that was not reserved", core.Plan{States: []core.State{unreserved}}, core.CodeInvalid},
			{"an ID in use", core.Plan{States: []core.State{taken}}, core.CodeConflict},
			{"an ID twice", core.Plan{States: []core.State{twice, twice}}, core.CodeInvalid},
			{"closing nothing", core.Plan{Close: []core.Closing{{State: 99999}}}, core.CodeConflict},
			{"superseding by nothing", core.Plan{Close: []core.Closing{{State: st.ID, SupersededBy: 99999}}}, core.CodeConflict},
			{"superseding by itself", core.Plan{Close: []core.Closing{{State: st.ID, SupersededBy: st.ID}}}, core.CodeConflict},
			{"bringing back what was taken back", core.Plan{Close: []core.Closing{{State: forgotten.ID, ValidTo: "2026-03-09"}}}, core.CodeConflict},
			{"a source for nothing", core.Plan{Sources: []core.StateSource{{State: 99999, Source: src}}}, core.CodeConflict},
			{"an alias of nothing", core.Plan{Aliases: []core.Alias{{Entity: 99999, Name: "x"}}}, core.CodeConflict},
			{"a link without weight", core.Plan{Links: []core.Link{{From: st.ID, To: a.ID}}}, core.CodeInvalid},
		} {
			p := c.plan
			p.Space, p.At = "a", day(1)
			good := h.state("a", "good", "good", src)
			p.States = append([]core.State{good}, p.States...)
			p.Done = []core.ID{a.ID}
			if err := h.Apply(ctx, &p); core.CodeOf(err) != c.code {
				h.Errorf("%s: %v, want %s", c.what, err, c.code)
			}
		}
		before.same(h, "after refused plans", fresh(h, "a", ""))
		h.equal("pending", len(must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9))), 1)
	}},
	{"further sources renew a state", func(h *harness) {
		a := h.add("a", "I like tea.", until(day(5)))
		b := h.add("a", "Tea is what I like.", at(day(2)), until(day(9)))
		sa, sb := source(a, "I like tea.", t0), source(b, "Tea is what I like.", day(2))
		st := h.state("a", "likes", "tea", sa)
		h.apply(&core.Plan{Space: "a", States: []core.State{st}})
		h.equal("expires", h.states("a", core.StateFilter{})[0].Expires, day(5))
		for range 2 {
			h.apply(&core.Plan{Space: "a", Sources: []core.StateSource{{State: st.ID, Source: sb}}})
		}
		got := h.states("a", core.StateFilter{})[0]
		h.equal("sources", got.Sources, []core.Source{sa, sb})
		h.equal("said", got.Said, day(2))
		h.equal("expires", got.Expires, day(9))
	}},
	{"uses are a journal", func(h *harness) {
		a := h.add("a", "One.")
		uses := []core.Use{{Item: a.Passages[0], Kind: core.UseRecalled, At: day(1)}, {Item: a.Passages[0], Kind: core.UseRecalled, At: day(1)}, {Item: a.ID, Kind: core.UseCited, At: t0}}
		h.ok(h.AddUses(h.Context(), "a", uses[:2]))
		h.ok(h.AddUses(h.Context(), "a", uses[2:]))
		h.ok(h.AddUses(h.Context(), "a", nil))
		h.equal("uses", fresh(h, "a", "").uses, uses)
		h.want(h.AddUses(h.Context(), "nowhere", uses), core.CodeNotFound)
	}},
	{"entries are kept in order", func(h *harness) {
		ctx := h.Context()
		h.ok(h.Record(ctx, "a", core.Entry{At: t0, Op: core.OpForbid, Data: []byte(`{"rule":1}`)}))
		h.ok(h.Record(ctx, "a", core.Entry{At: day(1), Op: core.OpForget}))
		h.ok(h.Record(ctx, "b", core.Entry{At: day(1), Op: core.OpForget}))
		h.want(h.Record(ctx, "a", core.Entry{At: t0}), core.CodeInvalid)
		h.equal("all", must[[]core.Entry](h)(h.Entries(ctx, "a")), []core.Entry{{Seq: 1, At: t0, Op: core.OpForbid, Data: []byte(`{"rule":1}`)}, {Seq: 2, At: day(1), Op: core.OpForget}})
		h.equal("some", len(must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpForget, core.OpLift))), 1)
	}},
}

var sleepChecks = []check{
	{"pending episodes come in the order they were said", func(h *harness) {
		ctx := h.Context()
		b := h.add("a", "Second.", at(day(2)))
		a := h.add("a", "First.", at(day(1)))
		c := h.add("a", "Third.", at(day(2)))
		h.add("a", "Gone.", at(day(1)), until(day(3)))
		ids := func(n int, now time.Time) (out []core.ID) {
			for _, p := range must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", now, n)) {
				out = append(out, p.ID)
			}
			return out
		}
		h.equal("all", ids(9, day(4)), []core.ID{a.ID, b.ID, c.ID})
		h.equal("two", ids(2, day(4)), []core.ID{a.ID, b.ID})
		h.equal("before one expired", len(ids(9, day(2))), 4)
		h.apply(&core.Plan{Space: "a", Done: []core.ID{a.ID}, Failed: []core.FailedSleep{{Episode: b.ID, Error: "bad answer"}, {Episode: c.ID, Error: "worse", Retire: true}}})
		p := must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", day(4), 9))
		if len(p) != 1 || p[0].ID != b.ID || p[0].Attempts != 1 || p[0].LastError != "bad answer" || p[0].Text != "Second." {
			h.Fatalf("got %+v", p)
		}
		st := must[[]core.SpaceStats](h)(h.Spaces(ctx))[0]
		h.equal("retired", st.Retired, 1)
		due := must[[]core.DueSpace](h)(h.Due(ctx))
		if len(due) != 1 || due[0].Space != "a" || due[0].Pending < 1 || due[0].Last.IsZero() {
			h.Errorf("due %+v", due)
		}
	}},
	{"requeue drops what sleep made and keeps commands", func(h *harness) {
		ctx := h.Context()
		a, b := h.add("a", "I live in Pune."), h.add("a", "I live in Delhi.")
		d := draft("No jokes.", kind(core.KindAntiPattern))
		d.Rule = &core.State{Subject: core.SubjectUser, Attribute: "forbidden_jokes", Value: "jokes", Forbidden: true, Backend: "command"}
		must[[]core.Appended](h)(h.Append(ctx, "a", []core.Draft{d}))
		sa, sb := source(a, "I live in Pune.", t0), source(b, "I live in Delhi.", t0)
		command := h.state("a", "lives_in", "Pune", sa)
		command.Backend = "command"
		made := h.state("a", "lives_in", "Delhi", sb)
		ids := must[core.ID](h)(h.ReserveIDs(ctx, 3))
		h.apply(&core.Plan{
			Space: "a", States: []core.State{command, made}, Close: []core.Closing{{State: command.ID, ValidTo: "2026-03-01", SupersededBy: made.ID}},
			Events:   []core.Event{{ID: ids, Subject: core.SubjectUser, Text: "moved", Said: t0, Sources: []core.Source{sb}, Backend: "rules"}},
			Entities: []core.Entity{{ID: ids + 1, Name: "Delhi"}}, Links: []core.Link{{From: ids + 1, To: made.ID, Weight: 1, At: t0}},
			Done: []core.ID{a.ID}, Failed: []core.FailedSleep{{Episode: b.ID, Retire: true}},
		})
		m := fresh(h, "a", "")
		h.ok(h.Requeue(ctx, "a", day(2)))
		m.follow(h)
		h.equal("states", h.values("a", core.StateFilter{Open: true}), "jokes,Pune")
		h.equal("events", len(m.events)+len(m.entities)+len(m.links), 0)
		p := must[[]core.PendingEpisode](h)(h.Pending(ctx, "a", t0, 9))
		if len(p) != 2 || p[1].Attempts != 0 || p[1].Retired {
			h.Errorf("pending %+v", p)
		}
		h.equal("journal", must[[]core.Entry](h)(h.Entries(ctx, "a", core.OpRebuild)), []core.Entry{{Seq: 1, At: day(2), Op: core.OpRebuild}})
		h.want(h.Requeue(ctx, "nowhere", t0), core.CodeNotFound)
	}},
	{"a lease keeps two sleepers apart", func(h *harness) {
		ctx := h.Context()
		take := func(space, holder string, now, until int) bool {
			return must[bool](h)(h.Lease(ctx, space, holder, day(now), day(until)))
		}
		h.equal("first", take("a", "x", 0, 2), true)
		h.equal("another", take("a", "y", 1, 3), false)
		h.equal("another space", take("b", "y", 1, 3), true)
		h.equal("renewed", take("a", "x", 1, 4), true)
		h.ok(h.Release(ctx, "a", "y"))
		h.equal("not the holder's to give back", take("a", "y", 3, 5), false)
		h.equal("run out", take("a", "y", 4, 6), true)
		h.ok(h.Release(ctx, "a", "y"))
		h.equal("given back", take("a", "x", 4, 6), true)
	}},
}
