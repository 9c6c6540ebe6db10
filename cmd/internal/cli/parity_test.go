package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFrontsAnswerAlike does the same things by the command line, HTTP and MCP: the
// answers say the same, and what is wrong has the same code at each.
func TestFrontsAnswerAlike(t *testing.T) {
	h := newHome(t)
	h.ok("add", "The harbour master is called Greta.", "--at", "2026-05-03T10:00:00Z")
	h.ok("add", "Greta lives in Bergen.", "--role", "user", "--at", "2026-05-04T10:00:00Z")
	h.ok("forbid", "never moor at the fuel pier")
	h.ok("sleep")
	s := h.serve("--upstream", newModel(t, nil).URL, "--set", "sleep.enabled=false")
	agent := h.startMCP(io.Discard)

	// byCLI, byHTTP and byMCP return an answer, or the code of an error.
	byCLI := func(args ...string) (v any, code string) {
		r := h.run(append(args, "--json")...)
		var e struct{ Error struct{ Code string } }
		if r.code != 0 {
			lines := strings.Split(strings.TrimSpace(r.err), "\n")
			if json.Unmarshal([]byte(lines[len(lines)-1]), &e) != nil || e.Error.Code == "" {
				t.Errorf("orma %q failed without a code: %s", args, r.err)
			}
			return nil, e.Error.Code
		}
		if err := json.Unmarshal([]byte(r.out), &v); err != nil {
			t.Errorf("orma %q: %v: %s", args, err, r.out)
		}
		return v, ""
	}
	byHTTP := func(method, path, body string, headers ...string) (v any, code string) {
		a := s.ask(method, "/_orma/v1"+path, body, headers...)
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Errorf("%s %s: %v: %s", method, path, err, a.body)
		}
		if a.status >= 400 {
			code, _ = v.(map[string]any)["error"].(map[string]any)["code"].(string)
			return nil, code
		}
		return v, ""
	}
	byMCP := func(tool string, args map[string]any) (v any, code string) {
		m := agent.ask("tools/call", map[string]any{"name": tool, "arguments": args})
		result, _ := m["result"].(map[string]any)
		if result == nil {
			return nil, "invalid" // the schema refuses it before we do
		}
		if failed, _ := result["isError"].(bool); failed {
			text, _ := result["content"].([]any)[0].(map[string]any)["text"].(string)
			code, _, _ = strings.Cut(text, ":")
			if strings.HasPrefix(text, "validating ") {
				code = "invalid"
			}
			return nil, code
		}
		return result["structuredContent"], ""
	}
	field := func(v any, path ...string) any {
		for _, p := range path {
			m, _ := v.(map[string]any)
			v = m[p]
		}
		return v
	}

	t.Run("recall", func(t *testing.T) {
		const q = "Who is the harbour master?"
		a, _ := byCLI("recall", q, "--format", "sutra", "--budget", "900")
		b, _ := byHTTP("POST", "/recall", `{"query":"`+q+`","format":"sutra","budget":900}`)
		c, _ := byHTTP("GET", "/recall?format=sutra&budget=900&query="+strings.ReplaceAll(q, " ", "+"), "")
		d, _ := byMCP("orma_recall", map[string]any{"query": q, "max_tokens": 2000})
		block, _ := field(a, "block").(string)
		if !strings.Contains(block, "Greta") || field(b, "block") != block || field(c, "block") != block || field(d, "block") != block {
			t.Errorf("blocks:\n%s\n%v\n%v\n%v", block, field(b, "block"), field(c, "block"), field(d, "block"))
		}
	})
	t.Run("search", func(t *testing.T) {
		texts := func(v any) (out []string) {
			var list []any
			for _, kind := range []string{"items", "states", "passages", "events"} { // MCP has one list
				part, _ := field(v, kind).([]any)
				list = append(list, part...)
			}
			for _, it := range list {
				out = append(out, field(it, "text").(string))
			}
			slices.Sort(out)
			return out
		}
		a, _ := byCLI("search", "harbour master", "--limit", "10")
		b, _ := byHTTP("POST", "/search", `{"query":"harbour master","limit":10}`)
		c, _ := byMCP("orma_search", map[string]any{"query": "harbour master", "limit": 10})
		if got := texts(a); len(got) == 0 || !reflect.DeepEqual(got, texts(b)) || !reflect.DeepEqual(got, texts(c)) {
			t.Errorf("found %q\n%q\n%q", texts(a), texts(b), texts(c))
		}
	})
	t.Run("export", func(t *testing.T) {
		rows := h.ok("export")
		if got := s.ask("GET", "/_orma/v1/export", "").body; got != rows || !strings.Contains(rows, `"type":"state"`) {
			t.Errorf("HTTP exports\n%s\nwant what the command line does:\n%s", got, rows)
		}
	})
	t.Run("facts", func(t *testing.T) {
		lines := func(list any) (out []string) {
			for _, it := range list.([]any) {
				out = append(out, fmt.Sprint(field(it, "id"), " ", field(it, "value")))
			}
			return out
		}
		a, _ := byCLI("facts", "--history")
		b, _ := byHTTP("GET", "/facts?history=true", "")
		c, _ := byMCP("orma_facts", map[string]any{"include_history": true})
		got := lines(a)
		if len(got) < 2 || !reflect.DeepEqual(got, lines(field(b, "facts"))) || len(lines(field(c, "facts"))) != len(got) {
			t.Errorf("facts %q\n%q\n%q", got, lines(field(b, "facts")), lines(field(c, "facts")))
		}
		for _, line := range lines(field(c, "facts")) { // there rules come first
			if !strings.Contains(strings.Join(got, "\n"), line) {
				t.Errorf("%q is not among %q", line, got)
			}
		}
	})
	t.Run("adding the same", func(t *testing.T) {
		const text = `{"text":"The tide table hangs in the office. password: hunter2hunter2"}`
		a, _ := byCLI("add", "--text", "The tide table hangs in the office. password: hunter2hunter2")
		b, _ := byHTTP("POST", "/episodes", text)
		c, _ := byMCP("orma_remember", map[string]any{"text": "The tide table hangs in the office. password: hunter2hunter2"})
		first, list := a.([]any)[0], field(b, "added").([]any)
		if field(first, "masked") != 1.0 || field(list[0], "masked") != 1.0 || field(c, "masked") != 1.0 {
			t.Errorf("%v\n%v\n%v", a, b, c)
		}
		if field(list[0], "repeat_of") != field(first, "id") || field(c, "repeat_of") != field(first, "id") {
			t.Errorf("said again: %v\n%v\n%v", a, b, c)
		}
	})
	long := strings.Repeat("long ", 300_000)
	for _, c := range []struct {
		name string
		cli  []string
		http [3]string
		tool string
		args map[string]any
		want string
	}{
		{"an item that is not there", []string{"forget", "999999"}, [3]string{"POST", "/facts/999999/forget", "{}"}, "orma_forget", map[string]any{"state_id": 999999}, "not_found"},
		{"correcting what is not there", []string{"correct", "999999", "x"}, [3]string{"POST", "/facts/999999/correct", `{"text":"x"}`}, "orma_correct", map[string]any{"state_id": 999999, "text": "x"}, "not_found"},
		{"nothing to add", []string{"add", "--text", " "}, [3]string{"POST", "/episodes", `{"text":" "}`}, "orma_remember", map[string]any{"text": " "}, "invalid"},
		{"too much to add", nil, [3]string{"POST", "/episodes", `{"text":"` + long + `"}`}, "orma_remember", map[string]any{"text": long}, "too_large"},
		{"an empty rule", []string{"forbid", " "}, [3]string{"POST", "/rules", `{"rule":" "}`}, "orma_forbid", map[string]any{"rule": " "}, "invalid"},
		{"a space with a control character", []string{"facts", "--space", "a\x01"}, [3]string{"GET", "/facts?space=a%01", ""}, "orma_facts", map[string]any{"space": "a\x01"}, "invalid"},
		{"a long name of a space", []string{"facts", "--space", strings.Repeat("x", 129)}, [3]string{"GET", "/facts?space=" + strings.Repeat("x", 129), ""}, "orma_facts", map[string]any{"space": strings.Repeat("x", 129)}, "invalid"},
		{"a time to live that is none", []string{"add", "--text", "x y", "--ttl", "soon"}, [3]string{"POST", "/episodes", `{"text":"x y","ttl":"soon"}`}, "orma_remember", map[string]any{"text": "x y", "ttl": "soon"}, "invalid"},
		{"a kind that is none", []string{"add", "--text", "x y", "--kind", "poem"}, [3]string{"POST", "/episodes", `{"text":"x y","kind":"poem"}`}, "orma_remember", map[string]any{"text": "x y", "kind": "poem"}, "invalid"},
		{"a role that is none", []string{"add", "--text", "x y", "--role", "poet"}, [3]string{"POST", "/episodes", `{"text":"x y","role":"poet"}`}, "orma_remember", map[string]any{"text": "x y", "role": "poet"}, "invalid"},
		{"an id that is none", []string{"forget", "-1"}, [3]string{"POST", "/facts/-1/forget", "{}"}, "orma_forget", map[string]any{"state_id": -1}, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.cli != nil {
				// A word of the command line that is wrong is a usage error there.
				if _, code := byCLI(c.cli...); code != c.want && !(code == "usage" && c.want == "invalid") {
					t.Errorf("the command line says %q, want %q", code, c.want)
				}
			}
			if _, code := byHTTP(c.http[0], c.http[1], c.http[2]); code != c.want {
				t.Errorf("HTTP says %q, want %q", code, c.want)
			}
			if _, code := byMCP(c.tool, c.args); code != c.want {
				t.Errorf("MCP says %q, want %q", code, c.want)
			}
		})
	}
}
