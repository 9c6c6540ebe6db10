package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/mcp"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

var noon = time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)

// open opens a memory in a folder of its own.
func open(t testing.TB) *local.Memory {
	t.Helper()
	home := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: home, Path: filepath.Join(home, "memory.db"), Now: func() time.Time { return noon }})
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

func options(m *local.Memory) mcp.Options {
	return mcp.Options{
		Open: func(context.Context) (*engine.Engine, error) { return m.Engine, nil },
		Sleep: func(ctx context.Context, space string) (*sleep.Report, error) {
			s, err := m.Sleeper(local.SleepOptions{})
			if err != nil {
				return nil, err
			}
			return s.Sleep(ctx, sleep.Run{Space: space})
		},
		Who: access.Local(), Version: "v1.2.3", Now: func() time.Time { return noon },
	}
}

// connect serves a client over pipes, as standard input and output would.
func connect(t testing.TB, o mcp.Options) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(ctx, toServer, fromServer, o) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return c
}

// connectHTTP serves a client over HTTP.
func connectHTTP(t testing.TB, o mcp.Options, who access.Principal) *sdk.ClientSession {
	t.Helper()
	h := mcp.NewHTTP(o)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(access.With(r.Context(), who)))
	}))
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: srv.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		srv.Close()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// args are the arguments of a tool.
type args = map[string]any

// raw calls a tool.
func raw(t testing.TB, c *sdk.ClientSession, tool string, a args) *sdk.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// call calls a tool that must not fail, and returns its structured result and text.
func call(t testing.TB, c *sdk.ClientSession, tool string, a args) (map[string]any, string) {
	t.Helper()
	r := raw(t, c, tool, a)
	if r.IsError {
		t.Fatalf("%s(%v): %s", tool, a, textOf(r))
	}
	out, ok := r.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("%s: structured content is %T", tool, r.StructuredContent)
	}
	return out, textOf(r)
}

// fails calls a tool that must fail, and returns what it says.
func fails(t testing.TB, c *sdk.ClientSession, tool string, a args) string {
	t.Helper()
	r := raw(t, c, tool, a)
	if !r.IsError {
		t.Fatalf("%s(%v) worked: %s", tool, a, textOf(r))
	}
	return textOf(r)
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if x, ok := c.(*sdk.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

func add(t testing.TB, m *local.Memory, space string, inputs ...engine.Input) []engine.Added {
	t.Helper()
	added, err := m.Add(t.Context(), space, inputs...)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range added {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	return added
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func id(v any) int64 {
	f, _ := v.(float64)
	return int64(f)
}

func uri(format string, a ...any) string { return "orma://spaces/" + fmt.Sprintf(format, a...) }

func unmarshal(t testing.TB, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func optionsOf(e *engine.Engine) mcp.Options {
	return mcp.Options{
		Open: func(context.Context) (*engine.Engine, error) { return e, nil },
		Who:  access.Local(), Now: func() time.Time { return noon },
	}
}

// talk writes lines to a server, each after the answer to the one before, and returns
// the answers.
func talk(t testing.TB, o mcp.Options, lines ...string) []string {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(context.Background(), toServer, fromServer, o) }()
	answers := bufio.NewReader(toClient)
	var got []string
	for _, l := range lines {
		if _, err := io.WriteString(fromClient, l+"\n"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(l, `"id"`) {
			continue
		}
		a, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a)
	}
	_ = fromClient.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return got
}
