package proxy

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// faulty is an engine whose verbs fail as long as a test wants.
type faulty struct {
	Engine
	recall func(ctx context.Context) error
	add    atomic.Pointer[error]
}

func (f *faulty) Recall(ctx context.Context, req engine.Request) (*engine.Recalled, error) {
	if f.recall != nil && req.Query != "" {
		if err := f.recall(ctx); err != nil {
			return nil, err
		}
	}
	return f.Engine.Recall(ctx, req)
}

func (f *faulty) Add(ctx context.Context, space string, in ...engine.Input) ([]engine.Added, error) {
	if err := f.add.Load(); err != nil {
		return nil, *err
	}
	return f.Engine.Add(ctx, space, in...)
}

func TestUpstreamFailures(t *testing.T) {
	for _, c := range []struct {
		name     string
		answer   http.HandlerFunc
		status   int // 0: the answer breaks
		recorded []string
	}{
		{"500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 500) }, 500, []string{}},
		{"400", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 400) }, 400, []string{}},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.test/", http.StatusTemporaryRedirect)
		}, http.StatusTemporaryRedirect, []string{"user: The key is under the mat."}},
		{"it closes before it answers", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 502, []string{}},
		{"it breaks in the middle", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, delta("Half of"))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, 0, []string{"user: The key is under the mat.", "assistant: Half of"}},
		{"half an object", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, `{"choices":[{`)
		}, 0, []string{"user: The key is under the mat."}},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, 200, []string{"user: The key is under the mat."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, c.answer)
			resp, body, err := g.send(t.Context(), "POST", "/v1/chat/completions", conversation("The key is under the mat."))
			switch {
			case c.status == 0 && err == nil:
				t.Errorf("a broken answer came to a clean end: %s", body)
			case c.status != 0 && (err != nil || resp.StatusCode != c.status):
				t.Errorf("%v, %v %s", err, resp, body)
			}
			if got := g.recorded("default"); !reflect.DeepEqual(got, c.recorded) {
				t.Errorf("recorded %q, want %q", got, c.recorded)
			}
			if err := g.proxy.Check(); err != nil {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

func TestMemoryNeverCostsARequest(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	for _, c := range []struct {
		name   string
		recall func(context.Context) error
		memory string
	}{
		{"recall fails", func(context.Context) error { return errors.New("boom") }, "off; recall failed"},
		{"the store is damaged", func(context.Context) error { return core.Errorf(core.CodeCorrupt, "damaged") }, "off; recall failed"},
		{"recall hangs", func(ctx context.Context) error {
			select {
			case <-forever:
			case <-ctx.Done():
			}
			return ctx.Err()
		}, "off; recall took too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, says("Fine."), func(o *Options) {
				o.Engine = &faulty{Engine: o.Engine, recall: c.recall}
				if c.name == "recall hangs" {
					o.Settings.DeadlineMS = 20
				}
			})
			body := conversation("Where is the key?")
			resp, got := g.post("/v1/chat/completions", body)
			if resp.StatusCode != 200 || got != completion("Fine.") || g.up.last().body != body || resp.Header.Get(header) != c.memory {
				t.Errorf("%d %s %q, upstream saw %s", resp.StatusCode, got, resp.Header.Get(header), g.up.last().body)
			}
			if got, want := g.recorded("default"), []string{"user: Where is the key?", "assistant: Fine."}; !reflect.DeepEqual(got, want) {
				t.Errorf("recorded %q, want %q", got, want)
			}
		})
	}
}

// TestNoTurnIsLost lets the store fail in every way and looks for what was answered
// after it is well again.
func TestNoTurnIsLost(t *testing.T) {
	want := []string{"user: My badge is 4471.", "assistant: Noted."}
	fail := func(err error) *error { return &err }
	for _, c := range []struct {
		name string
		err  error
	}{
		{"a full disk", core.Errorf(core.CodeUnavailable, "the disk is full")},
		{"a lock", core.Errorf(core.CodeBusy, "another process holds it")},
		{"read-only", core.Errorf(core.CodeReadOnly, "it cannot be written")},
		{"damage", core.Errorf(core.CodeCorrupt, "it is damaged")},
		{"a bug", errors.New("boom")},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &faulty{}
			g := newRig(t, says("Noted."), func(o *Options) {
				f.Engine = o.Engine
				o.Engine = f
			})
			f.add.Store(fail(c.err))
			g.chat("My badge is 4471.")
			// It is told to end while the store is still ill.
			if err := g.proxy.Close(); err == nil || g.proxy.Check() == nil {
				t.Errorf("Close: %v, Check: %v", err, g.proxy.Check())
			}
			g.closed = true
			if got := g.stored("default"); len(got) > 0 {
				t.Fatalf("stored %q", got)
			}
			info, err := os.Stat(g.proxy.o.Spool)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("set aside: %v, %v", info, err)
			}
			f.add.Store(nil)
			g.again() // the next start stores it
			if got := g.recorded("default"); !reflect.DeepEqual(got, want) {
				t.Errorf("recorded %q, want %q", got, want)
			}
			if left, _ := filepath.Glob(g.proxy.o.Spool + "*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestTurnsWithoutAnyPlace lets the store and the file fail, as a full disk does: what was
// said is held, and stored when there is room, without anybody saying more.
func TestTurnsWithoutAnyPlace(t *testing.T) {
	f := &faulty{}
	g := newRig(t, says("Noted."), func(o *Options) {
		f.Engine = o.Engine
		o.Engine = f
		o.Spool = filepath.Join(t.TempDir(), "missing", "spool")
	})
	err := error(core.Errorf(core.CodeReadOnly, "it cannot be written"))
	f.add.Store(&err)
	g.chat("First.")
	g.chat("Second.")
	r := g.proxy.recorder
	until := func(holds func() bool) {
		for !holds() {
			runtime.Gosched()
		}
	}
	until(r.held.some)
	f.add.Store(nil)
	until(func() bool { return !r.held.some() && r.check() == nil })
	if got := g.recorded("default"); len(got) != 4 {
		t.Errorf("recorded %q", got)
	}
}

// TestHeldTurnsAtTheEnd: what is held when the proxy ends is stored or set aside.
func TestHeldTurnsAtTheEnd(t *testing.T) {
	f := &faulty{}
	dir := filepath.Join(t.TempDir(), "later")
	g := newRig(t, says("Noted."), func(o *Options) {
		f.Engine = o.Engine
		o.Engine = f
		o.Spool = filepath.Join(dir, "spool")
	})
	err := error(core.Errorf(core.CodeReadOnly, "it cannot be written"))
	f.add.Store(&err)
	g.chat("My badge is 4471.")
	for !g.proxy.recorder.held.some() {
		runtime.Gosched()
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	_ = g.proxy.Close()
	g.closed = true
	f.add.Store(nil)
	g.again()
	if got := g.recorded("default"); len(got) != 2 {
		t.Errorf("recorded %q", got)
	}
}

// TestALineThatWasCutOff: a full disk leaves half a line in the file. What is added
// behind it is not lost.
func TestALineThatWasCutOff(t *testing.T) {
	s := newSpool(filepath.Join(t.TempDir(), "spool"), nil, nil)
	if err := os.WriteFile(s.path, []byte(`{"space":"a","turns":[{"te`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.add(said{Space: "b", Turns: []engine.Input{{Text: "whole"}}}); err != nil {
		t.Fatal(err)
	}
	var got []said
	if n, err := s.drain(func(x said) error { got = append(got, x); return nil }); n != 1 || err != nil || got[0].Space != "b" {
		t.Errorf("%d, %v: %+v", n, err, got)
	}
}

// TestASealedFile: what is set aside is encrypted where memory is, comes back with the
// same key alone, and is not lost with another.
func TestASealedFile(t *testing.T) {
	sealer := func(key byte) cipher.AEAD {
		b, err := aes.NewCipher(bytes.Repeat([]byte{key}, 32))
		if err != nil {
			t.Fatal(err)
		}
		c, err := cipher.NewGCMWithRandomNonce(b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	path := filepath.Join(t.TempDir(), "spool")
	add := func(seal cipher.AEAD, text string) {
		if err := newSpool(path, nil, seal).add(said{Space: "a", Turns: []engine.Input{{Text: text}}}); err != nil {
			t.Fatal(err)
		}
	}
	drain := func(seal cipher.AEAD) (got []string, err error) {
		_, err = newSpool(path, nil, seal).drain(func(x said) error { got = append(got, x.Turns[0].Text); return nil })
		return got, err
	}
	add(nil, "before encryption")
	add(sealer(1), "the spare fuse")
	if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte("fuse")) {
		t.Errorf("%s, %v", b, err)
	}
	for _, wrong := range []cipher.AEAD{nil, sealer(2)} {
		if got, err := drain(wrong); core.CodeOf(err) != core.CodeDenied || slices.Contains(got, "the spare fuse") {
			t.Errorf("with a wrong key: %q, %v", got, err)
		}
	}
	if got, err := drain(sealer(1)); err != nil || !slices.Equal(got, []string{"before encryption", "the spare fuse"}) {
		t.Errorf("with its key: %q, %v", got, err)
	}
	if got, err := drain(sealer(1)); err != nil || len(got) > 0 {
		t.Errorf("again: %q, %v", got, err)
	}
}

func TestRecordingRecoversByItself(t *testing.T) {
	f := &faulty{}
	g := newRig(t, says("Noted."), func(o *Options) {
		f.Engine = o.Engine
		o.Engine = f
	})
	err := error(core.Errorf(core.CodeReadOnly, "it cannot be written"))
	f.add.Store(&err)
	g.chat("First.")
	for g.proxy.Check() == nil { // until the recorder has tried
		runtime.Gosched()
	}
	f.add.Store(nil)
	g.chat("Second.")
	got := g.recorded("default")
	if len(got) != 4 || g.proxy.Check() != nil {
		t.Errorf("recorded %q, Check: %v", got, g.proxy.Check())
	}
}

func TestSecretsAreMaskedInTheSpool(t *testing.T) {
	f := &faulty{}
	g := newRig(t, says("Noted."), func(o *Options) {
		f.Engine = o.Engine
		o.Engine = f
		o.Mask = func(s string) (string, int) { return strings.ReplaceAll(s, "hunter2", "[secret]"), 1 }
	})
	err := error(core.Errorf(core.CodeReadOnly, "it cannot be written"))
	f.add.Store(&err)
	g.chat("password: hunter2")
	_ = g.proxy.Close()
	g.closed = true
	b, rerr := os.ReadFile(g.proxy.o.Spool)
	if rerr != nil || strings.Contains(string(b), "hunter2") || !strings.Contains(string(b), "[secret]") {
		t.Errorf("%s, %v", b, rerr)
	}
}

// TestALockedStore holds the real lock of the database while chats go on.
func TestALockedStore(t *testing.T) {
	g := newRig(t, says("Noted."))
	g.remember("default", "The spare fuse is in the drawer.")
	other, err := sqlite3.Open("file:" + g.memory.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	if m := g.chat("Where is the spare fuse?"); m != memoryOn {
		t.Errorf("memory %q, want it to be read under a lock", m)
	}
	if err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	want := []string{"user: The spare fuse is in the drawer.", "user: Where is the spare fuse?", "assistant: Noted."}
	if got := g.recorded("default"); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

func TestADeadEmbedder(t *testing.T) {
	g := newRig(t, says("Noted."))
	g.remember("default", "The spare fuse is in the drawer.")
	g.settle()
	if err := g.memory.Close(); err != nil {
		t.Fatal(err)
	}
	cfg := filepath.Join(g.home, "dead.toml")
	if err := os.WriteFile(cfg, []byte("[embedder.default]\nuse = \"ollama\"\nmodel = \"m\"\nurl = \"http://127.0.0.1:1\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := local.Open(t.Context(), local.Options{Home: g.home, Path: g.memory.Path, Config: []string{cfg}, Now: g.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	g.memory = m
	o := g.proxy.o
	o.Engine, o.Store = m.Engine, m.Store
	g.start(o)
	if memory := g.chat("Where is the spare fuse?"); memory != memoryOn || !strings.Contains(g.up.last().body, "drawer") {
		t.Errorf("memory %q: %s", memory, g.up.last().body)
	}
	if got := g.recorded("default"); len(got) != 3 {
		t.Errorf("recorded %q", got)
	}
}

// TestCloseWithoutStart closes a proxy that never listened, as when its port is taken.
func TestCloseWithoutStart(t *testing.T) {
	g := newRig(t, says("ok"))
	p, err := New(g.proxy.o)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
