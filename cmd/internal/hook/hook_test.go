package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/hook"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

var noon = time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) *local.Memory {
	t.Helper()
	home := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: home, Path: filepath.Join(home, "memory.db"), Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func event(t *testing.T, name, text string) hook.Event {
	t.Helper()
	e, err := hook.Read(strings.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// play answers an event and records it, as the command does.
func play(t *testing.T, m *local.Memory, name, text string) string {
	t.Helper()
	e := event(t, name, text)
	a, err := hook.Recall(t.Context(), m.Engine, "", e, noon)
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := hook.Inputs(e, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := hook.Record(t.Context(), m.Engine, "", inputs); err != nil {
		t.Fatal(err)
	}
	return a.Context
}

func stored(t *testing.T, m *local.Memory) (lines []string) {
	t.Helper()
	for ep, err := range m.Store.Scan(t.Context(), core.DefaultSpace, 0) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(ep.Role)+" "+string(ep.Kind)+" "+ep.Session+": "+ep.Text)
	}
	return lines
}

// TestSession plays a session of an agent, and the next one.
func TestSession(t *testing.T) {
	m := open(t)
	if got := play(t, m, "SessionStart", `{"session_id":"s1","source":"startup"}`); got != "" {
		t.Errorf("an empty memory says %q", got)
	}
	play(t, m, "UserPromptSubmit", `{"session_id":"s1","prompt":"Ines owns the quay service. Deploy it.\n<system-reminder>x</system-reminder>"}`)
	play(t, m, "PostToolUse", `{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"deploy quay"},"tool_response":{"stdout":"deployed\n","stderr":"1 warning"}}`)
	play(t, m, "Stop", `{"session_id":"s1","last_assistant_message":"It is deployed."}`)
	play(t, m, "UserPromptSubmit", `{"session_id":"s1","prompt":"<command-name>/clear</command-name>"}`)
	play(t, m, "SessionEnd", `{"session_id":"s1","reason":"other"}`)
	want := []string{
		"user turn s1: Ines owns the quay service. Deploy it.",
		"tool tool s1: Bash {\"command\":\"deploy quay\"}\n→ deployed\n\n1 warning",
		"assistant turn s1: It is deployed.",
	}
	if got := stored(t, m); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("recorded %q, want %q", got, want)
	}
	if _, err := m.Forbid(t.Context(), "", "Never run migrations on a Friday", engine.Input{}); err != nil {
		t.Fatal(err)
	}
	if got := play(t, m, "session-start", `{"session_id":"s2"}`); !strings.Contains(got, "[FORBIDDEN: Never run migrations on a Friday]") {
		t.Errorf("the next session begins with %q", got)
	}
	if got := play(t, m, "UserPromptSubmit", `{"session_id":"s2","prompt":"Who owns the quay service?"}`); !strings.Contains(got, "Ines") {
		t.Errorf("the prompt is given %q", got)
	}
}

func TestRulesBeforeTools(t *testing.T) {
	m := open(t)
	for _, r := range []string{"Never chain PowerShell commands with semicolons", "Never run migrations on a Friday", "Do not edit generated files under gen/"} {
		if _, err := m.Forbid(t.Context(), "", r, engine.Input{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ tool, want string }{
		{`{"tool_name":"Bash","tool_input":{"command":"rails db:migrate"}}`, "migrations"},
		{`{"tool_name":"Bash","tool_input":{"command":"powershell -c 'a; b'"}}`, "semicolons"},
		{`{"tool_name":"Edit","tool_input":{"file_path":"/x/gen/api.go","new_string":"x"}}`, "generated"},
		{`{"tool_name":"Bash","tool_input":{"command":"ls -la"}}`, ""},
		{`{"tool_name":"Bash","tool_input":null}`, ""},
		{`{}`, ""},
	} {
		got := play(t, m, "PreToolUse", tt.tool)
		if (got != "") != (tt.want != "") || !strings.Contains(got, tt.want) || tt.want != "" && strings.Count(got, "[FORBIDDEN: ") != 1 {
			t.Errorf("%s is told %q, want the rule on %q", tt.tool, got, tt.want)
		}
	}
}

func TestReplyFromTranscript(t *testing.T) {
	line := func(v string) string { return v + "\n" }
	tests := []struct{ name, transcript, want string }{
		{"one message in parts", line(`{"type":"user","message":{"content":"hi"}}`) +
			line(`{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"x"}]}}`) +
			line(`{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Hello."}]}}`) +
			line(`{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"And more."}]}}`) +
			line(`{"type":"summary"}`), "Hello.\n\nAnd more."},
		{"the last of two", line(`{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"First."}]}}`) +
			line(`{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}`) +
			line(`{"type":"assistant","message":{"id":"m2","content":[{"type":"text","text":"Second."}]}}`), "Second."},
		{"nothing said after the user", line(`{"type":"assistant","message":{"id":"m1","content":"Old."}}`) + line(`{"type":"user","message":{"content":"new"}}`), ""},
		{"cut and foreign lines", "half a line\n" + line(`{"type":"assistant","message":{"id":"m","content":"Yes."}}`) + `{"type":"assis`, "Yes."},
		{"long file", strings.Repeat(line(`{"type":"user","message":{"content":"`+strings.Repeat("x", 1000)+`"}}`), 900) + line(`{"type":"assistant","message":{"id":"m","content":"End."}}`), "End."},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(tt.transcript), 0o600); err != nil {
				t.Fatal(err)
			}
			e := event(t, "Stop", `{"session_id":"s","transcript_path":"`+filepath.ToSlash(path)+`"}`)
			inputs, err := hook.Inputs(e, noon)
			got := ""
			if len(inputs) > 0 {
				got = inputs[0].Text
			}
			if err != nil || got != tt.want {
				t.Errorf("reply %q, %v; want %q", got, err, tt.want)
			}
		})
	}
	if _, err := hook.Inputs(event(t, "Stop", `{"transcript_path":"/no/such/file"}`), noon); err == nil {
		t.Error("a missing transcript is no error")
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"user_prompt_submit", "{}", "UserPromptSubmit"}, {"", `{"hook_event_name":"Stop"}`, "Stop"}, {"stop", "", "Stop"}, {"Notification", "{}", "Notification"},
	} {
		if e, err := hook.Read(strings.NewReader(tt.text), tt.name); err != nil || e.Name != tt.want {
			t.Errorf("Read(%q, %q) = %q, %v", tt.name, tt.text, e.Name, err)
		}
	}
	for _, tt := range []struct{ name, text string }{{"", "{}"}, {"Dance", "{}"}, {"Stop", "{"}, {"Stop", "[]"}, {"Stop", `{"prompt":5}`}} {
		if e, err := hook.Read(strings.NewReader(tt.text), tt.name); err == nil {
			t.Errorf("Read(%q, %q) = %+v", tt.name, tt.text, e)
		}
	}
}

func FuzzEvent(f *testing.F) {
	f.Add("PostToolUse", `{"tool_name":"x","tool_input":[1],"tool_response":{"content":[{"type":"text","text":"y"}]}}`)
	f.Add("UserPromptSubmit", `{"prompt":"<a>b</a>"}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		e, err := hook.Read(strings.NewReader(text), name)
		if err != nil || e.Transcript != "" || e.AgentFile != "" {
			return
		}
		if _, err := hook.Inputs(e, noon); err != nil {
			t.Fatal(err)
		}
	})
}

// TestOutput checks the form that the agent reads.
func TestOutput(t *testing.T) {
	if out := hook.Output("Stop", hook.Answer{}); out != nil {
		t.Errorf("nothing to say is %q", out)
	}
	var v struct {
		Hook struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out := hook.Output("SessionStart", hook.Answer{Context: "a\n\"b\""})
	if err := json.Unmarshal(out, &v); err != nil || v.Hook.Event != "SessionStart" || v.Hook.Context != "a\n\"b\"" {
		t.Errorf("%s, %v", out, err)
	}
}

// broken is a memory that cannot be written.
type broken struct{ *engine.Engine }

func (broken) Add(context.Context, string, ...engine.Input) ([]engine.Added, error) {
	return nil, errors.New("the disk is full")
}

// TestMissed checks that what could not be recorded is recorded later, once.
func TestMissed(t *testing.T) {
	m := open(t)
	if err := os.WriteFile(filepath.Join(m.Home, "hook-missed.jsonl"), []byte(`{"space":"default","text":"cut of`), 0o600); err != nil {
		t.Fatal(err)
	}
	var all []engine.Input
	for _, p := range []string{"one", "two", "three"} {
		inputs, err := hook.Inputs(event(t, "UserPromptSubmit", `{"session_id":"s","prompt":"Say `+p+` to Ravi."}`), noon)
		if err != nil {
			t.Fatal(err)
		}
		if err := hook.Keep(m.Home, "default", inputs); err != nil {
			t.Fatal(err)
		}
		all = append(all, inputs...)
	}
	if err := hook.Record(t.Context(), m.Engine, "", all[:1]); err != nil { // it was recorded after all
		t.Fatal(err)
	}
	if err := hook.CatchUp(t.Context(), broken{m.Engine}, m.Home); err == nil {
		t.Error("a memory that cannot be written is no error")
	}
	for range 2 {
		if err := hook.CatchUp(t.Context(), m.Engine, m.Home); err != nil {
			t.Fatal(err)
		}
	}
	if got := stored(t, m); len(got) != 3 {
		t.Errorf("recorded %q", got)
	}
	if files, _ := filepath.Glob(filepath.Join(m.Home, "hook-*")); len(files) != 0 {
		t.Errorf("files are left: %q", files)
	}
}

func TestLog(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new")
	if list, err := hook.Failures(home); err != nil || list != nil {
		t.Errorf("no log: %v, %v", list, err)
	}
	for range 1500 {
		if err := hook.Log(home, hook.Failure{At: noon, Event: "Stop", Error: strings.Repeat("e", 300)}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := hook.Failures(home)
	if err != nil || len(list) < 100 || len(list) >= 1500 || list[0].Event != "Stop" {
		t.Errorf("%d failures, %v", len(list), err)
	}
	if i, err := os.Stat(filepath.Join(home, "hook.log")); err != nil || i.Size() > 300<<10 || i.Mode().Perm() != 0o600 {
		t.Errorf("the log: %v, %v", i, err)
	}
}
