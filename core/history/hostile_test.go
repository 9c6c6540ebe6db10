package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/history"
)

// gpt is a ChatGPT export of one conversation with these nodes.
func gpt(current string, nodes ...string) string {
	return `[{"id": "c", "create_time": 1767258000, "current_node": ` + current + `, "mapping": {` + strings.Join(nodes, ", ") + `}}]`
}

// node is a node of it; time is JSON.
func node(id, parent, time, text string) string {
	return fmt.Sprintf(`%q: {"id": %q, "parent": %q, "message": {"author": {"role": "user"}, "create_time": %s, "content": {"content_type": "text", "parts": [%q]}}}`, id, id, parent, time, text)
}

// Whatever a file holds, what is wrong is reported with its place, and the rest kept.
func TestHostileFiles(t *testing.T) {
	const whole = `{"uuid": "k", "chat_messages": [{"uuid": "m", "sender": "human", "text": "kept", "created_at": "2026-01-01"}]}`
	a, b, c := node("a", "", "1", "first"), node("b", "a", "2", "second"), node("c", "a", "3", "third")
	tests := []struct {
		name, data string
		format     history.Format
		added      int
		bad, notes []string // how reports begin, or what they hold
	}{
		{"nothing", "", "", 0, nil, nil},
		{"white space", " \n\t", history.FormatChatGPT, 0, nil, nil},
		{"an empty list", "[]", history.FormatClaude, 0, nil, nil},
		{"cut in a conversation", "[" + whole + `, {"uuid": "x", "chat_mess`, "", 1, []string{"x: conversation 2: the file ends in the middle of it"}, nil},
		{"cut after a conversation", "[" + whole + ",", "", 1, []string{"x: conversation 2: the file ends"}, nil},
		{"cut in the only object", whole[:len(whole)-1], "", 0, []string{"x: conversation 1: the file ends"}, nil},
		{"something behind the list", "[" + whole + "] garbage", "", 1, []string{"x: conversation 2: byte "}, nil},
		{"broken inside", `[{"uuid": "x", "chat_messages": [}, ` + whole + "]", "", 0, []string{"x: conversation 1: it is no conversation", "x: conversation 2: the file ends"}, nil},
		{"broken, but whole brackets", `[{"uuid": , "chat_messages": []}, ` + whole + "]", history.FormatClaude, 1, []string{"x: conversation 1: it is no conversation: invalid"}, nil},
		{"wrong elements", `[null, 1, "x", [], true, {"chat_messages": {}}, {"chat_messages": null}, ` + whole + "]", "", 1, []string{
			"x: conversation 1: it has no", "x: conversation 2: it is no conversation", "x: conversation 3: it is no", "x: conversation 4: it is no",
			"x: conversation 5: it is no", "x: conversation 6: it is no", "x: conversation 7: it has no",
		}, nil},
		{"wrong messages", `{"uuid": "k", "chat_messages": [null, 7, {"uuid": {}, "text": "x"}, {"text": 5}, {"sender": "ghost", "text": "boo"}, {"sender": "human", "text": "kept", "attachments": [3]}]}`, "", 1, []string{
			"message 2: it is no message", "message 3: it is no message", "message 4: it is no message", "message 6/file1: it is no attachment", `message 5: role "ghost" is not known`,
		}, nil},
		{"deep nesting", "[" + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "," + whole + "]", history.FormatClaude, 1, []string{"x: conversation 1: it is no conversation: "}, nil},
		{"deep nesting that never ends", "[" + whole + "," + strings.Repeat(`{"a":`, 20000), "", 1, []string{"x: conversation 2: the file ends"}, nil},
		{"a time of 1e400", `{"uuid": "k", "chat_messages": [{"uuid": "m", "sender": "human", "text": "kept", "created_at": 1e400}]}`, "", 1, nil, []string{"message m: time"}},
		{"ids that are there twice", "[" + whole + "," + whole + "," + strings.Replace(whole, "kept", "other words", 1) + "]", "", 2, nil, nil},
		{"a huge text", strings.Replace(whole, "kept", strings.Repeat("long words. ", 400_000), 1), "", 587, nil, nil},
		{"a field of another kind", `[{"mapping": [1]}, ` + gpt("null", a)[1:], "", 1, []string{"x: conversation 1: it is no conversation: its mapping is an array"}, []string{"message a: its current_node"}},
		{"bytes that are no text", strings.Replace(whole, "kept", "k\xffpt", 1), "", 1, nil, nil},
		{"half a surrogate", strings.Replace(whole, "kept", `\ud83d`, 1), "", 1, nil, nil},
		{"NUL in a text", strings.Replace(whole, "kept", `a\u0000b`, 1), "", 1, nil, nil},

		{"no current_node", gpt("null", a, b, c), "", 2, nil, []string{"message a: its current_node is missing"}},
		{"another current_node", gpt(`"z"`, a, b, c), "", 2, nil, []string{"message a: its current_node is missing"}},
		{"current_node is a number", gpt("12", a, b, c), "", 2, nil, []string{"message a: its current_node is missing"}},
		{"current_node is an object", gpt("{}", a, b, c), "", 0, []string{"x: conversation 1: it is no conversation"}, nil},
		{"a circle", gpt(`"c"`, node("a", "c", "1", "x"), node("b", "a", "2", "y"), node("c", "b", "3", "z")), "", 3, nil, []string{"message a: its messages go round"}},
		{"a circle without an entrance", gpt("null", node("a", "b", "1", "x"), node("b", "a", "2", "y")), "", 2, nil, []string{"message a: its messages go round"}},
		{"its own parent", gpt(`"a"`, node("a", "a", "1", "x")), "", 1, nil, []string{"message a: its messages go round"}},
		{"a parent that is missing", gpt(`"b"`, b, c), "", 1, nil, []string{"message b: what came before is missing"}},
		{"a node that is null", gpt(`"a"`, `"a": null`), "", 0, nil, nil},
		{"a node that is no object", gpt(`"b"`, `"a": []`, b), "", 1, []string{"message a: it is no node"}, nil},
		{"a parent that is no name", gpt(`"b"`, `"b": {"parent": {"x": 1}, "message": null}`), "", 0, []string{"message b: it is no node"}, nil},
		{"parts that are no list", gpt(`"a"`, `"a": {"message": {"author": {"role": "user"}, "content": {"parts": 5}}}`), "", 0, []string{"message a: it is no message"}, nil},
		{"odd parts", gpt(`"a"`, `"a": {"message": {"author": {"role": "user"}, "content": {"parts": [null, 5, [], {}, {"text": 7}, "kept"]}}}`), "", 1, nil, nil},
		{"times that are none", gpt(`"c"`, node("a", "", "1e400", "x"), node("b", "a", "-1e18", "y"), node("c", "b", `"soon"`, "z")), "", 3, nil, []string{"message a: time", "message b: time", "message c: time"}},
		{"no mapping", `[{"id": "c", "mapping": null}]`, "", 0, []string{"x: conversation 1: it has no mapping"}, nil},
		{"mapping is a list", `[{"id": "c", "mapping": []}]`, "", 0, []string{"x: conversation 1: it is no conversation"}, nil},
		{"ids too long", gpt(`"`+strings.Repeat("k", 600)+`"`, node(strings.Repeat("k", 600), "", "1", "x")), "", 0, []string{"id has 602 bytes"}, nil},

		{"memories that are none", `[{"memory": "kept"}, {"memory": ""}, {"memory": 5}, 7, null, {"id": []}, {"memory": "late", "created_at": "never"}]`, "", 2, []string{
			"x: memory 2: there is no text", "x: memory 3: it is no memory", "x: memory 4: it is no memory", "x: memory 5: there is no text", "x: memory 6: it is no memory",
		}, []string{"x: memory 7: time"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t)
			var r reports
			o := r.options("x")
			o.Format = tt.format
			sum, err := history.Import(t.Context(), m.Engine, strings.NewReader(tt.data), o)
			if err != nil || sum.Added != tt.added || sum.Bad != len(r.bad) {
				t.Errorf("%v %+v, want %d added", err, sum, tt.added)
			}
			reported(t, "bad", r.bad, tt.bad)
			reported(t, "notes", r.notes, tt.notes)
		})
	}
}

func reported(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i, g := range got {
		if i >= len(want) || !strings.Contains(g, want[i]) {
			t.Errorf("%s %d is %q, want %q", what, i, g, want)
			return
		}
		if len(g) > 400 {
			t.Errorf("%s %d has %d bytes", what, i, len(g))
		}
	}
	if len(got) < len(want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// What is no history is refused whole, with what it seems to be.
func TestForeignFiles(t *testing.T) {
	for data, want := range map[string]string{
		"\xff\xfe[\x00]\x00":       "no export that is known",
		"\xfe\xff\x00[\x00]":       "no export that is known",
		"[\x00]\x00":               "no export that is known",
		"[1]\x00":                  "NUL",
		"%PDF-1.7":                 "a PDF file",
		"\x1f\x8b\x08":             "the gzip archive cannot be read",
		"PK\x03\x04":               "a ZIP archive",
		"just words":               "neither rows",
		`[{"name": "x"}]`:          "no export that is known",
		`[]`:                       "no export that is known",
		`{"conversations": [{`:     "",
		"garbage\n{\"text\":\"a\"": "",
	} {
		m := open(t)
		var r reports
		_, err := history.Import(t.Context(), m.Engine, strings.NewReader(data), r.options("x"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}
