package prochost_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/sdk/embedtest"
	"github.com/orma-memory/orma/sdk/extracttest"
	"github.com/orma-memory/orma/sdk/stagetest"
)

func buildWith(t testing.TB, p host.Provided, params any) pipeline.Stage {
	t.Helper()
	st, err := p.Stages[0].Build(params, component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// hung is how long a call may take before a test gives up on it.
const hung = 30 * time.Second

// within runs f and fails the test if it hangs.
func within(t testing.TB, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(hung):
		t.Fatal("it hangs")
		return nil
	}
}

func halved(t *testing.T, f *frame.Frame) {
	t.Helper()
	if got, want := f.F32(frame.Score), []float32{1, 1.5, 2}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
}

func TestStage(t *testing.T) {
	p := open(t, "rank", prochost.Options{Timeout: patient})
	if i := p.Info; i.Name != "halver" || i.Runtime != "process" || i.Contract != "rank" || i.SHA256 == "" || i.Bytes == 0 || !i.Trusted {
		t.Errorf("info %+v", i)
	}
	f := rows("")
	if err := build(t, p).Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	halved(t, f)
	// Other parameters are another process.
	params := p.Stages[0].NewParams()
	reflect.ValueOf(params).Elem().Field(0).SetFloat(0)
	f = rows("")
	if err := buildWith(t, p, params).Run(t.Context(), f); err != nil || f.F32(frame.Score)[0] != 2 {
		t.Errorf("scores %v, %v", f.F32(frame.Score), err)
	}
	reflect.ValueOf(params).Elem().Field(0).SetFloat(13)
	if _, err := p.Stages[0].Build(params, component.Deps{}); err == nil || !strings.Contains(err.Error(), "13 is unlucky") {
		t.Errorf("refused parameters: %v", err)
	}
}

// TestConformance holds a process to the suites of all contracts.
func TestConformance(t *testing.T) {
	report := func(t *testing.T, rs []stagetest.Result) {
		t.Helper()
		for _, r := range rs {
			for _, e := range r.Errors {
				t.Errorf("%s: %s", r.Name, e)
			}
		}
	}
	o := prochost.Options{Timeout: patient, EmbedTimeout: patient, ExtractTimeout: patient, SleepTimeout: patient}
	t.Run("rank", func(t *testing.T) {
		report(t, stagetest.Check(t.Context(), stagetest.Suite{Spec: open(t, "rank", o).Stages[0]}))
	})
	t.Run("embed", func(t *testing.T) {
		report(t, embedtest.Check(t.Context(), embedtest.Suite{Spec: open(t, "embed", o).Embedders[0]}))
	})
	for _, mode := range []string{"extract", "sleep"} {
		t.Run(mode, func(t *testing.T) {
			report(t, extracttest.Check(t.Context(), extracttest.Suite{Spec: open(t, mode, o).Extractors[0], Lines: []string{"Keep: the receipt."}}))
		})
	}
}

// TestStarts: whatever a program does instead of starting, Open fails in time and in
// plain words.
func TestStarts(t *testing.T) {
	for mode, want := range map[string]string{
		"garbage": `it is no plugin: instead of the handshake it wrote "hello, I am no plugin"`, "bytes": "start: ", "silent": "start: ",
		"exits": "it said: I ·[2Jcannot", "core": "incompatible core API version", "version": "ncompatible API version",
		"elsewhere": "is not on this machine", "other socket": "not in the folder that it was given",
		"plain text": "manifest: ", "deaf": "deadline exceeded", "abi": "speaks ABI 2", "manifest": "manifest: ",
		"long manifest": "larger than it may be", "no manifest": "the call failed",
	} {
		t.Run(mode, func(t *testing.T) {
			o := prochost.Options{}
			if want == "start: " || mode == "plain text" || mode == "deaf" {
				o.StartTimeout = 500 * time.Millisecond
			}
			h := newHost(t, o)
			err := within(t, func() error { _, err := h.Open(context.Background(), self(t, mode)); return err })
			if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("Open: %v, want %q", err, want)
			}
		})
	}
}

// TestAnswers: what breaks the contract is an error, leaves the frame alone, and does
// not spoil the next call.
func TestAnswers(t *testing.T) {
	for mode, want := range map[string]error{
		"nan": contract.ErrAnswer, "negative": contract.ErrAnswer, "short": contract.ErrAnswer, "long": contract.ErrAnswer,
		"nothing": contract.ErrAnswer, "huge": contract.ErrAnswer, "billion": contract.ErrAnswer,
		"code": nil, "status": nil, "panic": nil, "unserved": nil,
	} {
		t.Run(mode, func(t *testing.T) {
			st := build(t, open(t, mode, prochost.Options{Timeout: patient}))
			for range 2 {
				f := rows("")
				before := f.Clone()
				err := within(t, func() error { return st.Run(context.Background(), f) })
				if err == nil || want != nil && !errors.Is(err, want) {
					t.Errorf("Run: %v, want %v", err, want)
				}
				if err != nil && strings.Contains(err.Error(), "secret words") {
					t.Errorf("Run: %v has the plugin's words", err)
				}
				if !slices.Equal(f.F32(frame.Score), before.F32(frame.Score)) {
					t.Error("the frame was changed")
				}
			}
		})
	}
}

// TestDies: the run during which the program ends fails, the next one has a new program.
func TestDies(t *testing.T) {
	st := build(t, open(t, "rank", prochost.Options{Timeout: patient}))
	for range 3 {
		f := rows("")
		if err := st.Run(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		halved(t, f)
		if err := within(t, func() error { return st.Run(context.Background(), rows("die")) }); err == nil || !strings.Contains(err.Error(), "ended") {
			t.Errorf("Run: %v", err)
		}
	}
}

// TestKeepsDying: a program that never answers is not started again and again.
func TestKeepsDying(t *testing.T) {
	p := open(t, "rank", prochost.Options{Timeout: patient, Backoff: time.Hour, MaxBackoff: time.Hour})
	st := build(t, p)
	if err := st.Run(t.Context(), rows("die")); err == nil {
		t.Error("it lived")
	}
	err := within(t, func() error {
		for {
			if err := st.Run(context.Background(), rows("die")); errors.Is(err, contract.ErrDown) {
				return err
			}
		}
	})
	if !strings.Contains(err.Error(), "is started again in") {
		t.Errorf("Run: %v", err)
	}
}

// TestLoops: a run that does not end costs its deadline and then its program.
func TestLoops(t *testing.T) {
	st := build(t, open(t, "rank", prochost.Options{Timeout: patient, Overrun: 50 * time.Millisecond}))
	if err := st.Run(t.Context(), rows("")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := st.Run(ctx, rows("loop")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v", err)
	}
	if d := time.Since(start); d > 2*time.Second { // far more than 40 ms: the machine may be busy
		t.Errorf("it took %v", d)
	}
	// The kit runs one call after another, so the next can only run in a new program, or
	// be lost with the old one.
	err := within(t, func() error {
		for {
			if f := rows(""); st.Run(context.Background(), f) == nil {
				return nil
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLate: a run that is only late loses its answer and not the program.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(pidVar, dir)
	st := build(t, open(t, "rank", prochost.Options{Timeout: patient, Overrun: patient}))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := st.Run(ctx, rows("nap")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run: %v", err)
	}
	f := rows("")
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	halved(t, f)
	if pids, _ := os.ReadDir(dir); len(pids) != 1 {
		t.Errorf("%d programs, want 1", len(pids))
	}
}

// TestCrowd runs 64 recalls at once, with programs dying under them.
func TestCrowd(t *testing.T) {
	st := build(t, open(t, "rank", prochost.Options{Timeout: patient}))
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range 10 {
				query := ""
				if g == 7 && i%3 == 0 {
					query = "die"
				}
				f := rows(query)
				if err := st.Run(context.Background(), f); err == nil {
					if !slices.Equal(f.F32(frame.Score), []float32{1, 1.5, 2}) {
						t.Errorf("scores %v", f.F32(frame.Score))
					}
				} else if !slices.Equal(f.F32(frame.Score), []float32{2, 3, 4}) {
					t.Errorf("%v changed the frame to %v", err, f.F32(frame.Score))
				}
			}
		})
	}
	wg.Wait()
	err := within(t, func() error {
		for {
			if err := st.Run(context.Background(), rows("")); !errors.Is(err, contract.ErrDown) {
				return err
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTrust(t *testing.T) {
	h := newHost(t, prochost.Options{})
	src := self(t, "rank")
	src.Trusted = false
	if _, err := h.Open(t.Context(), src); !errors.As(err, new(*host.UntrustedError)) || !strings.Contains(err.Error(), "trusted = true") {
		t.Errorf("Open: %v", err)
	}
	src.Trusted, src.SHA256 = true, strings.Repeat("0", 64)
	if _, err := h.Open(t.Context(), src); !errors.As(err, new(*host.DigestError)) {
		t.Errorf("Open: %v", err)
	}
}

// TestChangedOnDisk: the file is looked at again at every start.
func TestChangedOnDisk(t *testing.T) {
	src := self(t, "rank")
	code, err := os.ReadFile(src.Path)
	if err != nil {
		t.Fatal(err)
	}
	src.Path = filepath.Join(t.TempDir(), "plugin.exe")
	if err := os.WriteFile(src.Path, code, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := newHost(t, prochost.Options{Timeout: patient}).Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(src.Path, src.Path+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(src.Path, append(code, 'x'), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stages[0].Build(p.Stages[0].NewParams(), component.Deps{}); err == nil || !strings.Contains(err.Error(), "has changed: its sha256") {
		t.Errorf("Build: %v", err)
	}
}

// TestFirstUse: with its manifest in the cache nothing starts before it is used, and an
// extractor or embedder not before its first call.
func TestFirstUse(t *testing.T) {
	o := prochost.Options{Cache: t.TempDir(), ExtractTimeout: patient}
	src := self(t, "extract")
	if _, err := newHost(t, o).Open(t.Context(), src); err != nil {
		t.Fatal(err)
	}
	t.Setenv(modeVar, "exits") // who starts it now finds out
	p, err := newHost(t, o).Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	x, err := p.Extractors[0].Build(p.Extractors[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Extract(t.Context(), extracttest.Request(0, "Keep: this")); core.CodeOf(err) != core.CodeUnavailable {
		t.Errorf("Extract: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(o.Cache, "process", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("cache %v, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(modeVar, "extract")
	if p, err = newHost(t, o).Open(t.Context(), src); err != nil || p.Info.Name != "keeper" {
		t.Errorf("a damaged cache: %v", err)
	}
	// A program that is not what the cache says is refused, and asked anew next time.
	t.Setenv(modeVar, "sleep")
	p, err = newHost(t, o).Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if x, err = p.Extractors[0].Build(p.Extractors[0].NewParams(), component.Deps{}); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Extract(t.Context(), extracttest.Request(0, "Keep: this")); err == nil || !strings.Contains(err.Error(), "start Orma again") {
		t.Errorf("Extract: %v", err)
	}
	if p, err = newHost(t, o).Open(t.Context(), src); err != nil || p.Info.Name != "sleeper" {
		t.Errorf("Open: %+v, %v", p.Info, err)
	}
}

func extractor(t *testing.T, mode string, o prochost.Options) sleep.Extractor {
	t.Helper()
	p := open(t, mode, o)
	x, err := p.Extractors[0].Build(p.Extractors[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestExtract(t *testing.T) {
	x := extractor(t, "extract", prochost.Options{ExtractTimeout: patient})
	if x.Name() != "process:keeper" {
		t.Errorf("name %q", x.Name())
	}
	got, err := x.Extract(t.Context(), extracttest.Request(1, "Keep: context", "Keep: the keys", "nothing"))
	want := []sleep.Proposal{{Event: true, Subject: "user", Value: " the keys", Cites: []string{"s1"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	// A line at which it crashes counts against the line; the next batch is read.
	if _, err := x.Extract(t.Context(), extracttest.Request(0, "crash")); err == nil || core.CodeOf(err) == core.CodeUnavailable {
		t.Errorf("a crash: %v", err)
	}
	if got, err := x.Extract(t.Context(), extracttest.Request(0, "Keep: x")); err != nil || len(got) != 1 {
		t.Errorf("after a crash: %v, %v", got, err)
	}
}

func TestSleep(t *testing.T) {
	x := extractor(t, "sleep", prochost.Options{SleepTimeout: patient})
	r := extracttest.Request(0, "hello")
	r.Known = func() sleep.Known {
		return sleep.Known{Names: []string{"Asha", "Ben"}, Attributes: []string{"city"}, States: []string{"user · city: Pune"}}
	}
	got, err := x.Extract(t.Context(), r)
	if err != nil || len(got) != 1 || got[0].Value != "Asha,Ben|city|user · city: Pune" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := x.Extract(t.Context(), extracttest.Request(0, "away")); core.CodeOf(err) != core.CodeUnavailable {
		t.Errorf("unavailable: %v", err)
	}
	if _, err := x.Extract(t.Context(), extracttest.Request(0, "bad")); err == nil || core.CodeOf(err) == core.CodeUnavailable || contract.Detail(err) != "this cannot be read" {
		t.Errorf("failed: %v", err)
	}
	// A backend that is slow is told when nobody waits any more, and loses no attempt.
	slow := extractor(t, "sleep", prochost.Options{SleepTimeout: 50 * time.Millisecond, Overrun: patient})
	for range 2 {
		if _, err := slow.Extract(t.Context(), extracttest.Request(0, "wait")); core.CodeOf(err) != core.CodeUnavailable {
			t.Errorf("slow: %v", err)
		}
	}
}

func TestEmbed(t *testing.T) {
	p := open(t, "embed", prochost.Options{EmbedTimeout: patient})
	e, err := p.Embedders[0].Build(p.Embedders[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	i := e.Info()
	if i.ID != "process:letters" || i.Dim != 27 || i.Revision == "" {
		t.Errorf("info %+v", i)
	}
	texts := make([]string, 150) // more than one call takes
	for j := range texts {
		texts[j] = string(rune('a' + j%26))
	}
	v := make([]float32, 27*len(texts))
	if err := e.Embed(t.Context(), v, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	for j := range texts {
		if math.Abs(float64(v[27*j+j%26])-1) > 1e-6 {
			t.Fatalf("text %d: %v", j, v[27*j:27*j+27])
		}
	}
}

// record keeps what is logged.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, string(b))
	return len(b), nil
}

// TestLog: what a program says is logged at debug, bounded and without control
// characters.
func TestLog(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		t.Run(level.String(), func(t *testing.T) {
			rec := &record{}
			h := prochost.New(prochost.Options{Timeout: patient, Log: slog.New(slog.NewTextHandler(rec, &slog.HandlerOptions{Level: level}))})
			p, err := h.Open(t.Context(), self(t, "rank"))
			if err != nil {
				t.Fatal(err)
			}
			if err := build(t, p).Run(t.Context(), rows("shout")); err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil { // all has been read then
				t.Fatal(err)
			}
			all := fmt.Sprint(rec.lines)
			if got := strings.Contains(all, "shouting"); got != (level == slog.LevelDebug) {
				t.Errorf("its words in the log: %v", got)
			}
			if strings.Contains(all, "\x1b") || strings.Contains(all, `\x1b`) || len(rec.lines) > 900 {
				t.Errorf("%d lines, or control characters", len(rec.lines))
			}
		})
	}
}

// TestEnvironment: a program is not given what it has no need of.
func TestEnvironment(t *testing.T) {
	t.Setenv("ORMA_TEST_SECRET", "s")
	t.Setenv("OPENAI_API_KEY", "s")
	got := prochost.Environment(os.Environ(), []string{"OPENAI_API_KEY"})
	has := func(name string) bool {
		return slices.ContainsFunc(got, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	}
	if has("ORMA_TEST_SECRET") || !has("OPENAI_API_KEY") || !has("PATH") {
		t.Errorf("environment %v", got)
	}
}

// TestSweep: what hosts left that were killed while a program started is taken away, and
// nothing else.
func TestSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for _, name := range []string{"orma-plugin1/socket", "orma-plugin2/socket", "plugin-dir3/socket", "orma-plugin4"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		top := filepath.Join(dir, strings.Split(name, "/")[0])
		if err := os.Chtimes(top, now, now.Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(dir, "orma-plugin2"), now, now); err != nil {
		t.Fatal(err)
	}
	prochost.SweepIn(dir, now.Add(-time.Hour))
	var left []string
	files, err := os.ReadDir(dir)
	for _, f := range files {
		left = append(left, f.Name())
	}
	if want := []string{"orma-plugin2", "orma-plugin4", "plugin-dir3"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%v are left, want %v; %v", left, want, err)
	}
}

// TestLaunch says what is wrong with a program that the system does not start.
func TestLaunch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has no first lines")
	}
	for name, c := range map[string]struct{ text, want string }{
		"no interpreter": {"#!/no/such/interpreter\n", "its first line names, or its loader, is not there"},
		"no first line":  {"echo tea\n", "it is no program for " + runtime.GOOS},
		"nothing":        {"", "it is no program for " + runtime.GOOS},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, []byte(c.text), 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := newHost(t, prochost.Options{}).Open(t.Context(), host.Source{Path: path, Trusted: true})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Open: %v, want %q", err, c.want)
			}
		})
	}
}
