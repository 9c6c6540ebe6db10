package api_test

import (
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/local"
)

var update = flag.Bool("update", false, "write golden files")

// now is the present of every test.
var now = time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)

// server is an API over a database of its own.
type server struct {
	*testing.T
	memory *local.Memory
	url    string
	who    access.Principal
}

func newServer(t *testing.T) *server {
	t.Helper()
	return newServerIn(t, time.UTC)
}

// newServerIn is a server whose days are those of a zone.
func newServerIn(t *testing.T, zone *time.Location) *server {
	t.Helper()
	home := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{
		Home: home, Path: filepath.Join(home, "m.db"), Now: func() time.Time { return now }, Set: []string{"clock.timezone=" + zone.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{T: t, memory: m, who: access.Local()}
	a := api.New(api.Options{
		Engine: m.Engine, Access: m.Store, Version: "test", Now: func() time.Time { return now }, Log: nil,
		Limits: api.Limits{BodyBytes: 1 << 20, Timeout: 30 * time.Second, Batch: 10, Streams: 2},
	})
	hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.ServeHTTP(w, r.WithContext(access.With(r.Context(), s.who)))
	}))
	t.Cleanup(func() {
		a.Close()
		hs.Close()
		m.Close()
	})
	s.url = hs.URL
	return s
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request. headers are pairs.
func (s *server) do(method, path, body string, headers ...string) answer {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+api.Base+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

// ok is do, for requests that must succeed; into receives the answer.
func (s *server) ok(method, path, body string, into any, headers ...string) answer {
	s.Helper()
	a := s.do(method, path, body, headers...)
	if a.status != http.StatusOK {
		s.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(a.body), into); err != nil {
			s.Fatalf("%s %s: %v in %s", method, path, err, a.body)
		}
	}
	return a
}

// refused is do, for requests that must fail with a code.
func (s *server) refused(want core.Code, method, path, body string, headers ...string) answer {
	s.Helper()
	a := s.do(method, path, body, headers...)
	var f api.Failure
	if err := json.Unmarshal([]byte(a.body), &f); err != nil || f.Error.Code != want || f.Error.Message == "" || a.status != api.Status(want) && a.status != http.StatusMethodNotAllowed {
		s.Errorf("%s %s: %d %s, want code %s", method, path, a.status, a.body, want)
	}
	return a
}

// said adds a turn and returns its id.
func (s *server) said(space, text string) core.ID {
	s.Helper()
	var out api.AddAnswer
	body, _ := json.Marshal(map[string]string{"space": space, "text": text})
	s.ok("POST", "/episodes", string(body), &out)
	return out.Added[0].ID
}
