package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// memoryHeader says on each answer of a chat what became of memory.
const memoryHeader = "X-Orma-Memory"

// TestUpstreamsThatFail plays everything that a model's server may do wrong to a server
// as users run it: the client sees just what it would see without us, and what was
// answered is recorded.
func TestUpstreamsThatFail(t *testing.T) {
	const said = "The key is under the mat."
	chunk := func(text string) string {
		return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
	}
	slow := make(chan struct{})
	for _, c := range []struct {
		name    string
		answers http.HandlerFunc
		status  int // 0: the answer breaks off
		stored  []string
	}{
		{"an error of its own", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "out of memory", 500) }, 500, nil},
		{"too many requests", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "wait", http.StatusTooManyRequests) }, 429, nil},
		{"it closes before it answers", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 502, nil},
		{"it breaks in the middle", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, chunk("Half of"))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, 0, []string{"user: " + said, "assistant: Half of"}},
		{"a body shorter than it says", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, `{"choices":[{`)
		}, 0, []string{"user: " + said}},
		{"no [DONE]", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, chunk("Fine."))
		}, 200, []string{"user: " + said, "assistant: Fine."}},
		{"slow", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-slow
			_, _ = io.WriteString(w, chunk("At last."))
		}, 200, []string{"user: " + said, "assistant: At last."}},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.test/", http.StatusTemporaryRedirect)
		}, 307, []string{"user: " + said}},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, 200, []string{"user: " + said}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			s := h.serve("--upstream", newModel(t, c.answers).URL)
			if c.name == "slow" {
				go func() { // when the request waits, the server still answers others
					if ok, checks := s.ready(); !ok {
						t.Errorf("it is not ready while a model thinks: %s", checks)
					}
					close(slow)
				}()
			}
			a, err := s.do("POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"`+said+`"}]}`)
			switch {
			case c.status == 0 && err == nil:
				t.Errorf("a broken answer came to a clean end: %q", a.body)
			case c.status != 0 && (err != nil || a.status != c.status):
				t.Errorf("%d %q, %v; want %d", a.status, a.body, err, c.status)
			}
			if ok, checks := s.ready(); !ok {
				t.Errorf("a model's fault makes us unready: %s", checks)
			}
			s.stop() // which ends when all is recorded
			if got := h.exported("default"); !reflect.DeepEqual(got, c.stored) {
				t.Errorf("recorded %q, want %q", got, c.stored)
			}
		})
	}
	t.Run("it is down", func(t *testing.T) {
		h := newHome(t)
		s := h.serve("--upstream", "http://127.0.0.1:1")
		for path, want := range map[string]string{
			"/v1/chat/completions": `{"error":{"code":"unavailable"`, "/v1/messages": `{"error":{"message"`, "/api/chat": `{"error":"`,
		} {
			a := s.ask("POST", path, `{"messages":[{"role":"user","content":"`+said+`"}]}`)
			if a.status != 502 || !strings.HasPrefix(a.body, want) || !strings.Contains(a.body, "does not answer") {
				t.Errorf("%s: %d %s", path, a.status, a.body)
			}
		}
		if ok, checks := s.ready(); !ok {
			t.Errorf("it is not ready: %s", checks)
		}
		s.stop()
		if got := h.exported("default"); got != nil {
			t.Errorf("recorded %q", got)
		}
	})
	t.Run("the client leaves", func(t *testing.T) {
		h := newHome(t)
		left := make(chan struct{})
		s := h.serve("--upstream", newModel(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, chunk("As far as"))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done() // the model is told, and need not go on
			close(left)
		}).URL)
		ctx, leave := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, "POST", s.address+"/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"`+said+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = resp.Body.Read(make([]byte, 1))
		leave()
		resp.Body.Close()
		<-left
		s.stop()
		if got, want := h.exported("default"), []string{"user: " + said, "assistant: As far as"}; !reflect.DeepEqual(got, want) {
			t.Errorf("recorded %q, want %q", got, want)
		}
	})
}

// exported lists the texts of a space, oldest first.
func (h *home) exported(space string) (texts []string) {
	h.Helper()
	r := h.run("export", "--space", space)
	for line := range strings.Lines(r.out) {
		var row struct{ Role, Text string }
		if json.Unmarshal([]byte(line), &row) == nil && row.Text != "" {
			texts = append(texts, row.Role+": "+row.Text)
		}
	}
	return texts
}

// TestStoresThatFail lets the store fail under a running server: chats go on, readiness
// is red while it lasts, and nothing that was answered is lost.
func TestStoresThatFail(t *testing.T) {
	for _, c := range []struct {
		name string
		// fails makes the store fail and returns what makes it well again.
		fails func(t *testing.T, h *home) (well func())
		reads bool // memory can be read meanwhile
	}{
		{"locked", locked, true},
		{"read-only", readOnly, true},
		{"a full disk", fullDisk, true},
		{"damaged", damaged, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			if c.name == "a full disk" {
				h.dir = smallDisk(t)
			}
			h.ok("add", "The spare fuse is in the drawer.")
			m := newModel(t, nil)
			s := h.serve("--upstream", m.URL, "--set", "proxy.deadline_ms=20000", "--set", "serve.timeout_ms=2000")
			if a := s.chat("Where is the spare fuse?"); a.header.Get(memoryHeader) != "on" || !strings.Contains(m.last(), "drawer") {
				t.Fatalf("memory %q: %s", a.header.Get(memoryHeader), m.last())
			}
			s.until("it is recorded", func() bool { return len(s.episodes("default")) == 3 })
			if ok, checks := s.ready(); !ok {
				t.Fatal(checks)
			}
			well := c.fails(t, h)
			for i := range 3 {
				a := s.chat(fmt.Sprintf("My badge number %d opens the drawer with the fuse.", i))
				if !strings.Contains(a.body, "Noted.") || c.reads && a.header.Get(memoryHeader) != "on" {
					t.Errorf("memory %q: %s", a.header.Get(memoryHeader), a.body)
				}
			}
			s.until("readiness is red", func() bool { ok, _ := s.ready(); return !ok })
			if a := s.ask("GET", "/healthz", ""); a.status != 200 {
				t.Errorf("the process is not healthy: %d", a.status)
			}
			if a := s.ask("GET", "/metrics", ""); !strings.Contains(a.body, "\norma_ready 0\n") {
				t.Error("metrics say that it is ready")
			}
			if a := s.ask("POST", "/_orma/v1/episodes", `{"text":"x y z"}`); a.status < 500 || !strings.Contains(a.body, `"code"`) {
				t.Errorf("add: %d %s", a.status, a.body)
			}
			if c.name == "damaged" {
				s.stop()
				well()
				s = h.serve("--upstream", m.URL)
			} else {
				well()
			}
			s.until("it is ready again", func() bool { ok, _ := s.ready(); return ok })
			s.until("all is recorded", func() bool { return strings.Count(strings.Join(s.episodes("default"), "\n"), "badge number") == 3 })
			s.stop()
			want := []string{"user: The spare fuse is in the drawer.", "user: Where is the spare fuse?", "assistant: Noted."}
			for i := range 3 {
				want = append(want, fmt.Sprintf("user: My badge number %d opens the drawer with the fuse.", i), "assistant: Noted.")
			}
			got := h.exported("default")
			slices.Sort(got) // an exchange is recorded behind its answer: the next one may overtake it
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("recorded %q\nwant %q", got, want)
			}
			if left, _ := filepath.Glob(filepath.Join(h.dir, "*.unrecorded.jsonl*")); left != nil {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// locked holds the database's write lock, as another program may.
func locked(t *testing.T, h *home) func() {
	other, err := sqlite3.Open("file:" + filepath.ToSlash(filepath.Join(h.dir, "memory.db")))
	if err == nil {
		err = other.Exec("BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
}

// readOnly makes the file one that cannot be written, even by who has it open.
func readOnly(t *testing.T, h *home) func() {
	return immutable(t, filepath.Join(h.dir, "memory.db"), filepath.Join(h.dir, "memory.db-wal"))
}

// damaged writes over the pages of the file while the server runs.
func damaged(t *testing.T, h *home) func() {
	path := filepath.Join(h.dir, "memory.db")
	h.ok("backup", filepath.Join(h.dir, "copy"))
	i, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(strings.Repeat("no page ", int(i.Size()-4096)/8)), 4096); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		if err := os.Truncate(name, map[bool]int64{true: i.Size()}[name == path]); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() { h.ok("restore", filepath.Join(h.dir, "copy"), "--yes") }
}

// fullDisk fills what is left of the disk.
func fullDisk(t *testing.T, h *home) func() {
	path := filepath.Join(h.dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// TestADeadEmbedderIsNoFailure: recall goes by words, recording goes on, and readiness
// only notes it.
func TestADeadEmbedderIsNoFailure(t *testing.T) {
	h := newHome(t)
	h.ok("add", "The spare fuse is in the drawer.")
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, at := range []string{"127.0.0.1:1", silent.Addr().String()} {
		h.file("config.toml", fmt.Sprintf("[embedder.default]\nuse = \"ollama\"\nurl = \"http://%s\"\nmodel = \"m\"\ndim = 8\ntimeout_ms = 300\nretries = 0\n", at))
		m := newModel(t, nil)
		s := h.serve("--upstream", m.URL, "--set", "proxy.deadline_ms=20000")
		if a := s.chat("Where is the spare fuse?", "X-Orma-Session", at); a.header.Get(memoryHeader) != "on" || !strings.Contains(m.last(), "drawer") {
			t.Errorf("memory %q: %s", a.header.Get(memoryHeader), m.last())
		}
		if ok, checks := s.ready(); !ok || !strings.Contains(checks, "embedder does not answer") {
			t.Errorf("%v %s", ok, checks)
		}
		s.stop()
	}
	if got := h.exported("default"); len(got) != 5 {
		t.Errorf("recorded %q", got)
	}
}

// TestAnEmbedderThatCannotBeOpened is no failure either, and stays visible after the
// warning at the start is gone.
func TestAnEmbedderThatCannotBeOpened(t *testing.T) {
	h := newHome(t)
	h.file("config.toml", "[embedder.default]\nuse = \"bert\"\npath = \"/nowhere/model\"\n")
	h.ok("add", "The spare fuse is in the drawer.")
	if got := h.ok("search", "spare fuse"); !strings.Contains(got, "drawer") {
		t.Errorf("search: %s", got)
	}
	if got := h.ok("stats"); !strings.Contains(got, "none, so recall goes by text alone: embedder default: ") || !strings.Contains(got, "/nowhere/model") {
		t.Errorf("stats: %s", got)
	}
	if r := h.run("doctor"); r.code != 0 || !strings.Contains(r.err, "embedder default: ") {
		t.Errorf("doctor: %d %s", r.code, r.err)
	}
	s := h.serve("--upstream", newModel(t, nil).URL)
	if ok, checks := s.ready(); !ok || !strings.Contains(checks, "embedder does not answer") {
		t.Errorf("%v %s", ok, checks)
	}
}

// TestTZThatNamesNoZone runs the program, for a process reads TZ once.
func TestTZThatNamesNoZone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("TZ means nothing there")
	}
	for _, c := range []struct {
		tz, zone string
		warned   bool
	}{
		{"Mars/Base", "", true}, {":Mars/Base", "", true}, {"CET-1CEST", "", true}, {"/nowhere/zone", "", true},
		{"Mars/Base", "UTC", false}, {"Mars/Base", "Europe/Lisbon", false}, {"Europe/Berlin", "UTC", false},
		{"", "", false}, {"UTC", "", false}, {":UTC", "", false}, {"Europe/Berlin", "", false}, {":Etc/UTC", "", false},
	} {
		h := newHome(t)
		args := []string{"add", "The tide is at six."}
		if c.zone != "" {
			args = append(args, "--set", "clock.timezone="+c.zone)
		}
		cmd := h.command(args...)
		cmd.Env = append(cmd.Env, "TZ="+c.tz)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "TZ names no known zone") != map[bool]int{true: 1}[c.warned] {
			t.Errorf("TZ=%s and zone %q: %v\n%s", c.tz, c.zone, err, out)
		}
	}
}

// TestAServerThatIsKilled: what it had recorded or set aside is there at the next start.
func TestAServerThatIsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes end in another way there")
	}
	h := newHome(t)
	m := newModel(t, nil)
	s := h.serve("--upstream", m.URL)
	s.chat("The first thing said.")
	s.until("it is recorded", func() bool { return len(s.episodes("default")) == 2 })
	well := locked(t, h)
	s.chat("The second thing said.")
	s.stop() // it cannot store it, and sets it aside
	// An attempt to store it may have given the file an ending.
	if aside, err := filepath.Glob(filepath.Join(h.dir, "memory.db.unrecorded.jsonl*")); err != nil || len(aside) == 0 {
		t.Fatalf("%v\n%s", err, s.logged())
	}
	well()
	next := h.serve("--upstream", m.URL)
	next.until("all is recorded", func() bool { return len(next.episodes("default")) == 4 })
	if err := next.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	next.ended = true
	_ = next.cmd.Wait()
	want := []string{"user: The first thing said.", "assistant: Noted.", "user: The second thing said.", "assistant: Noted."}
	if got := h.exported("default"); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q", got)
	}
	h.ok("doctor")
}
