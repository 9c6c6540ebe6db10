package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/trace"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

const (
	add      = `{"text": "The vault opens with plum jam."}`
	episodes = "/_orma/v1/episodes"
)

func TestNamesAndOrigins(t *testing.T) {
	r := run(t, func(o *Options) {
		o.Settings.Serve.Hosts = []string{"memory.example", "app://notes"}
	})
	self := strings.TrimPrefix(r.at.Address, "http://")
	_, port, _ := net.SplitHostPort(self)
	for _, c := range []struct {
		name    string
		method  string
		headers []string
		ok      bool
	}{
		{"itself", "POST", nil, true},
		{"localhost", "POST", []string{"Host", "localhost:" + port}, true},
		{"localhost in capitals and a dot", "POST", []string{"Host", "LOCALHOST.:" + port}, true},
		{"no port", "POST", []string{"Host", "127.0.0.1"}, true},
		{"six", "POST", []string{"Host", "[::1]:" + port}, true},
		{"a configured name", "POST", []string{"Host", "memory.example"}, true},
		{"evil", "POST", []string{"Host", "evil.test"}, false},
		{"evil with our port", "POST", []string{"Host", "evil.test:" + port}, false},
		{"a name that begins like ours", "POST", []string{"Host", "localhost.evil.test"}, false},
		{"another address", "POST", []string{"Host", "10.0.0.1"}, false},
		{"nothing", "POST", []string{"Host", " "}, false},
		{"its own page", "POST", []string{"Origin", r.at.Address}, true},
		{"a foreign page", "POST", []string{"Origin", "http://evil.test"}, false},
		{"a page of another port", "POST", []string{"Origin", "http://127.0.0.1:1"}, false},
		{"a page of another scheme", "POST", []string{"Origin", "https://evil.test"}, false},
		{"a page of nowhere", "POST", []string{"Origin", "null"}, false},
		{"a foreign page that reads", "GET", []string{"Origin", "http://evil.test"}, false},
		{"an allowed app", "POST", []string{"Origin", "app://notes"}, true},
		{"another app", "POST", []string{"Origin", "app://evil"}, false},
		{"rebound", "POST", []string{"Host", "evil.test", "Origin", "http://evil.test"}, false},
		{"a form without an origin", "POST", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, false},
		{"an image on a foreign page", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, false},
		{"a link on a foreign page", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, true},
		{"a frame on a foreign page", "GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, false},
		{"a page of its own", "POST", []string{"Sec-Fetch-Site", "same-origin"}, true},
	} {
		for _, p := range []string{episodes, "/healthz", "/metrics", "/v1/chat/completions"} {
			body := ""
			if c.method == "POST" {
				body = add
			}
			status, got := r.do(c.method, p, body, c.headers...)
			if refused := status == 403 && strings.Contains(got, `"denied"`); refused == c.ok {
				t.Errorf("%s: %s %s: %d %s", c.name, c.method, p, status, got)
			}
		}
	}
}

func TestNoCORSAndNoSimplePosts(t *testing.T) {
	r := run(t)
	resp, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", r.at.Address+"/_orma/v1/version", nil).WithContext(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	for k := range resp.Header {
		if strings.HasPrefix(k, "Access-Control") {
			t.Errorf("%s is sent", k)
		}
	}
	for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; charset=application/json", ""} {
		status, body := r.do("POST", episodes, add, "Content-Type", media)
		if status != 400 {
			t.Errorf("%s: %d %s", media, status, body)
		}
	}
	if status, body := r.do("OPTIONS", episodes, "", "Access-Control-Request-Method", "POST"); status != 405 {
		t.Errorf("%d %s", status, body)
	}
}

// TestTokens tries policies with and without tokens.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		tokens, host       string
		nobody, bad, other int // status without a token, with one that is not valid, with another's key
	}{
		{"auto", "127.0.0.1", 200, 401, 200},
		{"on", "127.0.0.1", 401, 401, 401},
		{"off", "127.0.0.1", 200, 200, 200},
		{"auto", "0.0.0.0", 401, 401, 401},
		{"off", "0.0.0.0", 200, 200, 200},
	} {
		r := run(t, func(o *Options) { o.Settings.Serve.Tokens, o.Settings.Serve.Host = c.tokens, c.host })
		read, write := r.token(core.RightRead, "a"), r.token(core.RightWrite, "a")
		check := func(what string, want int, method, body string, headers ...string) {
			t.Helper()
			if got, answer := r.do(method, episodes, body, headers...); got != want {
				t.Errorf("tokens %s on %s, %s: %d %s, want %d", c.tokens, c.host, what, got, answer, want)
			}
		}
		check("nobody", c.nobody, "GET", "")
		check("a bad token", c.bad, "GET", "", "Authorization", "Bearer orma_x")
		check("another's key", c.other, "GET", "", "Authorization", "Bearer sk-x")
		check("a token", 200, "GET", "", "Authorization", "Bearer "+read)
		check("a token in a header", 200, "GET", "", "X-Orma-Token", read)
		check("a token as a key", 200, "GET", "", "X-Api-Key", read)
		if c.tokens == "off" {
			continue
		}
		check("two tokens", 401, "GET", "", "X-Orma-Token", read, "Authorization", "Bearer "+write)
		check("a token to read that writes", 403, "POST", add, "Authorization", "Bearer "+read)
		check("a token to write", 200, "POST", add, "Authorization", "Bearer "+write)
		check("a token for another space", 403, "POST", add, "Authorization", "Bearer "+write, "X-Orma-Space", "b")
		ts, err := r.memory.Store.Tokens(t.Context())
		if err != nil || ts[0].Used.IsZero() {
			t.Errorf("%+v, %v", ts, err)
		}
		if err := r.memory.Store.RevokeToken(t.Context(), ts[0].ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		check("a revoked token", 401, "GET", "", "Authorization", "Bearer "+read)
		if strings.Contains(r.log.String(), read) || strings.Contains(r.log.String(), write) {
			t.Error("a token is in the log")
		}
	}
}

// TestAnotherTenant asks every verb, through every door, for words of another space.
func TestAnotherTenant(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body) // what went on comes back
	}))
	defer up.Close()
	r := run(t, func(o *Options) { o.Settings.Serve.Tokens = "on" }, withProxy(t, up.URL))
	ctx := t.Context()
	added, err := r.memory.Add(ctx, "a", engine.Input{Text: "The zanzibar code is 4471.", Session: "s"}, engine.Input{Text: "My zanzibar ship leaves on Sunday."})
	if err != nil {
		t.Fatal(err)
	}
	rule, err := r.memory.Forbid(ctx, "a", "never mention zanzibar", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	b := r.token(core.RightAdmin, "b")
	two := r.token(core.RightWrite, "b", "c")
	ids := []string{fmt.Sprint(added[0].ID), fmt.Sprint(added[0].Passages[0]), fmt.Sprint(rule.RuleID), "1", "2", "3"}
	var requests []struct{ method, path, body string }
	ask := func(method, path, body string) {
		requests = append(requests, struct{ method, path, body string }{method, path, body})
	}
	for _, space := range []string{"", "a", "A", "a ", "b", "../a", "a%00", "a%2F", "b/../a", "%61", "а"} {
		q := "?space=" + strings.ReplaceAll(space, " ", "%20")
		if space == "" {
			q = "?"
		}
		for _, p := range []string{"/episodes", "/facts", "/recall", "/export", "/sleep", "/stats", "/audit"} {
			ask("GET", "/_orma/v1"+p+q, "")
		}
		ask("GET", "/_orma/v1/facts"+q+"&as_of=2030-01-01", "")
		ask("GET", "/_orma/v1/facts"+q+"&history=true&subject=user", "")
		ask("GET", "/_orma/v1/recall"+q+"&query=zanzibar+code&session=s", "")
		name, _ := json.Marshal(space)
		ask("POST", "/_orma/v1/recall", `{"space":`+string(name)+`,"query":"zanzibar code"}`)
		ask("POST", "/_orma/v1/search", `{"space":`+string(name)+`,"query":"zanzibar code","explain":true}`)
		ask("POST", "/v1/chat/completions", `{"user":`+string(name)+`,"messages":[{"role":"user","content":"What is the code?"}]}`)
		ask("POST", "/api/chat", `{"messages":[{"role":"user","content":"What is the code?"}]}`)
	}
	for _, id := range ids {
		ask("GET", "/_orma/v1/episodes/"+id, "")
		ask("DELETE", "/_orma/v1/episodes/"+id, "")
		ask("POST", "/_orma/v1/facts/"+id+"/forget", "{}")
		ask("POST", "/_orma/v1/facts/"+id+"/correct", `{"text":"x"}`)
		ask("GET", "/_orma/v1/episodes?cursor="+base36(id), "")
		ask("GET", "/_orma/v1/stream?after="+id, "")
	}
	ask("POST", "/_orma/v1/quarantine", `{"source":"api"}`)
	ask("DELETE", "/_orma/v1/spaces/a?yes=true", "")
	ask("DELETE", "/_orma/v1/spaces/..%2Fa?yes=true", "")
	for _, secret := range []string{b, two} {
		for _, q := range requests {
			if strings.Contains(q.path, "/stream") {
				continue // it does not end; TestStream has it
			}
			for _, header := range []string{"", "a", "b"} {
				headers := []string{"Authorization", "Bearer " + secret}
				if header != "" {
					headers = append(headers, "X-Orma-Space", header)
				}
				status, got := r.do(q.method, q.path, q.body, headers...)
				if strings.Contains(got, "zanzibar") && !strings.Contains(q.body, "zanzibar") || strings.Contains(got, "4471") || strings.Contains(got, "Sunday") {
					t.Errorf("%s %s %s (%s): %d %s", q.method, q.path, q.body, header, status, got)
				}
				if header == "a" && status < 400 && !strings.HasSuffix(q.path, "version") && !strings.Contains(q.path, "stats") {
					t.Errorf("%s %s with the header of a: %d", q.method, q.path, status)
				}
			}
		}
	}
	facts, err := r.memory.Facts(ctx, engine.FactsRequest{Space: "a"})
	if err != nil || len(facts) != 1 {
		t.Errorf("facts of a: %+v, %v", facts, err)
	}
	if _, err := r.memory.Episode(ctx, "a", added[0].ID); err != nil {
		t.Errorf("an episode of a is gone: %v", err)
	}
}

func base36(id string) string {
	return strings.NewReplacer("=", "").Replace(id)
}

func TestSlowAndLargeRequestsEnd(t *testing.T) {
	r := run(t, func(o *Options) {
		o.Settings.Serve.TimeoutMS, o.Settings.Limits.BodyBytes = 200, 1000
		o.HeaderTimeout = 200 * time.Millisecond
	})
	addr := strings.TrimPrefix(r.at.Address, "http://")
	for name, send := range map[string]string{
		"headers that do not end":   "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ",
		"a body that does not come": "POST " + episodes + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
		"headers without end":       "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("a", 200<<10) + "\r\n\r\n",
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, send)
		answer, err := io.ReadAll(c) // until the server ends it
		if err != nil && !strings.Contains(err.Error(), "reset") || strings.Contains(string(answer), "200 OK") {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
		c.Close()
	}
	if status, body := r.do("POST", episodes, `{"text":"`+strings.Repeat("x", 2000)+`"}`); status != 413 {
		t.Errorf("%d %s", status, body)
	}
	if status, body := r.do("POST", episodes, strings.Repeat(`{"space":`, 100)); status != 400 {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := r.do("GET", "/healthz", ""); status != 200 {
		t.Errorf("%d", status)
	}
}

func TestReadiness(t *testing.T) {
	r := run(t)
	ready := func() (int, Readiness) {
		status, body := r.do("GET", "/readyz", "")
		var got Readiness
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		return status, got
	}
	if status, got := ready(); status != 200 || !got.Ready || got.Checks["store"] != "ok" {
		t.Errorf("%d %+v", status, got)
	}
	if err := r.memory.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if status, got := ready(); status != 503 || got.Ready || got.Checks["store"] == "ok" {
		t.Errorf("%d %+v", status, got)
	}
	if status, body := r.do("GET", "/healthz", ""); status != 200 || !strings.Contains(body, `"ok"`) {
		t.Errorf("%d %s", status, body)
	}
	if _, body := r.do("GET", "/metrics", ""); !strings.Contains(body, "\norma_ready 0\n") {
		t.Error("metrics do not say that it is not ready")
	}
}

func TestReadinessOfABackgroundThatEnds(t *testing.T) {
	for name, background := range map[string]func(){"ends": func() {}, "breaks": func() { panic("boom") }} {
		ended := make(chan struct{})
		r := run(t, func(o *Options) {
			o.Background = func(context.Context) { defer close(ended); background() }
		})
		<-ended
		for r.Ready().Ready { // it is noticed a moment later
			runtime.Gosched()
		}
		if got := r.Ready(); got.Checks["sleep"] == "ok" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestPrivateServer(t *testing.T) {
	r := run(t, func(o *Options) { o.Private, o.IdleExit = true, time.Millisecond })
	if r.at.Token == "" || !strings.HasPrefix(r.at.Token, access.Prefix) {
		t.Fatalf("%+v", r.at)
	}
	// It may have ended before anybody came: then there is nothing to ask.
	r.wait()
}

func TestItEndsWithItsLastClient(t *testing.T) {
	r := run(t, func(o *Options) { o.IdleExit = 300 * time.Millisecond })
	a, err := net.Dial("tcp", strings.TrimPrefix(r.at.Address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := net.Dial("tcp", strings.TrimPrefix(r.at.Address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(b, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if _, err := b.Read(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	a.Close()
	select {
	case err := <-r.ended:
		t.Fatalf("it ended while a client was there: %v", err)
	case <-time.After(time.Second):
	}
	b.Close()
	r.wait()
}

func TestUnixSocket(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	old, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	old.(*net.UnixListener).SetUnlinkOnClose(false)
	old.Close() // as a killed process leaves it
	r := run(t, func(o *Options) {
		o.Socket, o.SocketOnly, o.Settings.Serve.Tokens = socket, true, "on"
	})
	if r.at.Address != "" || r.at.Socket != socket {
		t.Fatalf("%+v", r.at)
	}
	if i, err := os.Stat(socket); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", i, err)
	}
	r.at.Address = "http://socket"
	if status, body := r.do("POST", episodes, add, "Host", "whatever"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := r.do("GET", episodes, "", "Authorization", "Bearer orma_bad"); status != 401 {
		t.Errorf("%d", status)
	}
	if _, err := listenSocket(t.Context(), socket); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("a second server: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := listenSocket(t.Context(), filepath.Join(dir, "file")); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("in place of a file: %v", err)
	}
	if _, err := listenSocket(t.Context(), filepath.Join(dir, strings.Repeat("x", 200))); core.CodeOf(err) != core.CodeInvalid {
		t.Errorf("a long path: %v", err)
	}
	r.stop()
	r.wait()
	if _, err := os.Stat(socket); err == nil {
		t.Error("the socket was left behind")
	}
}

func TestATakenPort(t *testing.T) {
	r := run(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(r.at.Address, "http://"))
	var n int
	fmt.Sscan(port, &n)
	if _, err := listenPort(t.Context(), "127.0.0.1", n); core.CodeOf(err) != core.CodeConflict || !strings.Contains(err.Error(), "Orma test answers there") {
		t.Errorf("%v", err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Server", "llama.cpp") }))
	defer other.Close()
	fmt.Sscan(other.URL[strings.LastIndex(other.URL, ":")+1:], &n)
	if _, err := listenPort(t.Context(), "127.0.0.1", n); core.CodeOf(err) != core.CodeConflict || !strings.Contains(err.Error(), "llama.cpp answers there") {
		t.Errorf("%v", err)
	}
}

// TestItFinishesWhatItBegan stops a server while an answer is on its way.
func TestItFinishesWhatItBegan(t *testing.T) {
	half, rest := make(chan struct{}), make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Half and\"}}]}\n\n")
		_ = http.NewResponseController(w).Flush()
		close(half)
		<-rest
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" half.\"}}]}\n\ndata: [DONE]\n\n")
	}))
	defer up.Close()
	r := run(t, withProxy(t, up.URL))
	got := make(chan string, 1)
	go func() {
		_, body := r.do("POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"Say it all."}]}`)
		got <- body
	}()
	<-half
	r.stop()
	close(rest)
	if body := <-got; !strings.Contains(body, "[DONE]") {
		t.Errorf("cut off: %q", body)
	}
	r.wait()
	eps, err := r.memory.Store.Recent(t.Context(), "default", 0, 10)
	if err != nil || len(eps) != 2 || eps[0].Text != "Half and half." {
		t.Errorf("%+v, %v", eps, err)
	}
}

func TestUnits(t *testing.T) {
	args := []string{"serve", "--db", "/home/a b/$x%y.db", `--upstream=http://h/"q"`}
	unit, err := Unit("systemd", "/usr/bin/orma", args)
	if want := `ExecStart=/usr/bin/orma serve --db "/home/a b/$$x%%y.db" "--upstream=http://h/\"q\""` + "\n"; err != nil || !strings.Contains(unit, want) {
		t.Errorf("%v %s", err, unit)
	}
	unit, err = Unit("launchd", "/usr/bin/orma", []string{"serve", "<&>"})
	if err != nil || !strings.Contains(unit, "<string>&lt;&amp;&gt;</string>\n  </array>") {
		t.Errorf("%v %s", err, unit)
	}
	if _, err := Unit("openrc", "orma", nil); core.CodeOf(err) != core.CodeUsage {
		t.Errorf("%v", err)
	}
}

// TestRequestsAreTraced looks at what a collector gets of them.
func TestRequestsAreTraced(t *testing.T) {
	var mu sync.Mutex
	var got strings.Builder
	c := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		got.Write(b)
	}))
	defer c.Close()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
	defer up.Close()
	tracer := trace.New(trace.Options{Endpoint: c.URL, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	r := run(t, func(o *Options) { o.Trace = tracer }, withProxy(t, up.URL))
	r.do("GET", episodes+"/7", "")
	r.do("POST", "/v1/chat/completions", `{"user":"hidden","messages":[{"role":"user","content":"Keep this quiet."}]}`)
	r.stop()
	r.wait()
	tracer.Close()
	for _, want := range []string{`"GET /_orma/v1/episodes/{id}"`, `"chat completions"`, `"recall"`} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("no span %s in %s", want, got.String())
		}
	}
	if strings.Contains(got.String(), "quiet") || strings.Contains(got.String(), "hidden") {
		t.Errorf("a span tells what was said: %s", got.String())
	}
}
