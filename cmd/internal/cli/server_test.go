package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is an orma serve that runs, as a process of its own.
type server struct {
	*testing.T
	home    *home
	cmd     *exec.Cmd
	address string
	ended   bool

	mu  sync.Mutex
	log bytes.Buffer // what it writes to standard error
}

func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

func (s *server) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// serve starts a server on a free port. The test ends it.
func (h *home) serve(args ...string) *server {
	h.Helper()
	return h.serveAs(h.command(append([]string{"serve", "--json", "--port", "0"}, args...)...))
}

// serveAs starts a server by a command of one's own.
func (h *home) serveAs(cmd *exec.Cmd) *server {
	h.Helper()
	s := &server{T: h.T, home: h, cmd: cmd}
	cmd.Stderr = s
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.Fatal(err)
	}
	h.Cleanup(s.stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	var at struct{ Address string }
	if err != nil || json.Unmarshal([]byte(line), &at) != nil || at.Address == "" {
		h.Fatalf("it printed %q, %v: %s", line, err, s.logged())
	}
	s.address = at.Address
	return s
}

// stop ends the server as an init system does. It may be called twice.
func (s *server) stop() {
	if s.ended {
		return
	}
	s.ended = true
	if runtime.GOOS == "windows" {
		_ = s.cmd.Process.Kill() // there is no polite way
	} else if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.Error(err)
	}
	_ = s.cmd.Wait() // it exits with 1 where turns were set aside
	if log := s.logged(); strings.Contains(log, "panic:") || strings.Contains(log, "goroutine ") {
		s.Errorf("it panicked:\n%s", log)
	}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request. An answer that breaks off is an error.
func (s *server) do(method, path, body string, headers ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(s.Context(), 2*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(b)}, err
}

// ask is do for requests that must be answered.
func (s *server) ask(method, path, body string, headers ...string) answer {
	s.Helper()
	a, err := s.do(method, path, body, headers...)
	if err != nil {
		s.Fatalf("%s %s: %v\n%s", method, path, err, s.logged())
	}
	return a
}

// chat says something and returns what became of memory.
func (s *server) chat(text string, headers ...string) answer {
	s.Helper()
	words, _ := json.Marshal(text)
	a := s.ask("POST", "/v1/chat/completions", fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":%s}]}`, words), headers...)
	if a.status != http.StatusOK {
		s.Fatalf("%q: %d %s", text, a.status, a.body)
	}
	return a
}

// ready asks whether the server can do its work.
func (s *server) ready() (ok bool, checks string) {
	s.Helper()
	a := s.ask("GET", "/readyz", "")
	if (a.status == http.StatusOK) == (a.status == http.StatusServiceUnavailable) {
		s.Fatalf("/readyz: %d %s", a.status, a.body)
	}
	return a.status == http.StatusOK, a.body
}

// until asks again and again, which ends when it holds or the test's patience does.
func (s *server) until(what string, holds func() bool) {
	s.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); {
		if time.Now().After(end) {
			s.Fatalf("it never came to be that %s\n%s", what, s.logged())
		}
		runtime.Gosched()
	}
}

// episodes lists the texts of a space, oldest first, as the API shows them.
func (s *server) episodes(space string) (texts []string) {
	s.Helper()
	a := s.ask("GET", "/_orma/v1/episodes?limit=1000&space="+space, "")
	var page struct {
		Episodes []struct{ Role, Text string }
	}
	if err := json.Unmarshal([]byte(a.body), &page); err != nil {
		s.Fatalf("%d %s", a.status, a.body)
	}
	for i := len(page.Episodes) - 1; i >= 0; i-- {
		texts = append(texts, page.Episodes[i].Role+": "+page.Episodes[i].Text)
	}
	return texts
}

// model is a model's server. What it was asked last is in seen.
type model struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func (m *model) last() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) == 0 {
		return ""
	}
	return m.seen[len(m.seen)-1]
}

// newModel starts a model's server that answers as it is told; nil says "Noted."
func newModel(t *testing.T, answers http.HandlerFunc) *model {
	t.Helper()
	if answers == nil {
		answers = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":"Noted."}}]}`)
		}
	}
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		m.mu.Lock()
		m.seen = append(m.seen, string(b))
		m.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(b))
		answers(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}
