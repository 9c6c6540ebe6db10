package chat

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func event(data string) string { return "data: " + data + "\n\n" }

func delta(text string) string {
	return event(fmt.Sprintf(`{"id":"c","choices":[{"index":0,"delta":{"content":%q}}]}`, text))
}

var replies = []struct {
	name  string
	d     Dialect
	media string
	body  string
	text  string
	whole bool
}{
	{"a stream", Completions, "text/event-stream", `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n" + delta("Hel") + delta("lo 🚲") + event(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`) + event(`{"choices":[],"usage":{"total_tokens":3}}`) + event("[DONE]"), "Hello 🚲", true},
	{"no end", Completions, "text/event-stream", delta("Hel") + "data: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}", "Hello", false},
	{"an error in the middle", Completions, "text/event-stream", delta("Hel") + event(`{"error":{"message":"out of memory"}}`), "Hel", false},
	{"tool calls", Completions, "text/event-stream", delta("Wait.") + event(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}}]}}]}`) + event("[DONE]"), "Wait.", true},
	{"another choice", Completions, "text/event-stream", delta("A") + event(`{"choices":[{"index":1,"delta":{"content":"B"}}]}`) + event("[DONE]"), "A", true},
	{"carriage returns", Completions, "text/event-stream", strings.ReplaceAll(delta("a")+delta("b")+event("[DONE]"), "\n", "\r\n"), "ab", true},
	{"carriage returns alone", Completions, "text/event-stream", strings.ReplaceAll(delta("a")+delta("b"), "\n", "\r"), "ab", false},
	{"data in lines, comments, other fields", Completions, "text/event-stream", "\ufeff: hi\nevent: x\nid: 1\ndata: {\"choices\":[{\"delta\":\ndata:{\"content\":\"a\"}}]}\n\nretry: 5\n\n", "a", false},
	{"nobody asked for a stream", Completions, "application/json", delta("a") + delta("b") + event("[DONE]"), "ab", true},
	{"one object", Completions, "application/json", `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}`, "Hello", true},
	{"parts and a refusal", Completions, "application/json", `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"refusal":null}}]}`, "a\nb", true},
	{"an unexpected type", Completions, "application/json", `{"id":5,"choices":[{"message":{"content":"a"}}],"message":"x"}`, "a", true},
	{"cut", Completions, "application/json", `{"choices":[{"message":{"content":"Hel`, "", false},
	{"no JSON", Completions, "text/html", `<html>no</html>`, "", false},
	{"nothing", Completions, "", ``, "", false},
	{"ollama lines", Ollama, "application/x-ndjson", `{"message":{"role":"assistant","content":"Hel"},"done":false}` + "\n" + `{"message":{"content":"lo"},"done":false}` + "\n" + `{"message":{"content":""},"done":true}` + "\n", "Hello", true},
	{"ollama lines without a type", Ollama, "application/json", `{"message":{"content":"Hel"},"done":false}` + "\n" + `{"message":{"content":"lo"},"done":true}`, "Hello", true},
	{"ollama object", Ollama, "application/json", `{"message":{"content":"Hello"},"done":true}`, "Hello", true},
	{"anthropic stream", Messages, "text/event-stream", "event: message_start\n" + event(`{"type":"message_start","message":{"id":"m","content":[]}}`) + event(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`) + event(`{"type":"ping"}`) + event(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}`) + event(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}`) + event(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{"}}`) + event(`{"type":"message_stop"}`), "Hello", true},
	{"anthropic object", Messages, "application/json", `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"},{"type":"tool_use","id":"x","name":"f","input":{}}]}`, "Hello", true},
	{"responses stream", Responses, "text/event-stream", event(`{"type":"response.created","response":{"id":"r1","output":[]}}`) + event(`{"type":"response.output_text.delta","delta":"Hel"}`) + event(`{"type":"response.output_text.delta","delta":"lo"}`) + event(`{"type":"response.completed","response":{"id":"r1","output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"Hello"}]}]}}`), "Hello", true},
	{"responses stream, cut", Responses, "text/event-stream", event(`{"type":"response.created","response":{"id":"r1"}}`) + event(`{"type":"response.output_text.delta","delta":"Hel"}`), "Hel", false},
	{"responses object", Responses, "application/json", `{"id":"r1","output":[{"type":"message","content":[{"type":"output_text","text":"Hello"}]}]}`, "Hello", true},
}

// TestRepliesInAnyPieces reads each answer whole, byte by byte, and cut at every place.
func TestRepliesInAnyPieces(t *testing.T) {
	for _, c := range replies {
		t.Run(c.name, func(t *testing.T) {
			check := func(how string, pieces ...[]byte) {
				l := Listen(c.d, c.media)
				for _, p := range pieces {
					_, _ = l.Write(bytes.Clone(p))
				}
				if got := l.Close(); strings.TrimSpace(got.Text) != c.text || got.Whole != c.whole || c.d == Responses && got.ID != "r1" {
					t.Errorf("%s: %+v, want %q, whole %v", how, got, c.text, c.whole)
				}
			}
			body := []byte(c.body)
			check("whole", body)
			var single [][]byte
			for i := range body {
				single = append(single, body[i:i+1])
				check(fmt.Sprintf("cut at %d", i), body[:i], body[i:])
			}
			check("byte by byte", single...)
		})
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	l := Listen(Completions, "text/event-stream")
	for range 3 {
		_, _ = l.Write([]byte(delta(long)))
	}
	if got := l.Close(); len(got.Text) != 3<<20 {
		t.Errorf("%d bytes", len(got.Text))
	}
	l = Listen(Completions, "text/event-stream")
	_, _ = l.Write([]byte(delta("a") + "data: "))
	for range 40 {
		_, _ = l.Write([]byte(long))
	}
	_, _ = l.Write([]byte("\n\n" + delta("b")))
	if got := l.Close(); got.Text != "ab" {
		t.Errorf("after a line that is too long: %.40q", got.Text)
	}
}

func FuzzListen(f *testing.F) {
	for _, c := range replies {
		f.Add(int(c.d), c.media, []byte(c.body), 7)
	}
	f.Fuzz(func(t *testing.T, d int, media string, body []byte, step int) {
		one := Listen(Dialect(uint(d)%4), media)
		_, _ = one.Write(body)
		many := Listen(Dialect(uint(d)%4), media)
		step = 1 + int(uint(step)%64)
		for at := 0; at < len(body); at += step {
			_, _ = many.Write(body[at:min(at+step, len(body))])
		}
		if a, b := one.Close(), many.Close(); a != b {
			t.Errorf("in one piece %+v, in many %+v", a, b)
		}
	})
}

func BenchmarkListen(b *testing.B) {
	body := []byte(strings.Repeat(delta("some words "), 1000) + event("[DONE]"))
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		l := Listen(Completions, "text/event-stream")
		_, _ = l.Write(body)
		l.Close()
	}
}

func BenchmarkParseAndInject(b *testing.B) {
	var m strings.Builder
	m.WriteString(`{"model":"m","messages":[{"role":"system","content":"Be kind."}`)
	for i := range 100 {
		fmt.Fprintf(&m, `,{"role":"user","content":"%s %d"},{"role":"assistant","content":"%s"}`, strings.Repeat("words of a question ", 10), i, strings.Repeat("words of an answer\\n", 30))
	}
	m.WriteString(`,{"role":"user","content":"and now?"}],"stream":true}`)
	body := []byte(m.String())
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r, err := Parse(Completions, body)
		if err != nil {
			b.Fatal(err)
		}
		r.Inject(memory)
	}
}
