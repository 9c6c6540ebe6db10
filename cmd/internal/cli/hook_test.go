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

func runHook(args []string, stdin io.Reader) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = Main(context.Background(), Process{
		Args: append([]string{"hook"}, args...), Env: os.Environ(), Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Now: time.Now,
	})
	return code, stdout.String(), stderr.String()
}
