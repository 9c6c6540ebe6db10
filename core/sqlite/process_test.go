package sqlite_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

// run runs children at once and fails with what they printed.
func run(t *testing.T, cs ...*exec.Cmd) {
	t.Helper()
	var wg sync.WaitGroup
	for _, c := range cs {
		wg.Go(func() {
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("child: %v\n%s", err, out)
			}
		})
	}
	wg.Wait()
}

func TestEightProcessesWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	var cs []*exec.Cmd
	for i := range 8 {
		cs = append(cs, command(t, "write", path, fmt.Sprint(i), "200"))
	}
	s := openAt(t, path, sqlite.Options{BusyTimeout: time.Minute})
	cs = append(cs, command(t, "read", path), command(t, "read", path))
	run(t, cs...)
	var c countSink
	if _, err := s.Changes(t.Context(), "a", "", core.Version{}, &c); err != nil || c.passages != 1600 {
		t.Errorf("%d passages, %v; want 1600", c.passages, err)
	}
	if hits, err := s.SearchText(t.Context(), "a", []string{"process"}, 5000); err != nil || len(hits) != 1600 {
		t.Errorf("%d hits, %v; want 1600", len(hits), err)
	}
	if h, err := s.Check(t.Context(), false, nil); err != nil || !h.OK {
		t.Errorf("Check = %+v, %v", h, err)
	}
}

func TestProcessesOpenANewFileAtOnce(t *testing.T) {
	for round := range 5 {
		path := filepath.Join(t.TempDir(), fmt.Sprint("home", round), "m.db")
		var cs []*exec.Cmd
		for i := range 6 {
			cs = append(cs, command(t, "open", path, fmt.Sprint(i)))
		}
		run(t, cs...)
		s := openAt(t, path, sqlite.Options{})
		sp, err := s.Spaces(t.Context())
		if err != nil || len(sp) != 1 || sp[0].Episodes != 6 {
			t.Errorf("round %d: %+v, %v", round, sp, err)
		}
	}
}

// TestKill kills a writer at a random moment, many times over.
func TestKill(t *testing.T) {
	rounds := 50
	if testing.Short() {
		rounds = 5
	}
	path := filepath.Join(t.TempDir(), "m.db")
	rng := rand.New(rand.NewPCG(1, 1))
	acknowledged := map[core.ID]string{}
	for round := range rounds {
		for id, text := range killed(t, path, round, rng.IntN(30)) {
			acknowledged[id] = text
		}
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		h, err := s.Check(t.Context(), false, nil)
		if err != nil || !h.OK {
			t.Fatalf("round %d: Check = %+v, %v", round, h, err)
		}
		kept := map[core.ID]string{}
		for e, err := range s.Scan(t.Context(), "a", 0) {
			if err != nil {
				t.Fatal(err)
			}
			kept[e.ID] = e.Text
		}
		for id, text := range acknowledged {
			if kept[id] != text {
				t.Fatalf("round %d: episode %d is %q, acknowledged as %q", round, id, kept[id], text)
			}
		}
		// One a round may have been written without being acknowledged.
		if len(kept) > len(acknowledged)+round+1 {
			t.Fatalf("round %d: %d episodes, %d acknowledged", round, len(kept), len(acknowledged))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) < rounds {
		t.Errorf("only %d writes in %d rounds", len(acknowledged), rounds)
	}
}

// killed runs a writer until it has acknowledged some writes, kills it in the middle
// of the next, and returns what it acknowledged.
func killed(t *testing.T, path string, round, after int) map[core.ID]string {
	t.Helper()
	c := command(t, "loop", path, fmt.Sprint(round))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	got := map[core.ID]string{}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		number, text, _ := strings.Cut(lines.Text(), " ")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			t.Fatalf("child printed %q", lines.Text())
		}
		got[core.ID(id)] = text
		if n == after {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = c.Wait()
	if len(got) <= after {
		t.Fatalf("child ended by itself: %s", stderr.String())
	}
	return got
}

// TestReadOnlyForAnotherUser opens a database that its user may read but not write,
// in a folder where nothing can be made.
func TestReadOnlyForAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can play another user")
	}
	for _, c := range []struct {
		name string
		log  bool // the writer still has it open
	}{{"closed", false}, {"open elsewhere", true}} {
		t.Run(c.name, func(t *testing.T) {
			dir := publicDir(t)
			path := filepath.Join(dir, "m.db")
			s := openAt(t, path, sqlite.Options{})
			if _, err := s.Append(t.Context(), "a", []core.Draft{draft("I like tea.")}); err != nil {
				t.Fatal(err)
			}
			if !c.log {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range []string{"", "-wal", "-shm"} {
				if err := os.Chmod(path+f, 0o644); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			if got := asNobody(t, command(t, "recall", path)); got != "1 read_only\n" {
				t.Errorf("child printed %q", got)
			}
		})
	}
}

// TestFolderThatCannotBeWritten opens a database that is not there, where none can be
// made.
func TestFolderThatCannotBeWritten(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can play another user")
	}
	dir := publicDir(t)
	for _, path := range []string{filepath.Join(dir, "m.db"), filepath.Join(dir, "below", "m.db")} {
		if got := asNobody(t, command(t, "refused", path)); got != "read_only\n" {
			t.Errorf("open %s: %q, want read_only", path, got)
		}
	}
}
