package storetest

import (
	"os"
	"path/filepath"

	"github.com/orma-memory/orma/core"
)

var keeperChecks = []check{
	{"counts", func(h *harness) {
		ctx := h.Context()
		h.equal("no spaces", len(must[[]core.SpaceStats](h)(h.Spaces(ctx))), 0)
		a := h.add("b", "One. Two.", at(day(-3)))
		h.add("b", "one. two.", at(day(4)))
		h.add("a", "Three.")
		src := source(a, "One. Two.", t0)
		open, closed, rule := h.state("b", "x", "1", src), h.state("b", "x", "2", src), h.state("b", "y", "3", src)
		rule.Forbidden = true
		ids := must[core.ID](h)(h.ReserveIDs(ctx, 2))
		h.apply(&core.Plan{
			Space: "b", States: []core.State{open, closed, rule}, Close: []core.Closing{{State: closed.ID, ValidTo: "2026-03-01"}},
			Events:   []core.Event{{ID: ids, Subject: "x", Text: "y", Said: t0, Sources: []core.Source{src}}},
			Entities: []core.Entity{{ID: ids + 1, Name: "e"}}, Links: []core.Link{{From: ids + 1, To: ids, Weight: 1, At: t0}},
			Uses: []core.Use{{Item: ids, Kind: core.UseCited, At: t0}}, Failed: []core.FailedSleep{{Episode: a.ID, Retire: true}},
		})
		h.equal("spaces", must[[]core.SpaceStats](h)(h.Spaces(ctx)), []core.SpaceStats{
			{Space: "a", Episodes: 1, Passages: 1, Pending: 1, First: t0, Last: t0},
			{
				Space: "b", Episodes: 2, Repeats: 1, Passages: 2, States: 1, Closed: 1, Rules: 1, Events: 1, Entities: 1, Links: 1,
				Pending: 1, Retired: 1, Uses: 3, First: day(-3), Last: day(4),
			},
		})
	}},
	{"small values are kept by name", func(h *harness) {
		ctx := h.Context()
		h.equal("none", must[string](h)(h.Meta(ctx, "k")), "")
		h.ok(h.SetMeta(ctx, "k", "v"))
		h.ok(h.SetMeta(ctx, "k", "w"))
		h.reopen()
		h.equal("kept", must[string](h)(h.Meta(ctx, "k")), "w")
		h.ok(h.SetMeta(ctx, "k", ""))
		h.equal("removed", must[string](h)(h.Meta(ctx, "k")), "")
	}},
	{"a sound store has no problems, and fixing it changes nothing", func(h *harness) {
		a := h.add("a", "One. Two.", vectors("e"))
		h.add("a", "one. two.")
		h.apply(&core.Plan{Space: "a", States: []core.State{h.state("a", "x", "y", source(a, "One. Two.", t0))}})
		before := fresh(h, "a", "e")
		for _, fix := range []bool{false, true} {
			got := must[core.Health](h)(h.Check(h.Context(), fix, derive))
			if !got.OK || len(got.Problems)+len(got.Fixed) > 0 {
				h.Errorf("Check = %+v", got)
			}
		}
		before.same(h, "after", fresh(h, "a", "e"))
	}},
	{"a backup holds all, replaces nothing, and is named by a receipt", func(h *harness) {
		ctx := h.Context()
		a := h.add("a", "One.")
		dir := h.TempDir()
		path := filepath.Join(dir, "copy.db")
		steps := 0
		h.ok(h.Backup(ctx, path, func(done, total int) { steps++ }))
		if steps == 0 {
			h.Error("no progress was told")
		}
		h.want(h.Backup(ctx, path, nil), core.CodeConflict)
		b := h.add("a", "Two.")
		files, err := os.ReadDir(dir)
		h.ok(err)
		h.equal("files left", len(files), 1)
		rc := must[core.Receipt](h)(h.Erase(ctx, "a", b.ID, t0))
		h.equal("made before", rc.Backups, []string(nil))
		rc = must[core.Receipt](h)(h.Erase(ctx, "a", a.ID, t0))
		h.equal("made after", rc.Backups, []string{path})
	}},
	{"the store tells what it is", func(h *harness) {
		h.add("a", "One.")
		info := must[core.StoreInfo](h)(h.Info(h.Context()))
		if info.Path == "" || info.Bytes+info.WALBytes == 0 || info.Schema < 1 || info.ReadOnly {
			h.Errorf("Info = %+v", info)
		}
	}},
	{"a closed store answers with an error, and closes twice", func(h *harness) {
		s := h.another()
		h.ok(s.Close())
		h.ok(s.Close())
		if _, err := s.Append(h.Context(), "a", []core.Draft{draft("x")}); err == nil {
			h.Error("a closed store was written")
		}
		if _, err := s.Spaces(h.Context()); err == nil {
			h.Error("a closed store was read")
		}
	}},
}
