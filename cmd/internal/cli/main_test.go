package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// binary is the program that the tests drive, as a user would.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	flag.Parse()
	dir, err := os.MkdirTemp("", "orma-cli-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "orma.exe")
	cmd := exec.Command("go", "build", "-o", binary, "../../orma")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// home is a user's home, with nothing in it at first.
type home struct {
	*testing.T
	dir string
}

func newHome(t *testing.T) *home {
	t.Helper()
	return &home{t, t.TempDir()}
}

// result is what a command did.
type result struct {
	out, err string
	code     int
}

func (h *home) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), binary, args...)
	cmd.Dir = h.dir
	cmd.Env = []string{"HOME=" + h.dir, "ORMA_HOME=" + h.dir, "TZ=UTC", "PATH=" + os.Getenv("PATH")}
	return cmd
}

// run runs a command to its end.
func (h *home) run(args ...string) result { return h.feed("", args...) }

// feed is run with something on standard input.
func (h *home) feed(stdin string, args ...string) result {
	h.Helper()
	cmd := h.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		h.Fatal(err)
	}
	r := result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
	if strings.Contains(r.err, "panic:") || strings.Contains(r.err, "goroutine ") {
		h.Fatalf("orma %.200q panicked:\n%s", args, r.err)
	}
	return r
}

// ok runs a command that must do.
func (h *home) ok(args ...string) string {
	h.Helper()
	r := h.run(args...)
	if r.code != 0 {
		h.Fatalf("orma %.200q exited %d: %s", args, r.code, r.err)
	}
	return r.out
}

// json runs a command with --json and reads what it prints into v.
func (h *home) json(v any, args ...string) {
	h.Helper()
	out := h.ok(append(args, "--json")...)
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		h.Fatalf("orma %q printed %v: %s", args, err, out)
	}
}

// file writes a file into the home and returns its path.
func (h *home) file(name, text string) string {
	h.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.Fatal(err)
	}
	return path
}
