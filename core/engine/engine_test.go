package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

var noon = time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) *local.Memory {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "memory.db"))
}

func openAt(t *testing.T, path string) *local.Memory {
	t.Helper()
	m, err := local.Open(context.Background(), local.Options{
		Path: path, Home: filepath.Dir(path), Now: func() time.Time { return noon }, Set: []string{`clock.timezone="UTC"`},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func add(t *testing.T, m *local.Memory, space string, inputs ...engine.Input) []engine.Added {
	t.Helper()
	out, err := m.Add(context.Background(), space, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range out {
		if a.Error != "" {
			t.Fatalf("input %d: %s", i, a.Error)
		}
	}
	return out
}

func recall(t *testing.T, m *local.Memory, space, query string) *engine.Recalled {
	t.Helper()
	r, err := m.Recall(context.Background(), engine.Request{Space: space, Query: query})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecallFindsWhatWasSaid(t *testing.T) {
	m := open(t)
	add(t, m, "",
		engine.Input{Text: "The spare key hangs behind the blue bucket in the shed."},
		engine.Input{Text: "Noted.", Role: core.RoleAssistant},
		engine.Input{Text: "Lunch was rice with greens."})
	r := recall(t, m, "", "Where is the spare key?")
	if !strings.Contains(r.Block, "behind the blue bucket") {
		t.Errorf("block:\n%s", r.Block)
	}
	if len(r.Notes) != 0 {
		t.Errorf("notes: %v", r.Notes)
	}
}

// Promise 4: a space never sees another space's words.
func TestSpacesAreApart(t *testing.T) {
	m := open(t)
	for i, s := range []string{"a", "b", "A", "a:b", "b:a"} {
		add(t, m, s, engine.Input{Text: fmt.Sprintf("The code of the gate is %d.", 7000+i)})
		add(t, m, s, engine.Input{Text: fmt.Sprintf("Mentioning the number %d", 7000+i), Kind: core.KindAntiPattern})
	}
	for i, s := range []string{"a", "b", "A", "a:b", "b:a"} {
		block := recall(t, m, s, "code of the gate number").Block
		for j := range 5 {
			if got := strings.Contains(block, fmt.Sprint(7000+j)); got != (i == j) {
				t.Errorf("space %q: holds %d: %v", s, 7000+j, got)
			}
		}
	}
	a, _ := m.Facts(context.Background(), engine.FactsRequest{Space: "a"})
	if _, err := m.Forget(context.Background(), "b", a[0].ID, "", time.Time{}); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("forget over the border: %v", err)
	}
	missing, _ := m.Episode(context.Background(), "b", 1)
	_, err := m.Episode(context.Background(), "b", 999999)
	_, other := m.Episode(context.Background(), "b", 1)
	if missing.Text != "" || core.CodeOf(err) != core.CodeOf(other) {
		t.Errorf("another space's id and a missing one differ: %v, %v", err, other)
	}
}

// Promise 7: the same store, query, clock and config give the same bytes, and nothing but
// a delivered answer changes anything.
func TestSameAnswerEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	m := openAt(t, path)
	for i := range 300 {
		add(t, m, "", engine.Input{Text: fmt.Sprintf("Note %d about the tram, the pond and box %d.", i, i%7), Session: fmt.Sprint(i / 20)})
	}
	first, err := m.Recall(context.Background(), engine.Request{Query: "box in the pond", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := m.Stats(context.Background())
	for range 3 {
		again := recall(t, m, "", "box in the pond")
		if again.Block != first.Block || !reflect.DeepEqual(again.Items, first.Items) {
			t.Fatal("another answer the second time")
		}
	}
	after, _ := m.Stats(context.Background())
	if before.Spaces[0].Uses != after.Spaces[0].Uses {
		t.Error("reading counted as use")
	}
	other := openAt(t, path) // built from the store at once, not as it came
	if got := recall(t, other, "", "box in the pond"); got.Block != first.Block {
		t.Errorf("another process answers\n%s\nwant\n%s", got.Block, first.Block)
	}
	if err := m.Delivered(context.Background(), "", engine.Request{}, first.Items); err != nil {
		t.Fatal(err)
	}
	used, _ := m.Stats(context.Background())
	if used.Spaces[0].Uses != before.Spaces[0].Uses+len(first.Items) {
		t.Errorf("%d uses after delivery of %d items, %d before", used.Spaces[0].Uses, len(first.Items), before.Spaces[0].Uses)
	}
}

func TestAnotherProcessIsSeenAtTheNextRecall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	a, b := openAt(t, path), openAt(t, path)
	add(t, a, "", engine.Input{Text: "The heron nests by the mill."})
	if r := recall(t, b, "", "heron"); !strings.Contains(r.Block, "mill") {
		t.Errorf("not seen: %q", r.Block)
	}
	add(t, b, "", engine.Input{Text: "The heron left in June."})
	if r := recall(t, a, "", "heron"); !strings.Contains(r.Block, "June") {
		t.Errorf("not seen: %q", r.Block)
	}
}

func TestRuleStandsAtOnceAndIsLifted(t *testing.T) {
	m := open(t)
	ctx := context.Background()
	a, err := m.Forbid(ctx, "", "Chaining commands with semicolons", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"", "how do I list files?", "((("} {
		if r := recall(t, m, "", q); !strings.Contains(r.Block, "semicolons") || !strings.Contains(r.Stable, "semicolons") {
			t.Errorf("query %q: rule is missing:\n%s", q, r.Block)
		}
	}
	if _, err := m.Forget(ctx, "", a.RuleID, "fine now", time.Time{}); err != nil {
		t.Fatal(err)
	}
	r := recall(t, m, "", "semicolons")
	if strings.Contains(r.Stable, "semicolons") {
		t.Errorf("lifted, and still a rule:\n%s", r.Block)
	}
	for _, line := range strings.Split(r.Block, "\n") {
		if strings.Contains(line, "semicolons") && !strings.Contains(line, "[outdated") {
			t.Errorf("its line is not marked: %s", line)
		}
	}
	if _, err := m.Forget(ctx, "", a.RuleID, "", time.Time{}); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("lifting twice: %v", err)
	}
	if _, err := m.Forget(ctx, "", a.ID, "", time.Time{}); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("forgetting an episode: %v", err)
	}
}

func TestCorrectReplacesAFact(t *testing.T) {
	m := open(t)
	ctx := context.Background()
	a, err := m.Forbid(ctx, "", "Using tabs", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Correct(ctx, "", a.RuleID, "Using spaces", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Value != "Using spaces" || !f.Active || len(f.Sources) != 1 || f.Sources[0].Text != "Using spaces" {
		t.Errorf("corrected fact: %+v", f)
	}
	facts, _ := m.Facts(ctx, engine.FactsRequest{History: true})
	if len(facts) != 2 || facts[0].Active || facts[0].SupersededBy != f.ID {
		t.Errorf("history: %+v", facts)
	}
}

func TestEraseLeavesNothingToRecall(t *testing.T) {
	m := open(t)
	a := add(t, m, "", engine.Input{Text: "My locker is number 4417."}, engine.Input{Text: "The pool opens at nine."})
	if _, err := m.Erase(context.Background(), "", a[0].ID); err != nil {
		t.Fatal(err)
	}
	if r := recall(t, m, "", "locker number"); strings.Contains(r.Block, "4417") {
		t.Errorf("erased, and recalled:\n%s", r.Block)
	}
	if _, err := m.Erase(context.Background(), "", a[0].ID); !errors.Is(err, core.ErrNotFound) {
		t.Errorf("erasing twice: %v", err)
	}
}

func TestWhatIsRefusedIsRefusedAlone(t *testing.T) {
	m := open(t)
	out, err := m.Add(context.Background(), "",
		engine.Input{Text: "good"}, engine.Input{Text: "  "}, engine.Input{Text: strings.Repeat("x", 1<<20+1)},
		engine.Input{Text: "k", Kind: "poem"}, engine.Input{Text: "r", Role: "king"}, engine.Input{Text: "z", Zone: "Mars/Base"},
		engine.Input{Text: "t", TTL: "-3h"}, engine.Input{Text: "s", Session: strings.Repeat("s", 513)}, engine.Input{Text: "fine"})
	if err != nil {
		t.Fatal(err)
	}
	want := []core.Code{"", core.CodeInvalid, core.CodeTooLarge, core.CodeInvalid, core.CodeInvalid, core.CodeInvalid, core.CodeInvalid, core.CodeTooLarge, ""}
	for i, a := range out {
		if a.Code != want[i] || (a.Error == "") != (want[i] == "") || (a.ID == 0) != (want[i] != "") {
			t.Errorf("input %d: %+v, want code %q", i, a, want[i])
		}
	}
}

func TestRepeatIsKeptAndFoundOnce(t *testing.T) {
	m := open(t)
	a := add(t, m, "", engine.Input{Text: "Badge 4471 opens the door."}, engine.Input{Text: "Badge 4471  opens the door."}, engine.Input{Text: "Badge 4417 opens the door."})
	if a[1].RepeatOf != a[0].ID || a[2].RepeatOf != 0 {
		t.Errorf("repeats: %+v", a)
	}
	r := recall(t, m, "", "which badge opens the door?")
	if strings.Count(r.Block, "4471") != 1 || strings.Count(r.Block, "4417") != 1 {
		t.Errorf("block:\n%s", r.Block)
	}
	s, _ := m.Stats(context.Background())
	if s.Spaces[0].Episodes != 3 {
		t.Errorf("%d episodes are kept, want 3", s.Spaces[0].Episodes)
	}
}

// TestSaidAgainInOtherWords: a line that adds nothing to a better one is left out, and one
// that differs in a number is not.
func TestSaidAgainInOtherWords(t *testing.T) {
	m := open(t)
	add(t, m, "",
		engine.Input{Text: "I usually take the bus number 14 to the office in the old harbour."},
		engine.Input{Text: "I usually take bus number 14 to the office in the old harbour!"},
		engine.Input{Text: "I usually take the bus number 15 to the office in the old harbour."},
	)
	r := recall(t, m, "", "which bus do I take to the office?")
	if strings.Count(r.Block, "14") != 1 || strings.Count(r.Block, "15") != 1 {
		t.Errorf("block:\n%s", r.Block)
	}
	r, err := m.Recall(t.Context(), engine.Request{Query: "which bus do I take to the office?", Off: []string{"novelty"}})
	if err != nil || strings.Count(r.Block, "14") != 2 {
		t.Errorf("without novelty: %v\n%s", err, r.Block)
	}
}

func TestTimeToLive(t *testing.T) {
	m := open(t)
	add(t, m, "",
		engine.Input{Text: "The visitor code is 90417.", At: noon.Add(-48 * time.Hour), TTL: "1d"},
		engine.Input{Text: "The visitor desk is by the east door.", At: noon.Add(-48 * time.Hour)},
		engine.Input{Text: "The visitor lift is number 3316.", At: noon.Add(-time.Minute), TTL: "session"})
	block := recall(t, m, "", "visitor code desk lift").Block
	if strings.Contains(block, "90417") || !strings.Contains(block, "east door") || !strings.Contains(block, "3316") {
		t.Errorf("block:\n%s", block)
	}
	if _, err := m.Episode(context.Background(), "", 1); err != nil {
		t.Errorf("the log keeps it: %v", err)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	m := open(t)
	a := add(t, m, "", engine.Input{Text: "config: password: hunter2secret and host: db1"})
	ep, err := m.Episode(context.Background(), "", a[0].ID)
	if err != nil || strings.Contains(ep.Text, "hunter2secret") || a[0].Masked == 0 {
		t.Errorf("stored %q (%d masked), %v", ep.Text, a[0].Masked, err)
	}
}

func TestSaidTextsAreLeftOut(t *testing.T) {
	m := open(t)
	add(t, m, "", engine.Input{Text: "I parked on level 3."}, engine.Input{Text: "The car is blue."})
	r, err := m.Recall(context.Background(), engine.Request{Query: "where is the car parked?", Said: []string{"hello. I parked on level 3. ok"}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.Block, "level 3") || !strings.Contains(r.Block, "blue") {
		t.Errorf("block:\n%s", r.Block)
	}
}

func TestNothingStoredIsNothing(t *testing.T) {
	m := open(t)
	for _, q := range []string{"", "anything", "\x00", "(((", strings.Repeat("lighthouse ", 20_000), "\u202e", "\xff\xfe"} {
		if r := recall(t, m, "nobody", q); r.Block != "" || len(r.Items) != 0 || r.Tokens != 0 {
			t.Errorf("query %.20q: %+v", q, r)
		}
	}
}

func TestOffAndSetChangeOneRequest(t *testing.T) {
	m := open(t)
	add(t, m, "", engine.Input{Text: "A fox crossed the yard."})
	ctx := context.Background()
	r, err := m.Search(ctx, engine.Request{Query: "fox", Off: []string{"soft_context"}, Set: map[string]string{"stage.bm25.k": "5"}, Explain: true})
	if err != nil || len(r.Passages) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, s := range r.Trace.Steps {
		if s.Stage == "soft_context" {
			t.Error("soft_context ran")
		}
	}
	for _, bad := range []engine.Request{
		{Query: "fox", Off: []string{"sofd_context"}}, {Query: "fox", Set: map[string]string{"stage.bm25.kk": "5"}},
		{Query: "fox", Set: map[string]string{"stage.bm25.k": "many"}}, {Query: "fox", Set: map[string]string{"store.path": `"/x"`}},
		{Query: "fox", Limit: -1}, {Query: "fox", Limit: 5000}, {Query: "fox", Format: "xml"}, {Query: "fox", Space: "a\nb"},
	} {
		if _, err := m.Search(ctx, bad); err == nil {
			t.Errorf("%+v: accepted", bad)
		}
	}
}

func TestCancelledRecallStops(t *testing.T) {
	m := open(t)
	add(t, m, "", engine.Input{Text: "A fox."})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Recall(ctx, engine.Request{Query: "fox"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestDayIsFoundAmongManyNotes is what the stage dated is for: the words of a question
// that names a day are those of every note, and only the day tells which is meant.
func TestDayIsFoundAmongManyNotes(t *testing.T) {
	m := open(t)
	var inputs []engine.Input
	for i := range 2000 {
		at := noon.AddDate(0, 0, -i/4)
		inputs = append(inputs, engine.Input{
			Text: fmt.Sprintf("Walked the dog along the canal and met neighbour number %d.", i), At: at, Session: at.Format(time.DateOnly),
		})
	}
	add(t, m, "", inputs...)
	ctx := context.Background()
	found := func(off ...string) bool {
		r, err := m.Search(ctx, engine.Request{Query: "Whom did I meet along the canal on 2 July 2025?", Off: off, Limit: 4})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Passages {
			if p.At.Format(time.DateOnly) != "2025-07-02" {
				return false
			}
		}
		return len(r.Passages) == 4
	}
	if !found() {
		t.Error("the notes of the day are not the first")
	}
	if found("dated") {
		t.Error("found without the stage dated: this test shows nothing")
	}
}

// TestStrangeQueryFindsNothing is what the stage relevance is for.
func TestStrangeQueryFindsNothing(t *testing.T) {
	m := open(t)
	var inputs []engine.Input
	for i := range 120 {
		inputs = append(inputs, engine.Input{Text: []string{
			"Lunch was rice with greens, number %d.", "The lift stopped on floor %d again.", "Read %d pages before bed.", "Paid invoice %d before noon.",
		}[i%4], At: noon.Add(-time.Duration(i) * time.Hour)})
		inputs[i].Text = fmt.Sprintf(inputs[i].Text, i)
	}
	add(t, m, "", inputs...)
	for _, q := range []string{"🏡", "zxqv blorf", "Photosyntheseprodukte", "ഞാൻ എവിടെ", "((((", "den*"} {
		r, err := m.Search(context.Background(), engine.Request{Query: q})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Passages) > 0 {
			t.Errorf("query %q finds %d rows, the first %q", q, len(r.Passages), r.Passages[0].Text)
		}
	}
	r, err := m.Search(context.Background(), engine.Request{Query: "which elevator broke down?"})
	if err != nil || len(r.Passages) == 0 || !strings.Contains(r.Passages[0].Text, "lift") {
		t.Errorf("other words for the same are not found: %+v, %v", r, err)
	}
}

// TestNamesLeadOn is what the stage link is for: the answer shares no word with the
// question, and is reached over a name.
func TestNamesLeadOn(t *testing.T) {
	m := open(t)
	var inputs []engine.Input
	for i := range 100 {
		inputs = append(inputs, engine.Input{Text: fmt.Sprintf("The tram at stop %d was late.", i), At: noon.Add(-time.Duration(i) * time.Hour)})
	}
	inputs = append(inputs,
		engine.Input{Text: "The boiler was installed by Halvard Pipes.", At: noon.Add(-50 * time.Hour)},
		engine.Input{Text: "Call Halvard Pipes under 5520.", At: noon.Add(-20 * time.Hour)})
	add(t, m, "", inputs...)
	if r := recall(t, m, "", "Who do I ring about the boiler?"); !strings.Contains(r.Block, "5520") {
		t.Errorf("block:\n%s", r.Block)
	}
}
