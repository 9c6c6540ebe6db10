package prochost_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/prochost"
)

// actAsHost opens this binary as a plugin and stays until it is killed.
func actAsHost() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := prochost.New(prochost.Options{Timeout: patient}).Open(context.Background(),
		host.Source{Path: exe, Trusted: true, Env: []string{modeVar, pidVar}})
	if err != nil {
		panic(err)
	}
	st, err := p.Stages[0].Build(p.Stages[0].NewParams(), component.Deps{})
	if err != nil {
		panic(err)
	}
	query := os.Getenv("ORMA_TEST_HOST")
	_ = st.Run(context.Background(), rows(query)) // may not come back
	select {}
}

// alive reports whether a process runs. One that nobody has waited for does not.
func alive(pid string) bool {
	b, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// pids waits until n programs have left their numbers.
func pids(t *testing.T, dir string, n int) []string {
	t.Helper()
	var out []string
	eventually(t, "the programs start", func() bool {
		out = nil
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			out = append(out, f.Name())
		}
		return len(out) == n
	})
	return out
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick, end := time.NewTicker(5*time.Millisecond), time.NewTimer(hung)
	defer tick.Stop()
	defer end.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// TestNoOrphan: a host that is killed takes its programs with it, also while they loop,
// and leaves no socket.
func TestNoOrphan(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"idle", "loop"} {
		t.Run(query, func(t *testing.T) {
			dir, sockets := t.TempDir(), t.TempDir()
			c := exec.Command(exe)
			c.Env = append(os.Environ(), "ORMA_TEST_HOST="+query, modeVar+"=rank", pidVar+"="+dir, "TMPDIR="+sockets)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			got := pids(t, dir, 1)
			if !alive(got[0]) {
				t.Error("the program is gone already")
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // it was killed
			eventually(t, "the program ends", func() bool { return !alive(got[0]) })
			if left, err := os.ReadDir(sockets); err != nil || len(left) > 0 {
				t.Errorf("%v is left of its socket, %v", left, err)
			}
		})
	}
}

// TestForks: what a program started ends with it, and holds nothing up.
func TestForks(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(pidVar, dir)
	h := prochost.New(prochost.Options{Timeout: patient})
	p, err := h.Open(t.Context(), self(t, "rank"))
	if err != nil {
		t.Fatal(err)
	}
	if err := build(t, p).Run(t.Context(), rows("fork")); err != nil {
		t.Fatal(err)
	}
	got := pids(t, dir, 2)
	if err := within(t, h.Close); err != nil {
		t.Fatal(err)
	}
	for _, pid := range got {
		if _, err := strconv.Atoi(pid); err != nil {
			t.Fatal(err)
		}
		eventually(t, pid+" ends", func() bool { return !alive(pid) })
	}
}
