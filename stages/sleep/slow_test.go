package sleep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/orma-memory/orma/core"
	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/llm"
)

// sluggish is a model that takes a while for each line it is shown, and longer for
// lines about the lighthouse. It answers with what "My X is Y." says.
type sluggish struct {
	each, lighthouse time.Duration
	asked            []int // lines in each request
}

func (m *sluggish) RoundTrip(r *http.Request) (*http.Response, error) {
	var req struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return nil, err
	}
	var states []map[string]any
	n, wait := 0, time.Duration(0)
	for l := range strings.Lines(req.Messages[len(req.Messages)-1].Content) {
		tag, rest, ok := strings.Cut(l, "] (")
		if !ok || !strings.HasPrefix(tag, "[s") {
			continue
		}
		n++
		wait += m.each
		if strings.Contains(rest, "lighthouse") {
			wait += m.lighthouse
		}
		if _, said, ok := strings.Cut(rest, "My "); ok {
			noun, value, _ := strings.Cut(strings.TrimRight(said, ".\n"), " is ")
			states = append(states, map[string]any{"subject": "user", "attribute": noun, "value": value, "condition": "", "prohibited": false, "cites": []string{tag[1:]}})
		}
	}
	m.asked = append(m.asked, n)
	select {
	case <-time.After(wait):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	answer, _ := json.Marshal(map[string]any{"states": states, "events": []any{}})
	body, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": string(answer)}}}})
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}

// slowly runs f with a world whose model is m and answers within ten seconds or is
// cut off, on a clock that costs no time.
func slowly(t *testing.T, m *sluggish, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x, err := llm.New(llm.Options{Upstream: "http://127.0.0.1:1", Model: "slow", Timeout: 10 * time.Second, Transport: m})
		if err != nil {
			t.Fatal(err)
		}
		f(t, newWorld(t, map[string]sl.Extractor{"llm": x}))
	})
}

func lockers(w *world, n int, more ...string) {
	for i := range n {
		w.say("a", core.Episode{Text: fmt.Sprintf("My locker number %c is %d.", 'a'+i, 100+i), At: monday.Add(time.Duration(i) * time.Minute)})
	}
	for i, s := range more {
		w.say("a", core.Episode{Text: s, At: monday.Add(time.Duration(n+i) * time.Minute)})
	}
}

// A batch that takes too long is halved until it is answered in time, and what fits is
// remembered for the rest of the sleep.
func TestASlowModelIsAskedAboutLess(t *testing.T) {
	m := &sluggish{each: 2 * time.Second}
	slowly(t, m, func(t *testing.T, w *world) {
		lockers(w, 16)
		rep, err := w.consolidate("a", "llm", w.now)
		if err != nil || len(rep.Failed) > 0 {
			t.Fatalf("%v, failed %+v", err, rep.Failed)
		}
		if got := len(w.states("a")); got != 16 {
			t.Errorf("%d facts of 16", got)
		}
		if len(w.pending(t, "a")) != 0 {
			t.Error("lines are left")
		}
		slices.Sort(m.asked[2:])
		if m.asked[0] != 16 || m.asked[1] < 5 || slices.Max(m.asked[2:]) > 4 {
			t.Errorf("asked about %v lines, want 16, half of it, then never more than 4", m.asked)
		}
	})
}

// The lines of one long record are split too.
func TestALongRecordIsSplitByLines(t *testing.T) {
	m := &sluggish{each: 3 * time.Second}
	slowly(t, m, func(t *testing.T, w *world) {
		var b strings.Builder
		for i := range 9 {
			fmt.Fprintf(&b, "My badge number %c is %d.\n", 'a'+i, 500+i)
		}
		lockers(w, 0, b.String())
		rep, err := w.consolidate("a", "llm", w.now)
		if err != nil || len(rep.Failed) > 0 {
			t.Fatalf("%v, failed %+v", err, rep.Failed)
		}
		if got := len(w.states("a")); got != 9 || len(w.pending(t, "a")) != 0 {
			t.Errorf("%d facts of 9, %d records left", got, len(w.pending(t, "a")))
		}
	})
}

// A line that alone takes too long fails with its reason and is retired in the end;
// the lines around it are read.
func TestALineThatTakesTooLongStandsAlone(t *testing.T) {
	m := &sluggish{each: time.Second, lighthouse: time.Hour}
	slowly(t, m, func(t *testing.T, w *world) {
		lockers(w, 3, "My tower is the lighthouse.", "My gate code is 4471.")
		for try := range 3 {
			rep, err := w.consolidate("a", "llm", w.now)
			if err != nil && try < 2 {
				t.Logf("try %d: %v", try, err)
			}
			for _, f := range rep.Failed {
				if !strings.Contains(f.Error, "within 10s") && !strings.Contains(f.Error, "in time") {
					t.Errorf("reason %q", f.Error)
				}
			}
			if try == 0 && (err != nil || len(rep.Failed) != 1 || !rep.Failed[0].Attempt) {
				t.Errorf("first try: %v, %+v", err, rep.Failed)
			}
		}
		if got := len(w.states("a")); got != 4 {
			t.Errorf("%d facts of 4", got)
		}
	})
}

// A model that never answers in time is one that is away: nothing counts against any
// line, and everything waits.
func TestAModelThatNeverAnswersCostsNothing(t *testing.T) {
	m := &sluggish{each: time.Minute}
	slowly(t, m, func(t *testing.T, w *world) {
		lockers(w, 6)
		rep, err := w.sleep.Sleep(context.Background(), sl.Run{Space: "a", Backend: "llm", Now: w.now})
		if core.CodeOf(err) != core.CodeUnavailable {
			t.Errorf("error %v, want one of code unavailable", err)
		}
		if len(rep.Failed) != 1 || rep.Failed[0].Attempt {
			t.Errorf("report %+v", rep.Failed)
		}
		if n := len(m.asked); n > 5 {
			t.Errorf("asked %d times", n)
		}
		for _, p := range w.pending(t, "a") {
			if p.Attempts != 0 {
				t.Errorf("an attempt was counted: %+v", p)
			}
		}
		if len(w.pending(t, "a")) != 6 {
			t.Errorf("%d lines wait of 6", len(w.pending(t, "a")))
		}
	})
}
