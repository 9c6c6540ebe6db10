package proxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

// pieces of an answer, each flushed on its own.
type script struct {
	name   string
	status int
	header http.Header
	pieces []string
	breaks bool // the connection is cut after the last piece
}

func event(data string) string { return "data: " + data + "\n\n" }

func delta(text string) string {
	b, _ := json.Marshal(text)
	return event(`{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":` + string(b) + `},"finish_reason":null}]}`)
}

func single(s string) []string {
	var out []string
	for i := range len(s) {
		out = append(out, s[i:i+1])
	}
	return out
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

var (
	sse     = http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}
	asJSON  = http.Header{"Content-Type": {"application/json"}}
	toolUse = event(`{"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]}}]}`) +
		event(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}`) +
		event(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]}`)
)

func scripts() []script {
	stream := delta("Hel") + delta("lo 🚲") + event(`{"choices":[],"usage":{"total_tokens":7}}`) + event("[DONE]")
	return []script{
		{name: "one byte a write", header: sse, pieces: single(stream)},
		{name: "one write", header: sse, pieces: []string{stream}},
		{name: "lines of 1 MB", header: sse, pieces: []string{delta(strings.Repeat("x", 1<<20)), delta(strings.Repeat("y", 1<<20)), event("[DONE]")}},
		{name: "tool calls", header: sse, pieces: []string{toolUse, event("[DONE]")}},
		{name: "usage and trailing bytes", header: sse, pieces: []string{stream, ": bye\n\n", "\x00\xff"}},
		{name: "an error in the middle", header: sse, pieces: []string{delta("Hel"), event(`{"error":{"message":"out of memory","code":500}}`)}},
		{name: "no end", header: sse, pieces: []string{delta("Hel"), "data: {\"choi"}},
		{name: "the connection breaks", header: sse, pieces: []string{delta("Hel"), "data: {\"choi"}, breaks: true},
		{name: "an object breaks", header: http.Header{"Content-Type": {"application/json"}, "Content-Length": {"1000"}}, pieces: []string{`{"choices":[{"mess`}, breaks: true},
		{name: "a stream nobody asked for", header: asJSON, pieces: []string{stream}},
		{name: "carriage returns", header: sse, pieces: []string{strings.ReplaceAll(stream, "\n", "\r\n")}},
		{name: "an object", header: asJSON, pieces: []string{completion("Hello.")}},
		{name: "lines", header: http.Header{"Content-Type": {"application/x-ndjson"}}, pieces: single(`{"message":{"content":"a"},"done":false}` + "\n" + `{"message":{"content":"b"},"done":true}` + "\n")},
		{name: "no type", pieces: []string{`{"x":1}`}},
		{name: "gzip", header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, pieces: []string{zipped(completion("Hello."))}},
		{name: "nothing", status: 204},
		{name: "an error", status: 500, header: asJSON, pieces: []string{`{"error":{"message":"no"}}`}},
		{name: "too many requests", status: 429, header: http.Header{"Retry-After": {"7"}, "X-Ratelimit-Remaining": {"0"}}, pieces: []string{"slow down"}},
		{name: "a redirect", status: 307, header: http.Header{"Location": {"http://evil.test/steal"}}, pieces: []string{"go there"}},
		{name: "odd headers", header: http.Header{"X-A": {"1", "2"}, "Set-Cookie": {"a=b", "c=d"}, "Content-Type": {"text/weird"}, "Server": {"uvicorn"}}, pieces: []string{"<html>"}},
	}
}

func (s *script) serve(w http.ResponseWriter, _ *http.Request) {
	if s.header == nil || s.header["Content-Type"] == nil {
		w.Header()["Content-Type"] = nil
	}
	for k, v := range s.header {
		w.Header()[k] = v
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	rc := http.NewResponseController(w)
	for _, p := range s.pieces {
		_, _ = io.WriteString(w, p)
		_ = rc.Flush()
	}
	if s.breaks {
		panic(http.ErrAbortHandler)
	}
}

// TestBytesPassUntouched compares what a client gets through the proxy with what it
// gets from the upstream itself: status, headers, every byte, and whether it broke.
func TestBytesPassUntouched(t *testing.T) {
	for _, s := range scripts() {
		t.Run(s.name, func(t *testing.T) {
			g := newRig(t, s.serve)
			g.remember("default", "The ladder is in the shed.")
			direct := &rig{TB: t, url: g.up.URL}
			for _, path := range []string{"/v1/chat/completions", "/v1/responses", "/v1/messages", "/api/chat", "/v1/embeddings", "/", "/some%2Fthing//else?q=%zz&x"} {
				for i, body := range []string{conversation("Where is the ladder?"), `{"input":"Where is the ladder?"}`, "no JSON"} {
					if i > 0 && strings.Contains(s.name, "1 MB") {
						continue
					}
					want, wantBody, wantErr := direct.send(t.Context(), "POST", path, body)
					got, gotBody, gotErr := g.send(t.Context(), "POST", path, body)
					if (gotErr != nil) != (wantErr != nil) || s.breaks != (gotErr != nil) {
						t.Fatalf("%s: error %v, direct %v", path, gotErr, wantErr)
					}
					if gotBody != wantBody || want != nil && got.StatusCode != want.StatusCode {
						t.Errorf("%s: %d bytes, direct %d", path, len(gotBody), len(wantBody))
					}
					if want == nil {
						continue
					}
					got.Header.Del(header)
					for _, h := range []http.Header{got.Header, want.Header} {
						h.Del("Date")
						h.Del("Connection") // of each connection itself
					}
					if a, b := fmt.Sprint(got.Header), fmt.Sprint(want.Header); a != b {
						t.Errorf("%s: headers\n%s, direct\n%s", path, a, b)
					}
				}
			}
		})
	}
}

// TestRequestsPassUntouched compares what the upstream sees.
func TestRequestsPassUntouched(t *testing.T) {
	g := newRig(t, says("ok"))
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/", ""},
		{"GET", "/api/tags?x=1;y=%zz&&z", ""},
		{"DELETE", "/api/delete", `{"name":"m"}`},
		{"PUT", "/a%2Fb/..%2f//c%20d", "bytes \x00\xff"},
		{"PATCH", "/v1/chat/completions", conversation("a")},
		{"POST", "/v1/completions", `{"prompt":"a", "n" : 1.50}`},
		{"POST", "/v1/chat/completions/", conversation("a")},
		{"POST", "/v1/chat/completions?api-version=7&x=%2F", `{ "messages" : [ ] , "a":1e5 }`},
		{"POST", "/v1/chat/completions", "{\"messages\":[{\"role\":\"user\",\"content\":\"bad \\ud800 half\"}], \"b\":\"\xff\"}"},
		{"OPTIONS", "/v1/models", ""},
		{"HEAD", "/v1/models", ""},
	} {
		_, _, err := g.send(t.Context(), c.method, c.path, c.body, "X-Custom", "1", "X-Forwarded-For", "1.2.3.4", "X-Orma-Skip", "1")
		if err != nil {
			t.Fatal(err)
		}
		got := g.up.last()
		if got.method != c.method || got.uri != c.path || got.body != c.body || got.header.Get("X-Custom") != "1" || got.header.Get("X-Forwarded-For") != "1.2.3.4" {
			t.Errorf("%s %s arrived as %s %s %q", c.method, c.path, got.method, got.uri, got.body)
		}
		if "http://"+got.host != g.up.URL {
			t.Errorf("host %s", got.host)
		}
	}
}

func TestTokensStayHere(t *testing.T) {
	t.Setenv("TEST_UPSTREAM_KEY", "sk-upstream")
	g := newRig(t, says("ok"))
	keyed := newRig(t, says("ok"), func(o *Options) { o.Settings.KeyEnv = "TEST_UPSTREAM_KEY" })
	for _, c := range []struct {
		name          string
		g             *rig
		path          string
		headers       []string
		authorization string
		key           string
	}{
		{"another's key", g, "/v1/chat/completions", []string{"Authorization", "Bearer sk-mine"}, "Bearer sk-mine", ""},
		{"none at all", g, "/v1/models", []string{"Authorization", "none"}, "none", ""},
		{"ours", g, "/v1/chat/completions", []string{"Authorization", "Bearer orma_secret"}, "", ""},
		{"ours, oddly written", g, "/api/chat", []string{"Authorization", "bearer   orma_secret "}, "", ""},
		{"ours beside another's", g, "/v1/chat/completions", []string{"Authorization", "Bearer sk-mine", "X-Orma-Token", "orma_secret"}, "Bearer sk-mine", ""},
		{"ours as a key", g, "/v1/messages", []string{"X-Api-Key", "orma_secret"}, "", ""},
		{"another's as a key", g, "/v1/messages", []string{"X-Api-Key", "sk-ant"}, "", "sk-ant"},
		{"everything of ours", g, "/any", []string{"X-Orma-Space", "a", "X-Orma-Skip", "1", "X-Orma-Whatever", "x"}, "", ""},
		{"the configured key", keyed, "/v1/chat/completions", []string{"Authorization", "Bearer orma_secret"}, "Bearer sk-upstream", ""},
		{"the configured key in place of another", keyed, "/v1/chat/completions", []string{"Authorization", "Bearer sk-mine"}, "Bearer sk-upstream", ""},
		{"the configured key for Anthropic", keyed, "/v1/messages", []string{"X-Api-Key", "orma_secret"}, "", "sk-upstream"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := c.g.send(t.Context(), "POST", c.path, conversation("a"), c.headers...); err != nil {
				t.Fatal(err)
			}
			got := c.g.up.last().header
			if got.Get("Authorization") != c.authorization || got.Get("X-Api-Key") != c.key {
				t.Errorf("upstream saw %q, %q", got.Get("Authorization"), got.Get("X-Api-Key"))
			}
			for k, v := range got {
				if strings.Contains(strings.ToLower(k+strings.Join(v, " ")), "orma") {
					t.Errorf("upstream saw %s: %s", k, v)
				}
			}
		})
	}
	if _, err := New(Options{Settings: keyed.proxy.o.Settings, Now: g.clock.now}); err != nil {
		t.Error(err)
	}
	bad := keyed.proxy.o.Settings
	bad.KeyEnv = "TEST_NOT_SET"
	if _, err := New(Options{Settings: bad, Now: g.clock.now}); core.CodeOf(err) != core.CodeConfig {
		t.Errorf("a missing key: %v", err)
	}
}

// TestUpgradesPass speaks as a WebSocket does, through the proxy.
func TestUpgradesPass(t *testing.T) {
	g := newRig(t, func(w http.ResponseWriter, _ *http.Request) {
		c, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = buf.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-Websocket-Accept: x\r\n\r\n")
		_ = buf.Flush()
		for {
			b, err := buf.ReadByte()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte{b ^ 0x80})
		}
	})
	c, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /queue/join HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n", strings.TrimPrefix(g.url, "http://"))
	in := bufio.NewReader(c)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != 101 || resp.Header.Get("Sec-Websocket-Accept") != "x" {
		t.Fatalf("%+v, %v", resp, err)
	}
	for _, b := range []byte("\x81\x00hello") {
		_, _ = c.Write([]byte{b})
		if got, err := in.ReadByte(); err != nil || got != b^0x80 {
			t.Fatalf("sent %x, got %x, %v", b, got, err)
		}
	}
}

// TestPiecesComeAsTheyAreSent reads each piece before the next one is sent.
func TestPiecesComeAsTheyAreSent(t *testing.T) {
	next := make(chan string)
	g := newRig(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		rc := http.NewResponseController(w)
		_ = rc.Flush()
		for s := range next {
			_, _ = io.WriteString(w, s)
			_ = rc.Flush()
		}
	})
	resp, err := http.Post(g.url+"/v1/chat/completions", "application/json", strings.NewReader(conversation("a")))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for _, s := range []string{"d", "ata: ", "{}\n", "\n", delta("x"), event("[DONE]")} {
		next <- s
		got := make([]byte, len(s))
		if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != s {
			t.Fatalf("sent %q, got %q, %v", s, got, err)
		}
	}
	close(next)
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
		t.Errorf("rest %q, %v", rest, err)
	}
}

func TestLongBodiesGoOnWhole(t *testing.T) {
	g := newRig(t, says("ok"), func(o *Options) { o.Limits.BodyBytes = 1000 })
	long := conversation(strings.Repeat("word ", 1000))
	resp, _ := g.post("/v1/chat/completions", long)
	if got := g.up.last().body; got != long || resp.Header.Get(header) != memoryOff+"; body too long" {
		t.Errorf("%d of %d bytes, %s", len(got), len(long), resp.Header.Get(header))
	}
	for _, body := range []string{"", "[", `{"messages":[{}]}{}`, `{"messages":5}`, strings.Repeat(`{"messages":[`, 60), `{"messages":[],"messages":[]}`} {
		resp, _ := g.post("/v1/chat/completions", body)
		if got := g.up.last().body; got != body || resp.Header.Get(header) != memoryOff+"; body not understood" {
			t.Errorf("%q went on as %q, %s", body, got, resp.Header.Get(header))
		}
	}
	if got := g.recorded("default"); len(got) > 0 {
		t.Errorf("recorded %q", got)
	}
}

func TestUpstreamIsFoundInOrder(t *testing.T) {
	models := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			_, _ = io.WriteString(w, `{"object":"list","data":[]}`)
			return
		}
		http.NotFound(w, r)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	self := httptest.NewServer(http.HandlerFunc(models))
	defer self.Close()
	orma := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/_orma/v1/version" {
			_, _ = io.WriteString(w, `{"name":"orma"}`)
			return
		}
		models(w, r)
	}))
	defer orma.Close()
	a, b := httptest.NewServer(http.HandlerFunc(models)), httptest.NewServer(http.HandlerFunc(models))
	defer b.Close()
	g := newRig(t, nil, func(o *Options) {
		o.Settings.Upstream = ""
		o.candidates = []candidate{{"nobody", "http://127.0.0.1:1"}, {"other", other.URL}, {"self", self.URL}, {"orma", orma.URL}, {"a", a.URL}, {"b", b.URL}}
	})
	if err := g.proxy.find.setSelf(strings.TrimPrefix(self.URL, "http://")); err != nil {
		t.Fatal(err)
	}
	if root, name, err := g.proxy.Upstream(t.Context()); err != nil || name != "a" || root != a.URL {
		t.Errorf("found %s %s, %v", name, root, err)
	}
	// When it goes away, the request that notices fails, and the next one goes elsewhere.
	a.Close()
	if resp, _ := g.post("/v1/chat/completions", conversation("a")); resp.StatusCode != http.StatusBadGateway {
		t.Errorf("%d", resp.StatusCode)
	}
	if resp, _ := g.post("/v1/chat/completions", conversation("a")); resp.StatusCode != http.StatusNotFound { // b has nothing else
		t.Errorf("%d", resp.StatusCode)
	}
	none := newRig(t, nil, func(o *Options) {
		o.Settings.Upstream, o.candidates = "", []candidate{{"nobody", "http://127.0.0.1:1"}}
	})
	resp, body := none.post("/api/chat", conversation("a"))
	if resp.StatusCode != http.StatusBadGateway || !strings.Contains(body, "--upstream") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

func TestRoots(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:11434": "http://127.0.0.1:11434", "http://h:1/": "http://h:1", "http://h:1/v1": "http://h:1", "http://h:1/v1/": "http://h:1",
		"https://openrouter.ai/api/v1": "https://openrouter.ai/api", "http://h/v1?x#y": "http://h", "h:1": "", "ftp://h": "", "": "", "http://": "",
	} {
		u, err := parseRoot(in)
		if want == "" {
			if core.CodeOf(err) != core.CodeConfig || err == nil {
				t.Errorf("parseRoot(%q) = %v, %v", in, u, err)
			}
		} else if err != nil || u.String() != want {
			t.Errorf("parseRoot(%q) = %v, %v, want %s", in, u, err, want)
		}
	}
	g := newRig(t, says("ok"), func(o *Options) { o.Settings.Upstream += "/base/v1/" })
	g.chat("a")
	if got := g.up.last().uri; got != "/base/v1/chat/completions" {
		t.Errorf("went to %s", got)
	}
	if err := g.proxy.find.setSelf(strings.TrimPrefix(g.up.URL, "http://")); core.CodeOf(err) != core.CodeConfig || err == nil {
		t.Errorf("the upstream may be the server itself: %v", err)
	}
}

func TestErrorsHaveTheShapeOfTheirAPI(t *testing.T) {
	g := newRig(t, says("ok"))
	g.up.Close()
	for path, want := range map[string]string{
		"/v1/chat/completions": `{"error":{"code":"unavailable","message":"`,
		"/v1/responses":        `{"error":{"code":"unavailable","message":"`,
		"/v1/models":           `{"error":{"code":"unavailable","message":"`,
		"/v1/messages":         `{"error":{"message":"`,
		"/api/chat":            `{"error":"the model's server at `,
		"/":                    `{"error":{"code":"unavailable","hint":"is it running?","message":"the model's`,
	} {
		resp, body := g.post(path, conversation("a"))
		var v any
		if resp.StatusCode != http.StatusBadGateway || !strings.HasPrefix(body, want) || json.Unmarshal([]byte(body), &v) != nil || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
	}
	if got := g.recorded("default"); len(got) > 0 {
		t.Errorf("recorded %q", got)
	}
}
