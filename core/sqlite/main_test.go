package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

// childEnv makes the test binary play one process of several:
// "write PATH NAME N", "loop PATH NAME", "open PATH", "read PATH".
const childEnv = "ORMA_SQLITE_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childEnv); job != "" {
		if err := child(strings.Split(job, "|")); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe)
	c.Env = append(os.Environ(), childEnv+"="+strings.Join(args, "|"))
	return c
}

func child(args []string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, args[1], sqlite.Options{BusyTimeout: time.Minute})
	if args[0] == "refused" {
		fmt.Println(core.CodeOf(err))
		return nil
	}
	if err != nil {
		return err
	}
	switch args[0] {
	case "write":
		n, err := strconv.Atoi(args[3])
		if err != nil {
			return err
		}
		for i := range n {
			if _, err := s.Append(ctx, "a", []core.Draft{draft(fmt.Sprintf("Process %s writes %d.", args[2], i))}); err != nil {
				return err
			}
		}
	case "loop":
		// Each line that is printed was acknowledged before.
		out := bufio.NewWriter(os.Stdout)
		for i := 0; ; i++ {
			text := fmt.Sprintf("Round %s writes %d. With two sentences.", args[2], i)
			a, err := s.Append(ctx, "a", []core.Draft{draft(text)})
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%d %s\n", a[0].ID, text)
			if err := out.Flush(); err != nil {
				return err
			}
		}
	case "read":
		for range 50 {
			var c countSink
			if _, err := s.Changes(ctx, "a", "", core.Version{}, &c); err != nil {
				return err
			}
			if _, err := s.SearchText(ctx, "a", []string{"process", "writes"}, 10); err != nil {
				return err
			}
		}
	case "open":
		if _, err := s.Append(ctx, "a", []core.Draft{draft("Opened by " + args[2] + ".")}); err != nil {
			return err
		}
	case "recall":
		hits, err := s.SearchText(ctx, "a", []string{"tea"}, 10)
		if err != nil {
			return err
		}
		_, werr := s.Append(ctx, "a", []core.Draft{draft("More.")})
		fmt.Println(len(hits), core.CodeOf(werr))
	}
	return s.Close()
}
