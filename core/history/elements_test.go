package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func split(r io.Reader, limit int, keys ...string) (out []string, err error) {
	for e := range elements(r, limit, keys...) {
		if e.err != nil {
			err = errors.Join(err, e.err)
			out = append(out, "!")
			continue
		}
		out = append(out, string(e.data))
	}
	return out, err
}

func TestElements(t *testing.T) {
	tests := []struct{ data, want string }{
		{``, ``},
		{`[]`, ``},
		{`[1, "a]", {"b": [2, "\"}"]}, [3], null]`, `1|"a]"|{"b": [2, "\"}"]}|[3]|null`},
		{`[1 2,,3]`, `1|2|3`},
		{`{"a": 1, "b": [2]}`, `{"a":1,"b":[2]}`},
		{`{"a": {"list": [9]}, "list": [1, 2], "more": [3], "list": [4]}`, `1|2|4`},
		{"{\"a\": 1}\n{\"a\": 2}\n", `{"a":1}|{"a":2}`},
		{`[1][2]`, `1|2`},
		{`[1`, `!`},
		{`["a`, `!`},
		{`{"a": [1]`, `!`},
		{`{"list": [1], "b"`, `1|!`},
		{`[1]]`, `1|!`},
		{`{"a"}`, `{"a"}`},
		{`{]}`, `{]}`},
		{`["` + strings.Repeat("x", 200) + `", 1]`, `!|1`},
	}
	for _, tt := range tests {
		for _, r := range []io.Reader{strings.NewReader(tt.data), iotest.OneByteReader(strings.NewReader(tt.data))} {
			got, _ := split(r, 100, "list")
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("%.80s: got %s, want %s", tt.data, s, tt.want)
			}
		}
	}
}

// A file that cannot be read is no bad element: nothing after it is known.
func TestElementsReadError(t *testing.T) {
	gone := errors.New("gone")
	n := -1
	for e := range elements(io.MultiReader(strings.NewReader(`[1, 2`), iotest.ErrReader(gone)), 100) {
		n = e.n
		if e.n == 0 && !errors.Is(e.err, gone) {
			t.Errorf("got %v", e.err)
		}
	}
	if n != 0 {
		t.Errorf("the last element has number %d", n)
	}
}

// Of what encoding/json takes for a list, elements finds the same elements.
func FuzzElements(f *testing.F) {
	for _, s := range []string{`[1, {"a": [2, "]"]}, "\\"]`, `{"list": [1, 2]}`, `[`, `{"a"`, "[1]\n[2]", "\xef\xbb\xbf[]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := split(iotest.HalfReader(bytes.NewReader(data)), 1<<20, "list")
		var want []json.RawMessage
		if json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d elements and %v, want %d", len(got), err, len(want))
		}
		for i := range want {
			if got[i] != string(want[i]) {
				t.Fatalf("element %d is %s, want %s", i, got[i], want[i])
			}
		}
	})
}

// fuzzReader checks of a reader what importing relies on.
func fuzzReader(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		end, texts := int64(0), 0
		for it := range readers[format](bytes.NewReader(data), &File{Name: "f"}) {
			switch {
			case it.Place == "":
				t.Fatalf("an item has no place: %+v", it)
			case it.End < end || it.End > int64(len(data)):
				t.Fatalf("item ends at %d after %d, of %d bytes", it.End, end, len(data))
			case it.Err == nil && !it.Skipped && (strings.TrimSpace(it.Input.Text) == "" || it.Input.Key == ""):
				t.Fatalf("an episode without text or key: %+v", it.Input)
			}
			end = it.End
			texts += len(it.Input.Text)
		}
		if texts > 3*len(data)+1000 { // bytes that are no text become U+FFFD, three bytes
			t.Fatalf("%d bytes of text from %d", texts, len(data))
		}
		_, _ = detect("f", data)
	})
}

func FuzzChatGPT(f *testing.F) {
	fuzzReader(f, FormatChatGPT, `[{"id":"c","create_time":1.5,"current_node":"b","mapping":{"a":{"message":null,"parent":null},"b":{"parent":"a","message":{"author":{"role":"user"},"create_time":1e400,"content":{"content_type":"text","parts":["x",{"text":"y"}]}}}}}]`)
}

func FuzzClaude(f *testing.F) {
	fuzzReader(f, FormatClaude, `[{"uuid":"c","created_at":"2026-01-01T00:00:00Z","chat_messages":[{"uuid":"m","text":"x","sender":"human","content":[{"type":"text","text":"x"},{"type":"tool_result","content":"r"}],"attachments":[{"file_name":"f","extracted_content":"y"}]}]}]`)
}

func FuzzMem0(f *testing.F) {
	fuzzReader(f, FormatMem0, `{"results":[{"id":"1","memory":"x","user_id":"u","created_at":"2026-01-01"},"y"]}`)
}

func FuzzClaudeCode(f *testing.F) {
	fuzzReader(f, FormatClaudeCode, `{"type":"user","sessionId":1,"message":{"content":[{"type":"tool_result","content":[[]]},{"type":"text","text":"<a>x</a>"}]}}`, `{"type":"assistant","sessionId":"s","message":{"content":"x"},"timestamp":5}`)
}

func FuzzCodex(f *testing.F) {
	fuzzReader(f, FormatCodex, `{"timestamp":1,"type":"response_item","payload":{"type":"function_call_output","output":{"content":{}}}}`, `{"id":"x","instructions":null}`, `{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`)
}

func FuzzMarkdown(f *testing.F) {
	fuzzReader(f, FormatMarkdown, "---\ndate: 2026-01-01\n---\n\n# x\n", "+++\ndate = 5\n+++", "---", "\xef\xbb\xbfx")
}
