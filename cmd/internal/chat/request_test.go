package chat

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write golden files")

var memory = Memory{
	Rules: "## Memory\nForbidden:\n- never say \"hi\"",
	Facts: "Now true:\n- user · home city: Gent\\Ghent",
	Turn:  "Said before:\n- 2026-05-01 user: I moved. 🚲",
}

// TestInjectGolden shows requests with memory in them. The files are made of blocks:
// a title with the dialect, the request, "----", the request with memory.
func TestInjectGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/inject/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for block := range strings.SplitSeq(strings.TrimPrefix(string(raw), "# "), "\n# ") {
			head, rest, _ := strings.Cut(block, "\n")
			body, _, _ := strings.Cut(rest, "\n----\n")
			body = strings.TrimSuffix(body, "\n")
			d := dialectOf(t, head)
			got := ""
			if r, err := Parse(d, []byte(body)); err != nil {
				got = "error: " + err.Error()
			} else {
				got = string(r.Inject(memory))
				if !json.Valid([]byte(got)) {
					t.Errorf("%s: %s: not JSON: %s", file, head, got)
				}
			}
			fmt.Fprintf(&out, "# %s\n%s\n----\n%s\n\n", head, body, got)
		}
		got := strings.TrimSuffix(out.String(), "\n")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got != string(raw) {
			t.Errorf("%s:\n%s", file, got)
		}
	}
}

func dialectOf(t *testing.T, head string) Dialect {
	t.Helper()
	name, _, _ := strings.Cut(head, ":")
	for d := Completions; d <= Ollama; d++ {
		if d.String() == name {
			return d
		}
	}
	t.Fatalf("no dialect in %q", head)
	return 0
}

func TestTurnsOfEveryDialect(t *testing.T) {
	cases := []struct {
		name string
		d    Dialect
		body string
		want []string // role text; of those that are new
	}{
		{"one turn", Completions, `{"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}`, []string{"user a"}},
		{"a later turn", Completions, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`, []string{"user c"}},
		{"two at once", Completions, `{"messages":[{"role":"user","content":"a"},{"content":"c","role":"user","name":"Bo"}]}`, []string{"user a", "user c (Bo)"}},
		{"parts", Completions, `{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"x"}},{"type":"text","text":"b"}]}]}`, []string{"user a\nb"}},
		{"a reply begun", Completions, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"Well, "}]}`, []string{"user a"}},
		{"tools", Completions, `{"messages":[{"role":"user","content":"a"},
			{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"2","function":{"name":"g","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"2","content":"two"},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"one"}]}]}`, []string{"tool g({}) -> two", `tool f({"x":1}) -> one`}},
		{"a tool that nobody called", Completions, `{"messages":[{"role":"tool","tool_call_id":"9","content":"x"}]}`, []string{"tool x"}},
		{"half a pair", Completions, `{"messages":[{"role":"user","content":"bad \ud800 pair"}]}`, []string{"user bad \ufffd pair"}},
		{"escaped keys", Completions, `{"mess\u0061ges":[{"r\u006fle":"user","content":"a\nb"}]}`, []string{"user a\nb"}},
		{"responses, a text", Responses, `{"input":"a"}`, []string{"user a"}},
		{"responses, items", Responses, `{"input":[{"role":"user","content":"a"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"o"},{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]}]}`, []string{"tool f({}) -> o", "user b"}},
		{"anthropic", Messages, `{"system":"s","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"u","name":"f","input":{"q":[1,2]}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"u","content":[{"type":"text","text":"r"}]}]}]}`, []string{`tool f({"q":[1,2]}) -> r`}},
		{"anthropic, a result and words", Messages, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"u","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"u","content":"r"},{"type":"text","text":"and?"}]}]}`, []string{"tool f({}) -> r", "user and?"}},
		{"ollama", Ollama, `{"messages":[{"role":"user","content":"a","images":["aGk="]},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":"y"}}},{"function":{"name":"g","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"1"},{"role":"tool","content":"2"}]}`, []string{`tool f({"x":"y"}) -> 1`, "tool g({}) -> 2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := Parse(c.d, []byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := r.New(); i < len(r.Turns); i++ {
				turn := r.Turns[i]
				switch turn.Role {
				case User:
					s := "user " + turn.Text
					if turn.Speaker != "" {
						s += " (" + turn.Speaker + ")"
					}
					got = append(got, s)
				case Tool:
					got = append(got, "tool "+r.Result(i, 4000))
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("new turns %q, want %q", got, c.want)
			}
		})
	}
}

func TestPrintsNameAPlaceInAConversation(t *testing.T) {
	prints := func(body string) []Print {
		r, err := Parse(Completions, []byte(`{"messages":[`+body+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		return r.Prints()
	}
	const hi, yes, ok = `{"role":"user","content":"hi"}`, `{"role":"user","content":"yes"}`, `{"role":"assistant","content":"ok?"}`
	long := prints(hi + "," + ok + "," + yes + "," + ok + "," + yes)
	if again := prints(hi + "," + ok + "," + yes); again[2] != long[2] || long[2] == long[4] {
		t.Error("the print of a turn does not say where it stands")
	}
	if with := prints(`{"role":"system","content":"It is ten."},` + hi); with[1] != prints(`{"role":"system","content":"It is eleven."}, ` + hi)[1] || with[1] != long[0] {
		t.Error("a system message changed the print of a turn")
	}
	if prints(`{"role":"user","content":"a"},{"role":"user","content":"b"}`)[1] == prints(`{"role":"user","content":"ab"}`)[0] {
		t.Error("two turns have the print of one")
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"日本語日本語", 6, "日本語日本語"},
		{"abcdefghij", 4, "ab\n[… 6 characters left out …]\nij"},
		{"日本語日本語", 3, "日本\n[… 3 characters left out …]\n語"},
		{"abc", 0, "\n[… 3 characters left out …]\n"},
	} {
		if got := Ends(c.in, c.limit); got != c.want {
			t.Errorf("Ends(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

// FuzzScan holds the scanner against encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,null,"x\u00e9\\"]}`, `[]`, ` "a" `, `01`, `1.`, `{"a"}`, "\"\x01\"", `"\x"`, `[1,]`, `nul`, `-`, `{"a":1,}`, `"\ud800"`, `"\ud83d\ude00\ud800\u0041\udfff\b\f\/"`, `"\ud83d\u0041"`, strings.Repeat("[", 600)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &scanner{b: b}
		_, err := s.skip()
		if err == nil {
			err = s.end()
		}
		if err == errDepth {
			return
		}
		if got, want := err == nil, json.Valid(b); got != want {
			t.Errorf("%q: accepted %v, encoding/json says %v", b, got, want)
		}
		var want string
		if s := (&scanner{b: b}); s.peek() == '"' && utf8.Valid(b) && json.Unmarshal(b, &want) == nil {
			if got, err := s.text(); got != want || err != nil {
				t.Errorf("%q says %q, %v, want %q", b, got, err, want)
			}
		}
	})
}

// FuzzInject checks that memory is all that is new in a request, and that a request
// stays one.
func FuzzInject(f *testing.F) {
	files, _ := filepath.Glob("testdata/inject/*.txt")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for block := range strings.SplitSeq(strings.TrimPrefix(string(raw), "# "), "\n# ") {
			_, rest, _ := strings.Cut(block, "\n")
			body, _, _ := strings.Cut(rest, "\n----\n")
			for d := range 4 {
				f.Add(d, []byte(body))
			}
		}
	}
	f.Fuzz(func(t *testing.T, dialect int, body []byte) {
		d := Dialect(uint(dialect) % 4)
		r, err := Parse(d, body)
		if err != nil {
			return
		}
		if !json.Valid(body) {
			t.Fatalf("accepted %q", body)
		}
		out := r.Inject(memory)
		if !json.Valid(out) {
			t.Fatalf("%q became %q", body, out)
		}
		// Every byte of the client's is still there, in order, but for a null system text.
		at := 0
		if r.system.how == slotValue {
			at = len(body)
		}
		for _, c := range out {
			if at < len(body) && c == body[at] {
				at++
			}
		}
		if at < len(body) {
			t.Fatalf("%q lost bytes in %q", body, out)
		}
		if string(r.Inject(Memory{})) != string(body) {
			t.Fatalf("%q changed without memory", body)
		}
		again, err := Parse(d, out)
		if err != nil {
			t.Fatalf("%q cannot be read again: %v", out, err)
		}
		if a, b := len(r.Turns), len(again.Turns); b < a || b > a+1 {
			t.Fatalf("%d turns became %d", a, b)
		}
	})
}
