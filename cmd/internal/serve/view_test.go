package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

// sleeper sleeps in the memory of a server, by rules.
type sleeper struct{ of func() *local.Memory }

func (s sleeper) Sleep(ctx context.Context, r sleep.Run) (*sleep.Report, error) {
	by, err := s.of().Sleeper(local.SleepOptions{})
	if err != nil {
		return nil, err
	}
	r.Backend = "rules"
	return by.Sleep(ctx, r)
}

// TestAChatReachesTheView does what somebody sees who chats beside the view: the turn
// comes over the stream, waits for sleep, and becomes a state with its line.
func TestAChatReachesTheView(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices": [{"index": 0, "message": {"role": "assistant", "content": "Noted."}}]}`)
	}))
	defer upstream.Close()
	var r *running
	r = run(t, withProxy(t, upstream.URL), func(o *Options) { o.Sleep = sleeper{func() *local.Memory { return r.memory }} })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", r.at.Address+"/_orma/v1/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := bufio.NewScanner(resp.Body)
	next := func(has string) string {
		t.Helper()
		for events.Scan() {
			if line := events.Text(); strings.Contains(line, has) {
				return line
			}
		}
		t.Fatalf("the stream ends before %q: %v", has, events.Err())
		return ""
	}
	if status, body := r.do("POST", "/v1/chat/completions", `{"model": "m", "messages": [{"role": "user", "content": "I live in Pune."}]}`); status != 200 {
		t.Fatal(status, body)
	}
	asked := time.Now()
	next(`"text":"I live in Pune."`)
	if took := time.Since(asked); took > 10*time.Second {
		t.Errorf("the turn came after %v", took)
	}
	next(`"text":"Noted."`)
	if _, body := r.do("GET", "/_orma/v1/sleep/pending", ""); !strings.Contains(body, "I live in Pune.") {
		t.Errorf("what waits: %s", body)
	}
	if status, body := r.do("POST", "/_orma/v1/sleep", `{}`); status != 200 {
		t.Fatal(status, body)
	}
	next("event: change")
	if _, body := r.do("GET", "/_orma/v1/sleep?limit=1&text=true", ""); !strings.Contains(body, `"text":"I live in Pune."`) {
		t.Errorf("report: %s", body)
	}
	var g engine.Graph
	if _, body := r.do("GET", "/_orma/v1/graph", ""); json.Unmarshal([]byte(body), &g) != nil {
		t.Fatal(body)
	}
	for _, n := range g.Nodes {
		if n.Kind != engine.NodeState {
			continue
		}
		var d engine.NodeDetail
		if _, body := r.do("GET", "/_orma/v1/graph/"+n.ID, ""); json.Unmarshal([]byte(body), &d) != nil || len(d.Sources) != 1 || d.Sources[0].Text != "I live in Pune." {
			t.Errorf("%s: %s", n.ID, body)
		}
		return
	}
	t.Errorf("no state in %+v", g.Nodes)
}
