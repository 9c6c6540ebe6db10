package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// TestMain makes this binary the plugin when a host starts it.
func TestMain(m *testing.M) {
	if os.Getenv(pb.CookieKey) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// server speaks the API of chat completions. reply makes the content of an answer from
// the question.
func server(t *testing.T, reply func(question string) string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Messages []message `json:"messages"`
		}
		if r.URL.Path != "/v1/chat/completions" || json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Messages) != 2 {
			http.Error(w, "no", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		err := json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": message{"assistant", reply(body.Messages[1].Content)}}}})
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func configured(t *testing.T, url string) *facts {
	t.Helper()
	f := &facts{}
	p := guest.New(f)
	if err := p.Configure(abi.AppendParams(nil, url, "m", "", []byte{}, 100.0)); err != nil {
		t.Fatal(err)
	}
	return f
}

func request() *guest.Request {
	return &guest.Request{
		Lines: []guest.Line{{Text: "earlier", Who: "assistant", Day: "2026-04-19"}, {N: 1, Citable: true, Text: "I live in\nPune.", Who: "user", Day: "2026-04-20"}},
		Names: []string{"Asha"}, Attributes: []string{"home_city"}, States: []string{"user · home city: Oslo"},
	}
}

func TestQuestion(t *testing.T) {
	want := "Names in use: Asha\nAttributes in use: home_city\nKnown (do not repeat): user · home city: Oslo\n" +
		"(context) 2026-04-19 assistant: earlier\n[1] 2026-04-20 user: I live in Pune.\n"
	if got := question(request()); got != want {
		t.Errorf("question:\n%s\nwant:\n%s", got, want)
	}
}

// TestAnswers reads what models say, and drops what rests on nothing.
func TestAnswers(t *testing.T) {
	const good = `{"kind": "state", "subject": "user", "attribute": "home_city", "value": "Pune", "lines": [1]}`
	for name, c := range map[string]struct {
		content string
		items   int
		err     string
	}{
		"bare":            {`{"items": [` + good + `]}`, 1, ""},
		"fenced":          {"```json\n{\"items\": [" + good + "]}\n```", 1, ""},
		"prose":           {`Here you are: {"items": [` + good + `]} I hope it helps.`, 1, ""},
		"nothing":         {`{"items": []}`, 0, ""},
		"cites context":   {`{"items": [` + strings.Replace(good, "[1]", "[0]", 1) + `]}`, 0, ""},
		"cites elsewhere": {`{"items": [` + strings.Replace(good, "[1]", "[7, 1]", 1) + `]}`, 1, ""},
		"no attribute":    {`{"items": [` + strings.Replace(good, "home_city", "", 1) + `]}`, 0, ""},
		"long":            {`{"items": [` + strings.Replace(good, "Pune", strings.Repeat("x", 3000), 1) + `]}`, 0, ""},
		"cut":             {`{"items": [` + good[:40], 0, "the model's answer"},
		"no object":       {"I cannot do that.", 0, "no JSON object"},
		"another object":  {`{"facts": []}`, 0, "has no items"},
	} {
		t.Run(name, func(t *testing.T) {
			f, out := configured(t, server(t, func(string) string { return c.content }).URL+"/v1"), &guest.Items{}
			err := f.Sleep(t.Context(), request(), out)
			if len(out.All()) != c.items || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d items, %v; want %d, %q", len(out.All()), err, c.items, c.err)
			}
			if err != nil && guest.Code(err) != abi.CodeFailed {
				t.Errorf("%v counts as unavailable", err)
			}
		})
	}
}

// TestServers: what is wrong with a server is not held against the lines.
func TestServers(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		code   uint32
	}{
		"overloaded": {429, "slow down", abi.CodeUnavailable}, "loading": {503, "loading", abi.CodeUnavailable},
		"no key": {401, "who are you", abi.CodeUnavailable}, "too long": {400, "context length", abi.CodeFailed},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, c.body, c.status) }))
			defer s.Close()
			if err := configured(t, s.URL).Sleep(t.Context(), request(), &guest.Items{}); err == nil || guest.Code(err) != c.code {
				t.Errorf("Sleep: %v, code %d, want %d", err, guest.Code(err), c.code)
			}
		})
	}
	s := httptest.NewServer(nil)
	s.Close()
	if err := configured(t, s.URL).Sleep(t.Context(), request(), &guest.Items{}); guest.Code(err) != abi.CodeUnavailable {
		t.Errorf("nobody there: %v", err)
	}
}

// TestSchemaRefused: a server that takes no schema is asked without, and not bothered
// with it again.
func TestSchemaRefused(t *testing.T) {
	var refused atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body["response_format"] != nil {
			refused.Add(1)
			http.Error(w, "json_schema is not supported", http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, `{"choices": [{"message": {"content": "{\"items\": []}"}}]}`)
	}))
	defer s.Close()
	f := configured(t, s.URL)
	for range 2 {
		if err := f.Sleep(t.Context(), request(), &guest.Items{}); err != nil {
			t.Error(err)
		}
	}
	if n := refused.Load(); n != 1 {
		t.Errorf("%d requests with a schema, want 1", n)
	}
}

func TestConfigure(t *testing.T) {
	for url, want := range map[string]string{"": "no http", "ftp://x/": "no http", "nonsense": "no http"} {
		err := guest.New(&facts{}).Configure(abi.AppendParams(nil, url, "m", "", []byte{}, 100.0))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("url %q: %v", url, err)
		}
	}
	err := guest.New(&facts{}).Configure(abi.AppendParams(nil, "http://x/v1", "m", "ORMA_NO_SUCH_KEY", []byte{}, 100.0))
	if err == nil || !strings.Contains(err.Error(), "add it to env") {
		t.Errorf("a key that is not there: %v", err)
	}
}

// TestSleep goes the whole way: a conversation, this plugin as a process, a server, and
// the stages that believe nothing.
func TestSleep(t *testing.T) {
	s := server(t, func(question string) string {
		number := func(text string) string {
			before, _, ok := strings.Cut(question, text)
			if !ok {
				return "0"
			}
			_, rest, _ := strings.Cut(before[strings.LastIndex(before, "\n")+1:], "[")
			n, _, _ := strings.Cut(rest, "]")
			return n
		}
		return `{"items": [
			{"kind": "state", "subject": "user", "attribute": "home_city", "value": "Pune", "lines": [` + number("I live in Pune") + `]},
			{"kind": "state", "subject": "user", "attribute": "home_city", "value": "Atlantis", "lines": [` + number("I live in Pune") + `]}]}`
	})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	toml := fmt.Sprintf("[plugin.model_facts]\npath = %q\ntrusted = true\n[stage.extract]\nbackend = \"process:model_facts\"\n[extractor.model_facts]\nurl = %q\n", exe, s.URL+"/v1")
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := local.Open(context.Background(), local.Options{Home: home, OneShot: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := m.Add(t.Context(), "", engine.Input{Text: "I live in Pune."}); err != nil {
		t.Fatal(err)
	}
	sl, err := m.Sleeper(local.SleepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := sl.Sleep(t.Context(), sleep.Run{Space: core.DefaultSpace})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Backend != "process:model_facts" || len(rep.Accepted) != 1 || rep.Accepted[0].Value != "Pune" || len(rep.Rejected) != 1 {
		t.Errorf("report %+v", rep)
	}
	// The server goes away: the lines wait.
	s.Close()
	if _, err := m.Add(t.Context(), "", engine.Input{Text: "I work at the harbour."}); err != nil {
		t.Fatal(err)
	}
	if rep, err := sl.Sleep(t.Context(), sleep.Run{Space: core.DefaultSpace}); core.CodeOf(err) != core.CodeUnavailable {
		t.Errorf("without a server: %+v, %v", rep, err)
	}
}
