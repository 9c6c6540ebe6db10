package sleep_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/rules"
)

// moody is an extractor that fails as told and else extracts by rules.
type moody struct {
	fail  func(lines []*sl.Line) error
	calls int
}

func (m *moody) Name() string { return "moody" }

func (m *moody) Extract(ctx context.Context, r *sl.Request) ([]sl.Proposal, error) {
	m.calls++
	if m.fail != nil {
		if err := m.fail(r.Lines); err != nil {
			return nil, err
		}
	}
	return rules.New().Extract(ctx, r)
}

func (w *world) pending(t *testing.T, space string) []core.PendingEpisode {
	t.Helper()
	p, err := w.store.Pending(t.Context(), space, w.now, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAnAbsentModelCostsNoAttempt(t *testing.T) {
	m := &moody{fail: func([]*sl.Line) error { return core.Errorf(core.CodeUnavailable, "connection refused") }}
	w := newWorld(t, map[string]sl.Extractor{"moody": m})
	for i := range 5 {
		w.say("a", core.Episode{Text: fmt.Sprintf("My locker number is %d.", i), At: monday.AddDate(0, 0, i)})
	}
	for range 5 {
		rep, err := w.consolidate("a", "moody", w.now)
		if core.CodeOf(err) != core.CodeUnavailable {
			t.Fatalf("error %v, want one of code unavailable", err)
		}
		if len(rep.Failed) != 1 || rep.Failed[0].Attempt {
			t.Errorf("report %+v", rep.Failed)
		}
	}
	for _, p := range w.pending(t, "a") {
		if p.Attempts != 0 || p.Retired {
			t.Errorf("episode %d: %d attempts", p.ID, p.Attempts)
		}
	}
	if n := len(w.pending(t, "a")); n != 5 {
		t.Fatalf("%d episodes wait, want 5", n)
	}
	m.fail = nil
	if _, err := w.consolidate("a", "moody", w.now); err != nil || len(w.pending(t, "a")) != 0 {
		t.Errorf("after the model is back: %v, %d wait", err, len(w.pending(t, "a")))
	}
}

func TestABadRecordStandsAlone(t *testing.T) {
	m := &moody{fail: func(lines []*sl.Line) error {
		for _, l := range lines {
			if strings.Contains(l.Text, "poison") {
				return errors.New("the answer holds no whole object")
			}
		}
		return nil
	}}
	w := newWorld(t, map[string]sl.Extractor{"moody": m})
	for i := range 12 {
		s := fmt.Sprintf("I like recipe number %d.", i)
		if i == 7 {
			s = "The poison pen wrote this."
		}
		w.say("a", core.Episode{Text: s, At: monday.AddDate(0, 0, i)})
	}
	for try := 1; try <= 3; try++ {
		rep, err := w.consolidate("a", "moody", w.now)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.states("a")) != 11 {
			t.Fatalf("%d states, want those of the 11 good lines", len(w.states("a")))
		}
		if len(rep.Failed) != 1 || !rep.Failed[0].Attempt || len(rep.Failed[0].Episodes) != 1 || rep.Failed[0].Retired != (try == 3) {
			t.Errorf("try %d: %+v", try, rep.Failed)
		}
	}
	if p := w.pending(t, "a"); len(p) != 0 {
		t.Errorf("the bad record must be retired: %+v", p)
	}
	calls := m.calls
	if _, err := w.consolidate("a", "moody", w.now); err != nil || m.calls != calls {
		t.Error("a retired record was read again")
	}
	// A rebuild reads it again.
	m.fail = nil
	rep := w.mustSleep(t, sl.Run{Space: "a", Now: w.now, Backend: "moody", Rebuild: true})
	if rep.Episodes != 12 {
		t.Errorf("the rebuild read %d episodes, want all 12", rep.Episodes)
	}
}

func TestACallerThatGivesUpLosesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := &moody{fail: func([]*sl.Line) error { cancel(); return ctx.Err() }}
	w := newWorld(t, map[string]sl.Extractor{"moody": m})
	w.say("a", core.Episode{Text: "I live in Ghent.", At: monday})
	if _, err := w.sleep.Sleep(ctx, sl.Run{Space: "a", Backend: "moody", Now: w.now}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if p := w.pending(t, "a"); len(p) != 1 || p[0].Attempts != 0 {
		t.Errorf("pending %+v", p)
	}
	ok, err := w.store.Lease(context.Background(), "a", "other", w.now, w.now.Add(time.Minute))
	if err != nil || !ok {
		t.Error("the lease was not given back")
	}
}

func TestTwoSleepersKeepApart(t *testing.T) {
	w := newWorld(t, nil)
	w.say("a", core.Episode{Text: "I live in Ghent.", At: monday})
	if ok, err := w.store.Lease(t.Context(), "a", "other", w.now, w.now.Add(time.Minute)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := w.consolidate("a", "rules", w.now); !errors.Is(err, core.ErrBusy) {
		t.Errorf("error %v, want busy", err)
	}
	if len(w.states("a")) != 0 {
		t.Error("it slept without the lease")
	}
	w.now = w.now.Add(2 * time.Minute) // the other one died
	if _, err := w.consolidate("a", "rules", w.now); err != nil || len(w.states("a")) != 1 {
		t.Errorf("after the lease ran out: %v", err)
	}
}

func TestTheLeaseIsRenewedWithThePresentTime(t *testing.T) {
	w := newWorld(t, nil)
	m := &moody{}
	w2 := newWorld(t, map[string]sl.Extractor{"moody": m})
	_ = w
	m.fail = func([]*sl.Line) error {
		// Each batch takes longer than a lease; another sleeper looks in between.
		w2.now = w2.now.Add(90 * time.Second)
		if ok, err := w2.store.Lease(context.Background(), "a", "other", w2.now, w2.now.Add(time.Minute)); ok || err != nil {
			return fmt.Errorf("another sleeper got in: %v %v", ok, err)
		}
		return nil
	}
	for i := range 400 {
		w2.say("a", core.Episode{Text: fmt.Sprintf("I like the very long name of recipe number %d of the old handwritten book in the kitchen.", i), At: monday.AddDate(0, 0, i)})
	}
	rep, err := w2.consolidate("a", "moody", w2.now)
	if err != nil || len(rep.Failed) > 0 || rep.Batches < 3 {
		t.Errorf("%v, %d batches, failed %+v", err, rep.Batches, rep.Failed)
	}
}

func TestSpacesStayApart(t *testing.T) {
	w := newWorld(t, nil)
	w.say("north", core.Episode{Text: "I live in Odense.", At: monday})
	w.say("south", core.Episode{Text: "I live in Faro.", At: monday})
	w.mustSleep(t, sl.Run{Space: "north", Now: w.now})
	if n, s := w.states("north"), w.states("south"); len(n) != 1 || len(s) != 0 || n[0].Value != "Odense" {
		t.Errorf("north %v, south %v", n, s)
	}
	if p := w.pending(t, "south"); len(p) != 1 {
		t.Error("sleeping in one space touched the queue of another")
	}
}

func TestReportsAreKept(t *testing.T) {
	w := newWorld(t, nil)
	w.say("a", core.Episode{Text: "I live in Ghent. I don't live in Porto.", At: monday})
	rep := w.mustSleep(t, sl.Run{Space: "a", Now: w.now})
	if rep.Outcomes["new"] != 1 || rep.Reasons["denied"] != 1 {
		t.Errorf("outcomes %v, reasons %v", rep.Outcomes, rep.Reasons)
	}
	kept, err := w.store.Reports(t.Context(), "a", 10)
	if err != nil || len(kept) != 1 || !strings.Contains(string(kept[0].Data), `"reason":"denied"`) {
		t.Errorf("kept reports: %v %s", err, kept)
	}
	if !slices.ContainsFunc(rep.Rejected, func(r sl.ReportItem) bool { return len(r.Sources) == 1 && r.Sources[0].Start > 0 }) {
		t.Errorf("a rejection must name its line: %+v", rep.Rejected)
	}
}
