package sleep_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
)

// corpus is a history that changes its mind, with every date stated.
func corpus(r *rand.Rand, n int) []core.Episode {
	cities := []string{"Aveiro", "Bruges", "Cork", "Lund", "Turku", "Graz"}
	likes := []string{"opera", "chess", "pottery", "rowing"}
	jobs := []string{"translator", "baker", "diver", "pilot"}
	var out []core.Episode
	day := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		day = day.AddDate(0, 0, 1+r.IntN(20))
		on := day.AddDate(0, 0, -1).Format("2 January 2006")
		var s string
		switch r.IntN(6) {
		case 0, 1:
			s = fmt.Sprintf("I moved to %s on %s.", cities[r.IntN(len(cities))], on)
		case 2:
			s = fmt.Sprintf("I like %s.", likes[r.IntN(len(likes))])
		case 3:
			s = fmt.Sprintf("I became a %s on %s.", jobs[r.IntN(len(jobs))], on)
		case 4:
			s = fmt.Sprintf("My sister Noemi moved to %s on %s.", cities[r.IntN(len(cities))], on)
		default:
			s = fmt.Sprintf("Never book flight %d.", r.IntN(4))
		}
		out = append(out, core.Episode{Text: s, Session: fmt.Sprint("s", i/5), At: day})
	}
	return out
}

// active describes what is true in a space: all that does not depend on IDs.
func (w *world) active(t *testing.T, space string, history bool) []string {
	t.Helper()
	var out []string
	for _, s := range w.states(space) {
		if !s.Closed.IsZero() && !history {
			continue
		}
		l := fmt.Sprintf("%s|%s|%s|%s|%v|%s|%s", s.Subject, s.Attribute, s.Value, s.Condition, s.Forbidden, s.ValidFrom, s.ValidTo)
		if history {
			l += fmt.Sprintf("|%d sources", len(s.Sources))
		}
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%s\n  got:\n    %s\n  want:\n    %s", what, strings.Join(got, "\n    "), strings.Join(want, "\n    "))
	}
}

func TestSecondSleepChangesNothing(t *testing.T) {
	w := newWorld(t, nil)
	for seed := range uint64(10) {
		space := fmt.Sprint("idem", seed)
		for _, e := range corpus(rand.New(rand.NewPCG(seed, 1)), 30) {
			w.say(space, e)
		}
		w.mustSleep(t, sl.Run{Space: space, Now: w.now})
		before, v1 := w.active(t, space, true), w.version(t, space)
		rep := w.mustSleep(t, sl.Run{Space: space, Now: w.now.AddDate(0, 0, 1)})
		if rep.Batches != 0 || len(rep.Accepted) != 0 {
			t.Fatalf("the second sleep found work: %+v", rep)
		}
		if v2 := w.version(t, space); v1 != v2 {
			t.Fatalf("the second sleep wrote: %v, %v", v1, v2)
		}
		same(t, "second sleep", w.active(t, space, true), before)
	}
}

func (w *world) mustSleep(t testing.TB, r sl.Run) *sl.Report {
	t.Helper()
	if r.Backend == "" {
		r.Backend = "rules"
	}
	rep, err := w.sleep.Sleep(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func (w *world) version(t testing.TB, space string) core.Version {
	t.Helper()
	v, err := w.store.Version(context.Background(), space)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// With every date stated, the order in which history arrives makes no difference.
func TestOrderOfBatchesMakesNoDifference(t *testing.T) {
	w := newWorld(t, nil)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		eps := corpus(r, 24)
		inOrder := fmt.Sprint("order", seed)
		for _, e := range eps {
			w.say(inOrder, e)
		}
		w.mustSleep(t, sl.Run{Space: inOrder, Now: w.now})
		want := w.active(t, inOrder, false)
		for shuffle := range 3 {
			space := fmt.Sprint("shuffled", seed, "-", shuffle)
			groups := split(eps, 4)
			r.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
			for _, g := range groups {
				for _, e := range g {
					w.say(space, e)
				}
				w.mustSleep(t, sl.Run{Space: space, Now: w.now})
			}
			same(t, fmt.Sprint("shuffled batches, seed ", seed), w.active(t, space, false), want)
		}
	}
}

func split(eps []core.Episode, n int) [][]core.Episode {
	var out [][]core.Episode
	for len(eps) > 0 {
		k := min(n, len(eps))
		out = append(out, eps[:k])
		eps = eps[k:]
	}
	return out
}

// changes is a history in which later lines lean on earlier ones.
func changes(r *rand.Rand, n int) []core.Episode {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var out []core.Episode
	day := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		day = day.AddDate(0, 0, 1)
		s := pick(
			"My badge is "+pick("4471", "4417", "9917")+".", "No, it's "+pick("4471", "4417")+".", "My badge changed to "+pick("8820", "8821")+".",
			"I work at "+pick("Brightwell Labs", "Corvid Group")+".", "I was laid off.", "I quit my job.", "I used to work at Corvid Group.",
			"My bank is "+pick("Halyard Mutual", "Corvid Savings")+".", "I switched from Corvid Savings to Halyard Mutual.", "My rent went up to "+pick("700", "750")+" euros.",
			"My standup is at "+pick("9:30", "10:15")+".", "My standup moved to 11:00.", "Never use semicolons.", "You can use semicolons again.", "I worked at Nimbus until 2019.",
			"I meant Halyard Mutual.", "Nice weather today.", "I'm married to Ingvild.", "We got divorced.",
		)
		out = append(out, core.Episode{Text: s, Session: fmt.Sprint("s", i/9), At: day})
	}
	return out
}

func TestRebuildEqualsSleepAsItCame(t *testing.T) {
	w := newWorld(t, nil)
	for seed := range uint64(16) {
		space := fmt.Sprint("rebuild", seed)
		history := corpus
		if seed >= 8 {
			history = changes
		}
		for i, e := range history(rand.New(rand.NewPCG(seed, 3)), 30) {
			w.say(space, e)
			if i%7 == 6 {
				w.mustSleep(t, sl.Run{Space: space, Now: e.At})
			}
		}
		w.mustSleep(t, sl.Run{Space: space, Now: w.now})
		want := w.active(t, space, true)
		w.mustSleep(t, sl.Run{Space: space, Now: w.now, Rebuild: true})
		same(t, fmt.Sprint("rebuild, seed ", seed), w.active(t, space, true), want)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	w := newWorld(t, nil)
	for _, e := range corpus(rand.New(rand.NewPCG(1, 4)), 30) {
		w.say("dry", e)
	}
	before := w.version(t, "dry")
	rep := w.mustSleep(t, sl.Run{Space: "dry", Now: w.now, DryRun: true})
	if len(rep.Accepted) == 0 || rep.Episodes == 0 {
		t.Errorf("the dry run found nothing: %+v", rep)
	}
	if after := w.version(t, "dry"); after != before || len(w.states("dry")) != 0 {
		t.Errorf("the dry run wrote: %v, %v", before, after)
	}
	if real := w.mustSleep(t, sl.Run{Space: "dry", Now: w.now}); len(real.Accepted) != len(rep.Accepted) {
		t.Errorf("the dry run accepted %d items, the real one %d", len(rep.Accepted), len(real.Accepted))
	}
}

func TestTakenBackStaysAway(t *testing.T) {
	w := newWorld(t, nil)
	day := func(n int) time.Time { return monday.AddDate(0, 0, n) }
	say := func(n int, s string) { w.say("j", core.Episode{Text: s, Session: "main", At: day(n)}) }
	held := func(value string) bool {
		return slices.ContainsFunc(w.states("j"), func(s core.State) bool { return s.Closed.IsZero() && s.Value == value })
	}
	say(0, "My favourite cafe is Blauhaus.")
	say(0, "Never book morning flights.")
	say(0, "I live in Ghent.")
	w.mustSleep(t, sl.Run{Space: "j", Now: day(1)})
	for _, s := range w.states("j") {
		if s.Value != "Ghent" {
			w.forget("j", day(2), s)
		}
	}
	say(1, "My favourite cafe is Blauhaus, by the way.") // said before it was forgotten, arrives later
	w.mustSleep(t, sl.Run{Space: "j", Now: day(3)})
	check := func(when string) {
		t.Helper()
		if held("Blauhaus") || held("book morning flights") || !held("Ghent") {
			t.Errorf("%s: what was taken back is there, or what was not is gone: %v", when, w.active(t, "j", false))
		}
	}
	check("after a sleep")
	w.mustSleep(t, sl.Run{Space: "j", Now: day(4), Rebuild: true})
	check("after a rebuild")
	say(5, "My favourite cafe is Blauhaus.")
	w.mustSleep(t, sl.Run{Space: "j", Now: day(6)})
	if !held("Blauhaus") {
		t.Error("what is said anew must be back")
	}
	w.mustSleep(t, sl.Run{Space: "j", Now: day(7), Rebuild: true})
	if !held("Blauhaus") {
		t.Error("a rebuild lost what was said anew")
	}
}

func TestExpiredLinesMakeNoFacts(t *testing.T) {
	w := newWorld(t, nil)
	w.say("x", core.Episode{Text: "My locker number is 218.", At: monday, Expires: monday.AddDate(0, 0, 7)})
	w.mustSleep(t, sl.Run{Space: "x", Now: monday.AddDate(0, 0, 1)})
	st := w.states("x")
	if len(st) != 1 || !st[0].Active(monday.AddDate(0, 0, 6)) || st[0].Active(monday.AddDate(0, 0, 8)) {
		t.Errorf("the fact must end with its line: %+v", st)
	}
}

func TestLongRecordsAreReadWhole(t *testing.T) {
	w := newWorld(t, nil)
	var b strings.Builder
	for i := range 900 {
		fmt.Fprintf(&b, "The lighthouse keeper counted gulls for the log, page %d of it. ", i)
	}
	b.WriteString("I live in Tavira.")
	w.say("long", core.Episode{Text: b.String(), Kind: core.KindNote, At: monday})
	rep := w.mustSleep(t, sl.Run{Space: "long", Now: w.now})
	if rep.Batches < 3 || rep.Lines < 900 || rep.Episodes != 1 {
		t.Errorf("batches %d, lines %d, episodes %d", rep.Batches, rep.Lines, rep.Episodes)
	}
	if st := w.states("long"); len(st) != 1 || st[0].Value != "Tavira" {
		t.Errorf("the last sentence was not read: %+v", st)
	}
	pending, err := w.store.Pending(t.Context(), "long", w.now, 10)
	if err != nil || len(pending) != 0 {
		t.Errorf("still pending: %v, %v", pending, err)
	}
}
