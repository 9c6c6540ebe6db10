package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/hook"
)

// TestHookAlwaysExitsOK: whatever is wrong, an agent is not held up, and doctor finds
// what it was.
func TestHookAlwaysExitsOK(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		stdin string
		setup func(t *testing.T, home string)
		want  string // in the log; empty: nothing failed
	}{
		{"all well", []string{"Stop"}, `{"last_assistant_message":"Done."}`, nil, ""},
		{"an event of no interest", []string{"Notification"}, `{}`, nil, ""},
		{"no event", nil, "{}", nil, "not known"},
		{"unknown event", []string{"Dance"}, "{}", nil, "not known"},
		{"not JSON", []string{"Stop"}, "{", nil, "not JSON"},
		{"unknown flag", []string{"--bogus=1", "Stop"}, "{}", nil, ""},
		{"wrong value of a flag", []string{"Stop", "--log-level", "loud"}, "{}", nil, "log-level"},
		{"bad space", []string{"Stop", "--space", "a\x01"}, `{"last_assistant_message":"x"}`, nil, "control character"},
		{"bad now", []string{"Stop", "--now", "someday"}, "{}", nil, "--now"},
		{"no such transcript", []string{"Stop"}, `{"transcript_path":"/no/such"}`, nil, "no transcript"},
		{"broken database", []string{"UserPromptSubmit"}, `{"prompt":"hello there"}`, func(t *testing.T, home string) {
			if err := os.WriteFile(filepath.Join(home, "memory.db"), bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "database"},
		{"broken configuration", []string{"UserPromptSubmit"}, `{"prompt":"hello there"}`, func(t *testing.T, home string) {
			if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("a = ["), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "config.toml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("ORMA_HOME", home)
			if tt.setup != nil {
				tt.setup(t, home)
			}
			code, out, _ := runHook(tt.args, strings.NewReader(tt.stdin))
			if code != 0 || out != "" && !strings.HasPrefix(out, `{"hookSpecificOutput"`) {
				t.Errorf("exit code %d, output %q", code, out)
			}
			list, err := hook.Failures(home)
			slow := len(list) > 0 && strings.Contains(list[0].Error, "took longer") // on a loaded machine
			if err != nil || !slow && ((len(list) > 0) != (tt.want != "") || len(list) > 0 && !strings.Contains(list[0].Error, tt.want)) {
				t.Errorf("the log has %+v, %v; want %q", list, err, tt.want)
			}
			if strings.Contains(tt.name, "broken") {
				if data, err := os.ReadFile(filepath.Join(home, "hook-missed.jsonl")); err != nil || !strings.Contains(string(data), "hello there") {
					t.Errorf("what was not recorded is not kept: %q, %v", data, err)
				}
			}
		})
	}
}

// TestHookGivesUp: an agent that never ends its event is not waited for.
func TestHookGivesUp(t *testing.T) {
	home := t.TempDir()
	t.Setenv("ORMA_HOME", home)
	r, w := io.Pipe()
	defer w.Close()
	code, out, _ := runHook([]string{"Stop"}, r)
	if code != 0 || out != "" {
		t.Errorf("exit code %d, output %q", code, out)
	}
	list, err := hook.Failures(home)
	if err != nil || len(list) != 1 || !strings.Contains(list[0].Error, "took longer") {
		t.Errorf("the log has %+v, %v", list, err)
	}
}

// TestHooksOfARealAgent runs the program as an agent does, with what can go wrong on a
// machine: it ends by itself and well, prints what an agent reads or nothing, doctor
// shows what failed, and what was said is recorded in the end.
func TestHooksOfARealAgent(t *testing.T) {
	const prompt = `{"session_id":"s","prompt":"The badge of the quay is 4471."}`
	for _, tt := range []struct {
		name, event, stdin string
		fails              func(t *testing.T, h *home) (well func())
		failed             bool // doctor shows it
		kept               bool // what was said is found afterwards
	}{
		{"all well", "UserPromptSubmit", prompt, nil, false, true},
		{"no memory yet", "SessionStart", `{"session_id":"s"}`, func(t *testing.T, h *home) func() {
			h.dir = filepath.Join(h.dir, "not", "there")
			if err := os.MkdirAll(filepath.Dir(h.dir), 0o700); err != nil {
				t.Fatal(err)
			}
			return func() {}
		}, false, false},
		{"a locked memory", "UserPromptSubmit", prompt, locked, true, true},
		{"a damaged memory", "UserPromptSubmit", prompt, damaged, true, true},
		{"a folder in its place", "UserPromptSubmit", prompt, func(t *testing.T, h *home) func() {
			path := filepath.Join(h.dir, "memory.db")
			if err := os.Rename(path, path+".away"); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			return func() {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(path+".away", path); err != nil {
					t.Fatal(err)
				}
			}
		}, true, true},
		{"a huge prompt", "UserPromptSubmit", `{"session_id":"s","prompt":"The badge of the quay is 4471. ` + strings.Repeat("word ", 2<<20) + `"}`, nil, false, true},
		{"an event without end", "UserPromptSubmit", `{"session_id":"s","prompt":"` + strings.Repeat("x", 40<<20), nil, true, false},
		{"nothing said", "UserPromptSubmit", "", nil, false, false},
		{"bytes that are no text", "UserPromptSubmit", "\xff\xfe\x00", nil, true, false},
		{"deep", "PostToolUse", `{"tool_name":"x","tool_input":` + strings.Repeat("[", 1<<20), nil, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t)
			h.ok("add", "The harbour opens at nine.")
			well := func() {}
			if tt.fails != nil {
				well = tt.fails(t, h)
			}
			cmd := h.command("hook", tt.event)
			cmd.Stdin = strings.NewReader(tt.stdin)
			if _, err := os.Stat(h.dir); err != nil {
				cmd.Dir = ""
			}
			begun := time.Now()
			out, err := cmd.Output()
			if took := time.Since(begun); err != nil || took > 20*hook.Limit { // a machine may be slow
				t.Errorf("%v after %s", err, took)
			}
			if len(out) > 0 && !strings.HasPrefix(string(out), `{"hookSpecificOutput"`) {
				t.Errorf("it printed %q", out)
			}
			well()
			list, err := hook.Failures(h.dir)
			slow := len(list) > 0 && strings.Contains(list[0].Error, "took longer") && tt.name != "a locked memory"
			if err != nil || !slow && (len(list) > 0) != tt.failed {
				t.Errorf("the log has %+v, %v", list, err)
			}
			if tt.failed {
				if r := h.run("doctor"); !strings.Contains(r.err, "hooks: ") {
					t.Errorf("doctor says %+v", r)
				}
			}
			// The next hook records what this one could not.
			kept := tt.kept && !slow // within its time it may not even get to read
			for i := 0; i < 10 && kept && !strings.Contains(strings.Join(h.exported("default"), "\n"), "4471"); i++ {
				next := h.command("hook", "Stop")
				next.Stdin = strings.NewReader(`{"session_id":"s","last_assistant_message":"Done."}`)
				if err := next.Run(); err != nil {
					t.Error(err)
				}
			}
			if got := strings.Join(h.exported("default"), "\n"); !slow && strings.Contains(got, "4471") != kept {
				t.Errorf("recorded %.300s", got)
			}
		})
	}
}

func runHook(args []string, stdin io.Reader) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = Main(context.Background(), Process{
		Args: append([]string{"hook"}, args...), Env: os.Environ(), Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Now: time.Now,
	})
	return code, stdout.String(), stderr.String()
}
