package storetest

import (
	"time"

	"github.com/orma-memory/orma/core"
)

var repeatChecks = []check{
	{"what repeats an earlier episode", func(h *harness) {
		h.add("a", "I like tea.")
		for _, c := range []struct {
			what    string
			text    string
			changes []change
			repeats bool
		}{
			{"the same words", "I like tea.", nil, true},
			{"other case and spaces", "  i LIKE   tea. ", nil, true},
			{"as a note", "I like tea.", []change{kind(core.KindNote)}, true},
			{"from another source", "I like tea.", []change{from("import")}, true},
			{"another role", "I like tea.", []change{by(core.RoleAssistant)}, false},
			{"another speaker", "I like tea.", []change{speaking("Mira")}, false},
			{"as an identity", "I like tea.", []change{kind(core.KindIdentity)}, false},
			{"as a rule", "I like tea.", []change{kind(core.KindAntiPattern)}, false},
			{"as a document", "I like tea.", []change{kind(core.KindDocument), from("file:a")}, false},
			{"the same document again", "I like tea.", []change{kind(core.KindDocument), from("file:a")}, true},
			{"in another document", "I like tea.", []change{kind(core.KindDocument), from("file:b")}, false},
			{"other words", "I like teas.", nil, false},
		} {
			if got := h.add("a", c.text, c.changes...); (got.RepeatOf != 0) != c.repeats {
				h.Errorf("%s: RepeatOf %d, want a repeat: %v", c.what, got.RepeatOf, c.repeats)
			}
		}
		if got := h.add("b", "I like tea."); got.RepeatOf != 0 {
			h.Error("another space's episode was repeated")
		}
	}},
	{"a repeat is kept, has no passages, and counts", func(h *harness) {
		m := newMirror("a", "")
		a := h.add("a", "I like tea.")
		m.follow(h)
		b := h.add("a", "i like tea.", at(day(2)))
		m.follow(h)
		h.equal("RepeatOf", b, core.Appended{ID: b.ID, RepeatOf: a.ID})
		e := must[core.Episode](h)(h.Episode(h.Context(), "a", b.ID))
		h.equal("text", e.Text, "i like tea.")
		h.equal("RepeatOf of the episode", e.RepeatOf, a.ID)
		h.equal("passages", len(must[[]core.Passage](h)(h.PassagesOf(h.Context(), "a", []core.ID{b.ID}))), 0)
		h.equal("texts", m.texts(), []string{"I like tea."})
		h.equal("repeats", m.passages[a.Passages[0]].Repeats, 1)
		h.equal("uses", m.uses, []core.Use{{Item: a.Passages[0], Kind: core.UseStated, At: day(2)}})
		h.equal("search", h.find("a", "tea"), []string{"I like tea."})
	}},
	{"repeats within one call", func(h *harness) {
		out := must[[]core.Appended](h)(h.Append(h.Context(), "a", []core.Draft{draft("ok"), draft("ok"), draft("OK")}))
		if out[0].RepeatOf != 0 || out[1].RepeatOf != out[0].ID || out[2].RepeatOf != out[0].ID {
			h.Errorf("got %+v", out)
		}
		h.equal("repeats", fresh(h, "a", "").passages[out[0].Passages[0]].Repeats, 2)
	}},
	{"a text lives as long as the longest-lived that says it", func(h *harness) {
		for _, c := range []struct {
			name          string
			first, second time.Time
			want          time.Time
		}{
			{"longer", day(1), day(9), day(9)},
			{"shorter", day(9), day(1), day(9)},
			{"for ever after", day(1), time.Time{}, time.Time{}},
			{"for ever before", time.Time{}, day(1), time.Time{}},
		} {
			a := h.add(c.name, "I like tea.", until(c.first))
			src := source(a, "I like tea.", t0)
			st := h.state(c.name, "likes", "tea", src)
			h.apply(&core.Plan{Space: c.name, States: []core.State{st}})
			m := fresh(h, c.name, "")
			h.add(c.name, "I like tea.", until(c.second))
			m.follow(h)
			h.equal(c.name+": passage", m.passages[a.Passages[0]].Expires, c.want)
			h.equal(c.name+": state", m.states[st.ID].Expires, c.want)
		}
	}},
	{"a repeat waits for sleep and can be cited", func(h *harness) {
		a := h.add("a", "I live in Pune.")
		h.apply(&core.Plan{Space: "a", Done: []core.ID{a.ID}})
		b := h.add("a", "I live in Pune.", at(day(3)))
		p := must[[]core.PendingEpisode](h)(h.Pending(h.Context(), "a", day(3), 10))
		if len(p) != 1 || p[0].ID != b.ID {
			h.Fatalf("pending %+v", p)
		}
		src := core.Source{Episode: b.ID, Passage: a.Passages[0], End: 15, At: day(3)}
		st := h.state("a", "lives_in", "Pune", src)
		h.apply(&core.Plan{Space: "a", States: []core.State{st}})
		h.equal("sources", h.states("a", core.StateFilter{Source: b.ID})[0].Sources, []core.Source{src})
	}},
}
