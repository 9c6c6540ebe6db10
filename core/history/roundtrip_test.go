package history_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

var t0 = time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)

// ticking is a clock that moves a second with each look.
func ticking() func() time.Time {
	at := t0
	return func() time.Time {
		at = at.Add(time.Second)
		return at
	}
}

func open(t *testing.T) *local.Memory {
	t.Helper()
	dir := t.TempDir()
	m, err := local.Open(context.Background(), local.Options{Home: dir, Path: filepath.Join(dir, "m.db"), OneShot: true, Now: ticking()})
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

func export(t *testing.T, m *local.Memory) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := history.Export(t.Context(), m.Store, core.DefaultSpace, "", &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func imported(t *testing.T, m *local.Memory, rows string) history.Summary {
	t.Helper()
	sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(rows), history.Options{
		Name: "test.jsonl", Bad: func(place string, err error) { t.Errorf("%s: %v\n%s", place, err, rows) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// alike makes exports of stores that gave different numbers comparable: numbers by
// order of appearance, and without the times of recording.
func alike(t *testing.T, rows string) string {
	t.Helper()
	seen := map[float64]int{}
	number := func(v any) any {
		f, ok := v.(float64)
		if !ok || f == 0 {
			return v
		}
		if seen[f] == 0 {
			seen[f] = len(seen) + 1
		}
		return seen[f]
	}
	var out []string
	for line := range strings.Lines(rows) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		delete(r, "recorded")
		for _, key := range []string{"n", "state", "superseded_by"} {
			if v, ok := r[key]; ok {
				r[key] = number(v)
			}
		}
		if list, ok := r["sources"].([]any); ok {
			for _, s := range list {
				s := s.(map[string]any)
				s["episode"] = number(s["episode"])
			}
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return strings.Join(out, "\n")
}

// live does what people do, at random.
func live(t *testing.T, m *local.Memory, rng *rand.Rand, steps int) {
	t.Helper()
	ctx := t.Context()
	texts := []string{
		"I live in Pune.", "The spare key is under the red pot. It is the small one.", "ok", "部署は金曜日です。", "Call me Sam <sam@example.org> & co.",
		"a\u00a0b \"quoted\" \\ back\n\nsecond paragraph", "password: hunter2horse", "bytes \xff here", "never push on Friday", "no tabs",
	}
	kinds := append(core.Kinds(), core.KindTurn, core.KindTurn, core.KindAntiPattern)
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for i := range steps {
		switch rng.IntN(10) {
		case 0:
			facts, err := m.Facts(ctx, engine.FactsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if len(facts) > 0 {
				if _, err := m.Forget(ctx, "", facts[rng.IntN(len(facts))].ID, pick([]string{"", "wrong"}), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		case 1:
			facts, err := m.Facts(ctx, engine.FactsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if len(facts) > 0 {
				if _, err := m.Correct(ctx, "", facts[rng.IntN(len(facts))].ID, fmt.Sprintf("not on Mondays %d", i), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		case 2:
			since := t0.Add(time.Duration(rng.IntN(60)) * time.Second)
			if _, err := m.Quarantine(ctx, "", pick([]string{"web", "chat"}), since, rng.IntN(2) == 0); err != nil && core.CodeOf(err) != core.CodeNotFound {
				t.Fatal(err)
			}
		default:
			in := engine.Input{
				Text: pick(texts), Kind: kinds[rng.IntN(len(kinds))], Role: core.Roles()[rng.IntN(4)], Speaker: pick([]string{"", "", "Ann"}),
				Session: pick([]string{"", "s1"}), Source: pick([]string{"", "web", "chat"}), TTL: pick([]string{"", "", "30m", "7d", "forever"}),
				Zone: pick([]string{"", "Asia/Kolkata"}),
			}
			if rng.IntN(2) == 0 {
				in.Key = fmt.Sprintf("k%d", i)
			}
			if rng.IntN(5) == 0 {
				in.Trust = core.TrustImport
			}
			added, err := m.Add(ctx, "", in)
			if err != nil || added[0].Error != "" {
				t.Fatalf("add %+v: %v %+v", in, err, added)
			}
		}
	}
}

// What was exported comes back: the same episodes, rules, corrections and quarantines,
// and importing it once more changes nothing.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			a, b := open(t), open(t)
			live(t, a, rand.New(rand.NewPCG(seed, 1)), 40)
			rows := export(t, a)
			imported(t, b, rows)
			back := export(t, b)
			if got, want := alike(t, back), alike(t, rows); got != want {
				t.Fatalf("came back different\n--- exported\n%s\n--- after import\n%s", want, got)
			}
			compare(t, a, b)
			sum := imported(t, b, rows)
			if sum.Added != 0 || sum.Commands != 0 {
				t.Errorf("importing again stored %d and did %d", sum.Added, sum.Commands)
			}
			if again := export(t, b); again != back {
				t.Errorf("importing again changed\n%s\nto\n%s", back, again)
			}
			// What was hidden when it was exported comes to light alike.
			for _, m := range []*local.Memory{a, b} {
				for _, source := range []string{"web", "chat"} {
					if _, err := m.Quarantine(t.Context(), "", source, time.Time{}, false); err != nil {
						t.Fatal(err)
					}
				}
			}
			compare(t, a, b)
		})
	}
}

// What a user commanded of what sleep made holds in another store too, after it slept:
// forgotten and corrected facts, lifted rules, and what a quarantine hides.
func TestCommandsSurvive(t *testing.T) {
	ctx := t.Context()
	a := open(t)
	add := func(source, text string, kind core.Kind) engine.Added {
		t.Helper()
		out, err := a.Add(ctx, "", engine.Input{Text: text, Kind: kind, Role: core.RoleUser, Source: source})
		if err != nil || out[0].Error != "" {
			t.Fatalf("%s: %v %+v", text, err, out)
		}
		return out[0]
	}
	for _, text := range []string{"I live in Pune.", "My locker number is 218.", "My dentist is Dr. Oduya.", "Never push to main.", "Never use tabs.", "My bank is Corvid."} {
		add("", text, core.KindTurn)
	}
	add("web", "My boat is the Petrel.", core.KindTurn)
	add("web", "no calls after six", core.KindAntiPattern)
	lifted := add("web", "no ads", core.KindAntiPattern)
	slept(t, a)
	one := func(value string) core.ID {
		t.Helper()
		facts, err := a.Facts(ctx, engine.FactsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if f.Value == value {
				return f.ID
			}
		}
		t.Fatalf("no fact %q in %+v", value, facts)
		return 0
	}
	for _, v := range []string{"Pune", "push to main"} {
		if _, err := a.Forget(ctx, "", one(v), "wrong", time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Correct(ctx, "", one("218"), "281", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Forget(ctx, "", lifted.RuleID, "", time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Erase(ctx, "", add("", "My password is swordfish.", core.KindTurn).ID); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Quarantine(ctx, "", "web", time.Time{}, true); err != nil {
		t.Fatal(err)
	}
	rows := export(t, a)
	if strings.Contains(rows, "swordfish") {
		t.Error("what was erased is exported")
	}
	b := open(t)
	imported(t, b, rows)
	slept(t, b)
	active := func(m *local.Memory) string {
		t.Helper()
		facts, err := m.Facts(ctx, engine.FactsRequest{Now: t0.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range facts {
			out = append(out, fmt.Sprintf("%s=%s %v", f.Attribute, f.Value, f.Forbidden))
		}
		slices.Sort(out)
		return strings.Join(out, "\n")
	}
	if got, want := active(b), active(a); got != want {
		t.Errorf("after import and sleep:\n%s\nwant\n%s", got, want)
	}
	for _, m := range []*local.Memory{a, b} {
		if _, err := m.Quarantine(ctx, "", "web", time.Time{}, false); err != nil {
			t.Fatal(err)
		}
		slept(t, m)
	}
	got := active(b)
	if want := active(a); got != want {
		t.Errorf("after the release:\n%s\nwant\n%s", got, want)
	}
	for value, want := range map[string]bool{"Petrel": true, "no calls after six": true, "281": true, "use tabs": true, "Pune": false, "push to main": false, "no ads": false, "218": false} {
		if strings.Contains(got, "="+value+" ") != want {
			t.Errorf("%q holds: %v, want %v, of\n%s", value, !want, want, got)
		}
	}
}

// slept consolidates by the rules backend.
func slept(t *testing.T, m *local.Memory) {
	t.Helper()
	if _, err := m.Sleep(t.Context(), sleep.Run{Space: core.DefaultSpace, Backend: "rules"}); err != nil {
		t.Fatal(err)
	}
}

// compare asks both stores what holds.
func compare(t *testing.T, a, b *local.Memory) {
	t.Helper()
	var shown [2]string
	for i, m := range []*local.Memory{a, b} {
		facts, err := m.Facts(t.Context(), engine.FactsRequest{History: true, Now: t0.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		lines := make([]string, 0, len(facts))
		for _, f := range facts {
			lines = append(lines, fmt.Sprintf("%s %s %s %v %v", f.Text, f.ValidFrom, f.ValidTo, f.Active, f.Forgotten))
		}
		r, err := m.Recall(t.Context(), engine.Request{Query: "spare key Pune 部署", Now: t0.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		shown[i] = strings.Join(lines, "\n") + "\n" + r.Block
	}
	if shown[0] != shown[1] {
		t.Errorf("differs\n--- before\n%s\n--- after\n%s", shown[0], shown[1])
	}
}
