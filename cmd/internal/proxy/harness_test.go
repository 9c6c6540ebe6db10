package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// upstream is a model's server that says what a test tells it to.
type upstream struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []request
	answer http.HandlerFunc
}

// request is what arrived at the upstream.
type request struct {
	method, uri, host string
	header            http.Header
	body              string
}

func newUpstream(t testing.TB, answer http.HandlerFunc) *upstream {
	t.Helper()
	u := &upstream{answer: answer}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			u.mu.Lock()
			u.seen = append(u.seen, request{r.Method, r.RequestURI, r.Host, r.Header, string(body)})
			answer := u.answer
			u.mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(body))
			answer(w, r)
		}
	}))
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) last() request {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.seen) == 0 {
		return request{}
	}
	return u.seen[len(u.seen)-1]
}

// completion is an answer of one object.
func completion(text string) string {
	b, _ := json.Marshal(text)
	return `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + string(b) + `},"finish_reason":"stop"}]}`
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, completion(text))
	}
}

// clock is a present that only tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// rig is a proxy over a real memory, in front of an upstream.
type rig struct {
	testing.TB
	up     *upstream
	proxy  *Proxy
	url    string
	memory *local.Memory
	home   string
	clock  *clock
	who    access.Principal
	closed bool
	under  sync.WaitGroup // requests under way
}

// newRig returns a rig; change may alter the proxy's options.
func newRig(t testing.TB, answer http.HandlerFunc, change ...func(*Options)) *rig {
	t.Helper()
	g := &rig{TB: t, up: newUpstream(t, answer), home: t.TempDir(), clock: &clock{at: time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)}, who: access.Local()}
	var err error
	g.memory, err = local.Open(t.Context(), local.Options{Home: g.home, Path: filepath.Join(g.home, "m.db"), Now: g.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.memory.Close() })
	set := config.DefaultSettings()
	set.Proxy.Upstream, set.Proxy.DeadlineMS = g.up.URL, 30_000 // the machine may be slow
	o := Options{
		Engine: g.memory.Engine, Store: g.memory.Store, Settings: set.Proxy, Limits: set.Limits, Now: g.clock.now,
		Spool: filepath.Join(g.home, "unrecorded.jsonl"),
	}
	for _, c := range change {
		c(&o)
	}
	g.start(o)
	return g
}

func (g *rig) start(o Options) {
	g.Helper()
	var err error
	if g.proxy, err = New(o); err != nil {
		g.Fatal(err)
	}
	if err := g.proxy.Start(""); err != nil {
		g.Fatal(err)
	}
	p := g.proxy
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.under.Add(1)
		defer g.under.Done()
		p.ServeHTTP(w, r.WithContext(access.With(r.Context(), g.who)))
	}))
	g.url, g.closed = front.URL, false
	g.Cleanup(func() {
		front.Close()
		p.Close()
	})
}

// post sends a body and returns the answer whole.
func (g *rig) post(path, body string, headers ...string) (*http.Response, string) {
	g.Helper()
	resp, got, err := g.send(g.Context(), "POST", path, body, headers...)
	if err != nil {
		g.Fatalf("POST %s: %v", path, err)
	}
	return resp, got
}

func (g *rig) send(ctx context.Context, method, path, body string, headers ...string) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, g.url+path, strings.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	// The bytes must come as the proxy sent them.
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	g.idle()
	return resp, string(b), err
}

// chat asks one question in a conversation.
func (g *rig) chat(messages ...string) string {
	g.Helper()
	resp, body := g.post("/v1/chat/completions", conversation(messages...))
	if resp.StatusCode != http.StatusOK {
		g.Fatalf("%d %s", resp.StatusCode, body)
	}
	return resp.Header.Get(header)
}

// conversation is a request in which user and assistant take turns.
func conversation(messages ...string) string {
	var b strings.Builder
	b.WriteString(`{"model":"m","messages":[`)
	for i, m := range messages {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		if i > 0 {
			b.WriteByte(',')
		}
		text, _ := json.Marshal(m)
		fmt.Fprintf(&b, `{"role":%q,"content":%s}`, role, text)
	}
	b.WriteString(`]}`)
	return b.String()
}

// idle waits until no request is under way: an answer may be whole before its handler
// has ended.
func (g *rig) idle() { g.under.Wait() }

// settle waits until all is recorded, and goes on with a new proxy.
func (g *rig) settle() {
	g.Helper()
	g.idle()
	if !g.closed {
		if err := g.proxy.Close(); err != nil {
			g.Fatal(err)
		}
		g.closed = true
	}
}

// again is settle, with a new proxy on the same memory.
func (g *rig) again() {
	g.Helper()
	o := g.proxy.o
	g.settle()
	g.start(o)
}

// recorded settles and lists what a space holds, oldest first: "role: text".
func (g *rig) recorded(space string) []string {
	g.Helper()
	g.settle()
	return g.stored(space)
}

func (g *rig) stored(space string) []string {
	g.Helper()
	out := []string{}
	for _, e := range g.episodes(space) {
		out = append(out, fmt.Sprintf("%s: %s", e.Role, e.Text))
	}
	return out
}

func (g *rig) episodes(space string) (out []core.Episode) {
	g.Helper()
	for e, err := range g.memory.Store.Scan(g.Context(), space, 0) {
		if err != nil {
			if core.CodeOf(err) == core.CodeNotFound {
				return nil
			}
			g.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// remember puts texts into a space.
func (g *rig) remember(space string, texts ...string) {
	g.Helper()
	for _, t := range texts {
		if _, err := g.memory.Add(g.Context(), space, engine.Input{Text: t, Source: "test"}); err != nil {
			g.Fatal(err)
		}
	}
}
