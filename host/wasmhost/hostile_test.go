package wasmhost_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/host/wasmhost"
)

// hung is how long a call may take before a test gives up on it. Deadlines are a
// thousandth of that: how closely they are kept is measured, not tested.
const hung = 30 * time.Second

// patient is a deadline for guests that end by themselves, on a busy machine too.
const patient = 20 * time.Second

func newHost(t testing.TB, o wasmhost.Options) *wasmhost.Host {
	t.Helper()
	h := wasmhost.New(o)
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func hostile(name string) string { return filepath.Join("testdata", "hostile", name+".wasm") }

// stage opens a hostile guest and builds its stage.
func stage(t testing.TB, h *wasmhost.Host, name string) pipeline.Stage {
	t.Helper()
	p, err := h.Open(context.Background(), host.Source{Path: hostile(name)})
	if err != nil {
		t.Fatal(err)
	}
	return build(t, p)
}

func build(t testing.TB, p host.Provided) pipeline.Stage {
	t.Helper()
	st, err := p.Stages[0].Build(p.Stages[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func threeRows() *frame.Frame {
	f := frame.New(3, frame.ID, frame.Score)
	copy(f.F32(frame.Score), []float32{3, 2, 1})
	return f
}

// within runs f and fails the test if it hangs.
func within(t testing.TB, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	timer := time.NewTimer(hung)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		t.Fatal("it hangs")
		return nil
	}
}

func untouched(t testing.TB, f *frame.Frame) {
	t.Helper()
	if !slices.Equal(f.F32(frame.Score), []float32{3, 2, 1}) || !slices.Equal(f.Order(), []int32{0, 1, 2}) {
		t.Errorf("the frame changed: scores %v, order %v", f.F32(frame.Score), f.Order())
	}
}

// TestBadRuns gives every guest that breaks a rule while it runs one frame.
func TestBadRuns(t *testing.T) {
	stop, answer, trap := context.DeadlineExceeded, contract.ErrAnswer, wasmhost.ErrTrap
	for _, c := range []struct {
		guest string
		want  error
		text  string
	}{
		{"loop", stop, ""}, {"loop_nested", stop, ""}, {"fibonacci", stop, ""}, {"indirect", stop, ""},
		{"fill", stop, ""}, {"bomb", stop, ""}, {"random_flood", stop, ""},
		{"trap", trap, "unreachable"}, {"outside", trap, "out of bounds memory access"},
		{"division", trap, "integer divide by zero"}, {"exits", trap, "exited with code 0"},
		{"nan", answer, `column "score" row 0 is NaN`}, {"infinite", answer, `row 0 is +Inf`}, {"negative", answer, "row 0 is -1"},
		{"billion", answer, "1000000000 live rows of 3"}, {"rows", answer, "header"}, {"fewer_rows", answer, "header"},
		{"columns", answer, "header"}, {"size", answer, "header"}, {"smash", answer, "header"},
		{"order_twice", answer, "row 0"}, {"order_outside", answer, "row 1000000"}, {"order_negative", answer, "row 4294967295"},
		{"code", nil, "plugin error 3"}, {"message", nil, "plugin error 3"}, {"message_loop", nil, "plugin error 3"},
	} {
		t.Run(c.guest, func(t *testing.T) {
			limit := patient
			if c.want == stop {
				limit = 50 * time.Millisecond
			} else if c.guest == "message_loop" { // it must return its code before
				limit = 2 * time.Second
			}
			h := newHost(t, wasmhost.Options{Timeout: limit})
			st := stage(t, h, c.guest)
			for range 3 { // a fresh instance each time
				f := threeRows()
				err := within(t, func() error { return st.Run(context.Background(), f) })
				if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
					t.Fatalf("Run: %v, want %v with %q", err, c.want, c.text)
				}
				if strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("the error %q has control characters", err)
				}
				untouched(t, f)
			}
		})
	}
}

// TestRecursion ends long before the stack is full: growing it takes longer than a recall has.
func TestRecursion(t *testing.T) {
	st := stage(t, newHost(t, wasmhost.Options{Timeout: patient}), "recursion")
	f := threeRows()
	err := within(t, func() error { return st.Run(context.Background(), f) })
	if !errors.Is(err, wasmhost.ErrTrap) || !strings.Contains(err.Error(), "recursion too deep") {
		t.Errorf("Run: %v, want a trap", err)
	}
	untouched(t, f)
}

// TestDetail keeps what a guest says out of errors, and what steers a terminal out of
// what authors see.
func TestDetail(t *testing.T) {
	st := stage(t, newHost(t, wasmhost.Options{Timeout: patient}), "message")
	err := st.Run(t.Context(), threeRows())
	if got, want := contract.Detail(err), "·[2Jgone·\u00b7\nsecond line"; got != want {
		t.Errorf("Detail = %q, want %q", got, want)
	}
	if strings.Contains(err.Error(), "gone") {
		t.Errorf("the error %q has the guest's words", err)
	}
}

// TestMovedColumn changes a place in the directory: the host does not look there.
func TestMovedColumn(t *testing.T) {
	st := stage(t, newHost(t, wasmhost.Options{Timeout: patient}), "moved")
	f := threeRows()
	if err := st.Run(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if got, want := f.F32(frame.Score), []float32{9, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
}

// TestBadModules are refused when they are opened or built.
func TestBadModules(t *testing.T) {
	for guest, want := range map[string]string{
		"greedy":                 "over limit",
		"wrong_abi":              "speaks ABI 2, this Orma speaks ABI 1",
		"no_run":                 "does not export orma_run",
		"wrong_type":             "exports orma_run(i32) i32, want orma_run(i32 i32) i32",
		"imports_env":            "imports env.system; a plugin may import nothing but WASI",
		"imports_memory":         "imports a memory",
		"imports_unknown_wasi":   "imports wasi_snapshot_preview1.sock_connect, which WASI does not have",
		"imports_tick_wrong":     "signature mismatch",
		"manifest_huge":          "2147483647 bytes, at most 65536",
		"manifest_outside":       "memory that the guest does not have",
		"manifest_loop":          "deadline exceeded",
		"manifest_broken":        "manifest: unexpected EOF",
		"manifest_engine_column": `column "expired" belongs to the engine`,
		"alloc_zero":             "orma_alloc of 4096 bytes returned 0",
		"alloc_outside":          "memory that the guest does not have",
		"alloc_odd":              "orma_alloc of 4096 bytes returned 65537",
		"configure_fails":        "weights.txt:3: no number",
		"start_loop":             "deadline exceeded",
	} {
		t.Run(guest, func(t *testing.T) {
			limit := patient
			if strings.HasSuffix(guest, "_loop") {
				limit = 100 * time.Millisecond
			}
			h := newHost(t, wasmhost.Options{StartTimeout: limit, Timeout: patient})
			err := within(t, func() error {
				p, err := h.Open(context.Background(), host.Source{Path: hostile(guest)})
				if err == nil {
					_, err = p.Stages[0].Build(p.Stages[0].NewParams(), component.Deps{})
				}
				return err
			})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		})
	}
}

// TestTruncated opens every beginning of a module.
func TestTruncated(t *testing.T) {
	whole, err := os.ReadFile(hostile("counting"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cut.wasm")
	for n := range len(whole) {
		if err := os.WriteFile(file, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := newHost(t, wasmhost.Options{}).Open(t.Context(), host.Source{Path: file}); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(whole))
		}
	}
}

func TestDigest(t *testing.T) {
	code, err := os.ReadFile(hostile("obedient"))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(code)
	digest := hex.EncodeToString(sum[:])
	file := filepath.Join(t.TempDir(), "p.wasm")
	if err := os.WriteFile(file, code, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t, wasmhost.Options{})
	for _, pin := range []string{"", digest, strings.ToUpper(digest)} {
		p, err := h.Open(t.Context(), host.Source{Path: file, SHA256: pin})
		if err != nil || p.Info.SHA256 != digest {
			t.Errorf("pin %q: %v, digest %q", pin, err, p.Info.SHA256)
		}
	}
	if err := os.WriteFile(file, append(code, 0, 2, 1, 'x'), 0o600); err != nil { // a custom section: still valid
		t.Fatal(err)
	}
	_, err = h.Open(t.Context(), host.Source{Path: file, SHA256: digest})
	if e := (*host.DigestError)(nil); !errors.As(err, &e) || e.Want != digest || !strings.Contains(err.Error(), e.Got) {
		t.Errorf("a changed file: %v", err)
	}
}

// TestFreshAfterFailure: an instance is used again while it behaves, and never after.
func TestFreshAfterFailure(t *testing.T) {
	st := stage(t, newHost(t, wasmhost.Options{Timeout: patient, Instances: 1}), "counting")
	run := func(first, want float32) {
		t.Helper()
		f := threeRows()
		f.F32(frame.Score)[0] = first
		err := st.Run(context.Background(), f)
		switch {
		case want == 0 && !errors.Is(err, wasmhost.ErrTrap):
			t.Fatalf("Run: %v, want a trap", err)
		case want == 0 && !slices.Equal(f.F32(frame.Score), []float32{first, 2, 1}):
			t.Fatalf("the frame changed: %v", f.F32(frame.Score))
		case want > 0 && err != nil:
			t.Fatal(err)
		case want > 0 && !slices.Equal(f.F32(frame.Score), []float32{want, want, want}):
			t.Fatalf("scores %v, want %v", f.F32(frame.Score), want)
		}
	}
	run(3, 1)
	run(3, 2)
	run(2000, 0) // writes rubbish and traps
	run(3, 1)
	run(3, 2)
}

// TestOutside: nothing of the machine can be seen.
func TestOutside(t *testing.T) {
	t.Setenv("ORMA_TEST_SECRET", "x")
	st := stage(t, newHost(t, wasmhost.Options{Timeout: patient}), "system")
	var first []float32
	for range 3 {
		f := frame.New(5, frame.ID, frame.Score)
		if err := st.Run(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(f.F32(frame.Score))
		if !slices.Equal(got[:4], []float32{8, 8, 8, 0}) { // 8: bad file descriptor
			t.Errorf("path_open, fd_prestat_get, sock_send, variables = %v, want 8 8 8 0", got[:4])
		}
		if first == nil {
			first = got
		}
		if got[4] != first[4] {
			t.Error("the clock or the random bytes change")
		}
	}
}

// TestCrowd runs good and bad guests from many goroutines at once.
func TestCrowd(t *testing.T) {
	h := newHost(t, wasmhost.Options{Timeout: 500 * time.Millisecond, Instances: 4})
	good, bad, counting := stage(t, h, "obedient"), stage(t, h, "trap"), stage(t, h, "counting")
	loop := stage(t, newHost(t, wasmhost.Options{Timeout: 5 * time.Millisecond, Instances: 2}), "loop")
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range 20 {
				f := threeRows()
				if err := good.Run(context.Background(), f); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("obedient: %v", err)
				}
				untouched(t, f)
				if err := bad.Run(context.Background(), f); err == nil {
					t.Error("trap: no error")
				}
				untouched(t, f)
				if i%10 == 0 {
					if err := loop.Run(context.Background(), f); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("loop: %v", err)
					}
					untouched(t, f)
				}
				if g%4 == 0 {
					f.F32(frame.Score)[0] = 2000
				}
				if err := counting.Run(context.Background(), f); err == nil && f.F32(frame.Score)[0] != f.F32(frame.Score)[2] {
					t.Errorf("scores of two instances in one frame: %v", f.F32(frame.Score))
				}
			}
		})
	}
	wg.Wait()
}

// TestClose: stages fail afterwards, and a run that is under way ends first.
func TestClose(t *testing.T) {
	h := wasmhost.New(wasmhost.Options{Timeout: 50 * time.Millisecond})
	st, loop := stage(t, h, "obedient"), stage(t, h, "loop")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := loop.Run(context.Background(), threeRows()); err == nil {
				t.Error("the loop ended by itself")
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	if err := st.Run(ctx, threeRows()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := within(t, h.Close); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if err := st.Run(t.Context(), threeRows()); err == nil {
		t.Error("a stage runs after its host was closed")
	}
	if _, err := h.Open(t.Context(), host.Source{Path: hostile("obedient")}); err == nil {
		t.Error("a closed host opens plugins")
	}
}

// TestFixtures: what is committed is what was assembled.
func TestFixtures(t *testing.T) {
	sums, err := os.ReadFile(filepath.Join("testdata", "hostile", "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		code, err := os.ReadFile(filepath.Join("testdata", "hostile", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := sha256.Sum256(code); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not the file whose digest is in SHA256SUMS; run build.sh", name)
		}
		n++
	}
	if files, _ := filepath.Glob(filepath.Join("testdata", "hostile", "*.wat")); len(files)-1 != n {
		t.Errorf("%d sources and %d digests", len(files)-1, n)
	}
}
