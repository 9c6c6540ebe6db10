package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
)

var appendChecks = []check{
	{"an episode comes back as it was given", func(h *harness) {
		want := core.Episode{
			Space: "a", Key: "row-7", Kind: core.KindNote, Role: core.RoleAssistant, Speaker: "Mira", Session: "s1",
			Source: "file:x.md", Trust: core.TrustImport, Marks: core.MarkMasked | core.MarkInstruction,
			At: time.Date(1520, 5, 4, 3, 2, 1, 0, time.UTC), Zone: "Asia/Kolkata", Expires: day(30), Text: "  Ünïcode \t text.\n",
		}
		d := draft(want.Text)
		d.Episode = want
		out := must[[]core.Appended](h)(h.Append(h.Context(), "a", []core.Draft{d}))
		got := must[core.Episode](h)(h.Episode(h.Context(), "a", out[0].ID))
		if got.Recorded.IsZero() {
			h.Error("Recorded is not filled in")
		}
		want.ID, want.Recorded = out[0].ID, got.Recorded
		h.equal("episode", got, want)
		h.reopen()
		h.equal("episode after reopening", must[core.Episode](h)(h.Episode(h.Context(), "a", out[0].ID)), want)
	}},
	{"ids grow in the order of recording and passages lie in their episode", func(h *harness) {
		out := must[[]core.Appended](h)(h.Append(h.Context(), "a", []core.Draft{draft("One. Two."), draft("Three."), draft("")}))
		if len(out) != 3 || !(out[0].ID < out[1].ID && out[1].ID < out[2].ID) || len(out[0].Passages) != 2 || len(out[2].Passages) != 0 {
			h.Fatalf("got %+v", out)
		}
		ps := must[[]core.Passage](h)(h.PassagesOf(h.Context(), "a", []core.ID{out[1].ID, out[0].ID}))
		h.equal("passages", ps, []core.Passage{
			{ID: out[1].Passages[0], Episode: out[1].ID, End: 6},
			{ID: out[0].Passages[0], Episode: out[0].ID, End: 4},
			{ID: out[0].Passages[1], Episode: out[0].ID, Seq: 1, Start: 5, End: 9},
		})
		h.equal("by id", must[[]core.Passage](h)(h.Passages(h.Context(), "a", []core.ID{out[0].Passages[1], 999, out[1].Passages[0]})), []core.Passage{ps[2], ps[0]})
	}},
	{"a bad draft leaves nothing of the call", func(h *harness) {
		bad := draft("fine text")
		bad.Passages[0].End = 1000
		_, err := h.Append(h.Context(), "a", []core.Draft{draft("good"), bad})
		h.want(err, core.CodeInvalid)
		for range h.Scan(h.Context(), "a", 0) {
			h.Fatal("an episode was kept")
		}
	}},
	{"scan gives all in order, and what is appended meanwhile", func(h *harness) {
		var ds []core.Draft
		for i := range 700 {
			ds = append(ds, draft(fmt.Sprintf("text number %d", i)))
		}
		out := must[[]core.Appended](h)(h.Append(h.Context(), "a", ds))
		n := 0
		for e, err := range h.Scan(h.Context(), "a", out[99].ID) {
			h.ok(err)
			if n < 600 && (e.ID != out[100+n].ID || e.Text != ds[100+n].Episode.Text) {
				h.Fatalf("row %d is %+v", n, e)
			}
			if n == 10 {
				h.add("a", "one more")
			}
			n++
		}
		if n != 601 {
			h.Errorf("Scan gave %d episodes, want 601", n)
		}
	}},
	{"recent gives the newest first", func(h *harness) {
		a, b, c := h.add("a", "one"), h.add("a", "two"), h.add("a", "three")
		ids := func(es []core.Episode, err error) (out []core.ID) {
			h.ok(err)
			for _, e := range es {
				out = append(out, e.ID)
			}
			return out
		}
		h.equal("two", ids(h.Recent(h.Context(), "a", 0, 2)), []core.ID{c.ID, b.ID})
		h.equal("before", ids(h.Recent(h.Context(), "a", b.ID, 9)), []core.ID{a.ID})
		h.equal("none", ids(h.Recent(h.Context(), "a", 0, 0)), []core.ID(nil))
	}},
	{"an episode is found by the caller's key in its source", func(h *harness) {
		h.add("a", "old", named("k"), from("s"))
		b := h.add("a", "new", named("k"), from("s"))
		h.add("a", "other", named("k"), from("t"))
		h.add("b", "elsewhere", named("k"), from("s"))
		got := must[core.Episode](h)(h.EpisodeByKey(h.Context(), "a", "s", "k"))
		h.equal("newest", got.ID, b.ID)
		all := must[[]core.Episode](h)(h.EpisodesByKey(h.Context(), "a", "s", "k"))
		if len(all) != 2 || all[0].ID != b.ID || all[1].Text != "old" {
			h.Errorf("all with the key: %+v", all)
		}
		h.equal("none", len(must[[]core.Episode](h)(h.EpisodesByKey(h.Context(), "a", "s", "none"))), 0)
		_, err := h.EpisodeByKey(h.Context(), "a", "s", "none")
		h.want(err, core.CodeNotFound)
	}},
	{"concurrent appends are all kept, each whole", func(h *harness) {
		var wg sync.WaitGroup
		errs := make(chan error, 400)
		for g := range 20 {
			wg.Go(func() {
				for i := range 20 {
					_, err := h.Append(h.Context(), "a", []core.Draft{
						draft(fmt.Sprintf("writer %d first %d", g, i)), draft(fmt.Sprintf("writer %d second %d", g, i)),
					})
					errs <- err
				}
			})
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			h.ok(err)
		}
		var prev string
		n := 0
		for e, err := range h.Scan(h.Context(), "a", 0) {
			h.ok(err)
			if n%2 == 1 && strings.Replace(prev, "first", "second", 1) != e.Text {
				h.Fatalf("%q is followed by %q", prev, e.Text)
			}
			prev = e.Text
			n++
		}
		if n != 800 {
			h.Errorf("%d episodes, want 800", n)
		}
	}},
	{"a cancelled call writes nothing and says why", func(h *harness) {
		ctx, cancel := context.WithCancel(h.Context())
		cancel()
		if _, err := h.Append(ctx, "a", []core.Draft{draft("x")}); err == nil {
			h.Error("no error")
		}
		for range h.Scan(h.Context(), "a", 0) {
			h.Fatal("an episode was kept")
		}
	}},
	{"reserved ids are given to nothing else", func(h *harness) {
		a := h.add("a", "one")
		first := must[core.ID](h)(h.ReserveIDs(h.Context(), 5))
		b := h.add("a", "two")
		if first <= a.Passages[0] || b.ID < first+5 {
			h.Errorf("reserved %d to %d between %d and %d", first, first+4, a.Passages[0], b.ID)
		}
		_, err := h.ReserveIDs(h.Context(), 0)
		h.want(err, core.CodeInvalid)
	}},
	{"a rule stands at once and cites its own line", func(h *harness) {
		d := draft("Never mention the budget.", kind(core.KindAntiPattern))
		d.Rule = &core.State{Subject: core.SubjectUser, Attribute: "forbidden_budget", Value: "the budget", Forbidden: true, Trust: core.TrustUser, Backend: "command"}
		out := must[[]core.Appended](h)(h.Append(h.Context(), "a", []core.Draft{d, d}))
		if out[0].RuleID == 0 || out[1].RuleID == 0 || out[1].RepeatOf != 0 {
			h.Fatalf("got %+v", out)
		}
		forbidden := true
		got := h.states("a", core.StateFilter{Forbidden: &forbidden})
		if len(got) != 2 || got[0].ID != out[0].RuleID || got[0].Value != "the budget" || len(got[0].Sources) != 1 || got[0].Sources[0].Episode != out[0].ID || got[0].Recorded.IsZero() || !got[0].Said.Equal(t0) {
			h.Fatalf("got %+v", got)
		}
		if p := must[[]core.PendingEpisode](h)(h.Pending(h.Context(), "a", t0, 10)); len(p) != 0 {
			h.Errorf("rules wait for sleep: %+v", p)
		}
	}},
}
