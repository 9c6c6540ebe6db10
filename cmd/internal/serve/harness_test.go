package serve

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/proxy"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

// running is a whole server over a memory of its own.
type running struct {
	*testing.T
	*Server
	at     Addresses
	memory *local.Memory
	stop   context.CancelFunc
	ended  chan error
	log    *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// run starts a server on a free port.
func run(t *testing.T, change ...func(*Options)) *running {
	t.Helper()
	home := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: home, Path: filepath.Join(home, "m.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	r := &running{T: t, memory: m, ended: make(chan error, 1), log: &lockedBuffer{}}
	o := Options{
		Engine: m.Engine, Store: m.Store, Settings: m.Config.Settings, Version: "test", Now: time.Now,
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	o.Settings.Serve.Port = 0
	for _, c := range change {
		c(&o)
	}
	r.Server = New(o)
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	started := make(chan Addresses, 1)
	go func() {
		r.ended <- r.Server.Run(ctx, func(a Addresses) error {
			started <- a
			return nil
		})
	}()
	select {
	case r.at = <-started:
	case err := <-r.ended:
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		r.wait()
	})
	return r
}

// wait waits for the end of the server, which is asked for elsewhere.
func (r *running) wait() {
	r.Helper()
	if err, ok := <-r.ended; ok && err != nil {
		r.Errorf("Run: %v", err)
	}
	select {
	case <-r.ended:
	default:
		close(r.ended)
	}
}

// withProxy adds a proxy to an upstream.
func withProxy(t *testing.T, upstream string) func(*Options) {
	return func(o *Options) {
		set := o.Settings
		set.Proxy.Upstream = upstream
		p, err := proxy.New(proxy.Options{
			Engine: o.Engine, Store: o.Store, Settings: set.Proxy, Limits: set.Limits, Now: time.Now, Log: o.Log,
			Spool: filepath.Join(t.TempDir(), "spool.jsonl"),
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Proxy = p
	}
}

// do sends a request. headers are pairs; Host is the Host header.
func (r *running) do(method, path, body string, headers ...string) (int, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.at.Address+path, strings.NewReader(body))
	if err != nil {
		r.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		} else {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: r.dial}}
	resp, err := client.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func (r *running) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if r.at.Address == "http://socket" {
		network, addr = "unix", r.at.Socket
	}
	return (&net.Dialer{}).DialContext(ctx, network, addr)
}

// token makes a token for spaces.
func (r *running) token(right core.Right, spaces ...string) string {
	r.Helper()
	secret, t, err := access.NewToken("test", right, spaces, time.Now())
	if err != nil {
		r.Fatal(err)
	}
	if err := r.memory.Store.AddToken(r.Context(), t); err != nil {
		r.Fatal(err)
	}
	return secret
}
