package sleep_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/llm"
	"github.com/orma-memory/orma/core/text"
)

// talk is a conversation of our own with what a model likes to get wrong.
var talk = []string{
	"Hi, I'm Ines and I live in Braga.",
	"I work as a bookbinder at Folio & Thread.",
	"My sister Noor moved to Lisbon last week.",
	"I'm allergic to walnuts.",
	"Do you think I should live in Porto?",
	"If I moved to Oslo, I would buy a rowing boat.",
	"I don't live in Faro, that was my cousin.",
	"My cousin said, \"I live in Faro and I hate it.\"",
	"Never book flights before nine for me.",
	"My locker number is 218.",
	"We visited the lighthouse on 3 May.",
	"I would love to be a pilot some day.",
	"My dentist is Dr. Halloway.",
	"When I have a cold, I drink ginger tea.",
	"I prefer window seats.",
	"Tomás is my landlord.",
	"Maybe I will learn the cello.",
	"My dog is called Biscuit.",
	"I no longer eat meat.",
	"The rent went up from 600 to 650 euros.",
	"Noor works as a diver there.",
	"I moved to Guimarães yesterday.",
}

// never must not become true of the user, whatever the model says.
var never = []string{"porto", "oslo", "faro", "pilot", "cello", "boat", "lisbon", "diver"}

// TestRealModel runs the whole path with a model behind an OpenAI-compatible
// address:
//
//	ORMA_LLM=http://127.0.0.1:8000 go test ./stages/sleep -run RealModel -v -timeout 60m
//
// It does not ask how much the model understands. Whatever it answers, nothing may
// become a fact that its line does not say.
func TestRealModel(t *testing.T) {
	upstream := os.Getenv("ORMA_LLM")
	if upstream == "" {
		t.Skip("ORMA_LLM, the address of a model server, is not set")
	}
	x, err := llm.New(llm.Options{Upstream: upstream, Model: os.Getenv("ORMA_LLM_MODEL"), Timeout: 10 * time.Minute, MaxTokens: 1500})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, map[string]sl.Extractor{"llm": x})
	for i, s := range talk {
		w.say("m", core.Episode{Text: s, Session: fmt.Sprint("s", i/8), At: monday.AddDate(0, 0, i/4).Add(time.Duration(i) * time.Minute)})
		if i%3 == 0 {
			w.say("m", core.Episode{Text: "I see. You live in Lyon, I take it?", Role: core.RoleAssistant, Session: fmt.Sprint("s", i/8), At: monday.AddDate(0, 0, i/4).Add(time.Duration(i)*time.Minute + time.Second)})
		}
	}
	lines := 0
	for range 3 {
		rep, err := w.sleep.Sleep(t.Context(), sl.Run{Space: "m", Backend: "llm", Now: w.now})
		t.Logf("%s: %d batches, %d lines, accepted %v, rejected %v, failed %d, %v", rep.Backend, rep.Batches, rep.Lines, rep.Outcomes, rep.Reasons, len(rep.Failed), err)
		lines += rep.Lines
		for _, r := range rep.Rejected {
			t.Logf("  rejected %s · %s: %q (%s: %s)", r.Subject, r.Attribute, r.Value, r.Reason, r.Detail)
		}
		for _, f := range rep.Failed {
			t.Logf("  failed %v: %s", f.Episodes, f.Error)
		}
	}
	if lines == 0 {
		t.Fatal("the model answered nothing, so nothing was tried")
	}
	for _, s := range w.states("m") {
		t.Logf("  %s · %s: %q %q rule=%v active=%v", s.Subject, s.Attribute, s.Value, s.Condition, s.Forbidden, s.Closed.IsZero())
		if !w.said(t, "m", s) {
			t.Errorf("its line does not say %s · %s: %s", s.Subject, s.Attribute, s.Value)
		}
		if s.Subject != core.SubjectUser || !s.Closed.IsZero() {
			continue
		}
		for _, n := range never {
			if slices.Contains(strings.Fields(strings.ToLower(s.Value)), n) {
				t.Errorf("%s became true of the user: %s: %s", n, s.Attribute, s.Value)
			}
		}
	}
	if n := w.episodes(t, "m"); n != len(talk)+(len(talk)+2)/3 {
		t.Errorf("%d episodes are left of %d", n, len(talk)+(len(talk)+2)/3)
	}
}

// said reports whether one of a state's lines has every word of its value, by
// other means than sleep's own.
func (w *world) said(t *testing.T, space string, s core.State) bool {
	t.Helper()
	for _, src := range s.Sources {
		e, err := w.store.Episode(t.Context(), space, src.Episode)
		if err != nil {
			t.Fatal(err)
		}
		line := text.Fold(e.Text[src.Start:src.End])
		missing := 0
		for _, word := range strings.Fields(text.Fold(s.Value)) {
			word = strings.Trim(word, ".,'\"?!")
			if len(word) > 3 && !strings.Contains(line, strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e")) {
				missing++
			}
		}
		if missing == 0 {
			return true
		}
	}
	return false
}
