package setup

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

var ours = object{{"command", "orma"}, {"args", []string{"mcp"}}}

// TestPut shows what becomes of files as people write them.
func TestPut(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty file", "", "{\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"empty object", "{}", "{\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}"},
		{"only a comment", "// mine\n", "// mine\n{\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{
			"other servers, tabs", "{\n\t\"mcpServers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t}\n}\n",
			"{\n\t\"mcpServers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"x\"\n\t\t},\n\t\t\"orma\": {\n\t\t\t\"command\": \"orma\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n",
		},
		{
			"trailing commas and comments",
			"{\n    // servers\n    \"mcpServers\": {\n        \"a\": {\"command\": \"x\"}, // the first\n        /* none */\n    },\n}\n",
			"{\n    // servers\n    \"mcpServers\": {\n        \"a\": {\"command\": \"x\"}, // the first\n        \"orma\": {\n            \"command\": \"orma\",\n            \"args\": [\"mcp\"]\n        },\n        /* none */\n    },\n}\n",
		},
		{
			"a comment behind the last value",
			"{\n  \"mcpServers\": {\n    \"a\": 1 // one, {\"}\n  }\n}",
			"{\n  \"mcpServers\": {\n    \"a\": 1, // one, {\"}\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
		},
		{"one line", `{"mcpServers": {"a": {}}, "x": 1}`, `{"mcpServers": {"a": {}, "orma": {"command":"orma","args":["mcp"]}}, "x": 1}`},
		{"one line, trailing comma", `{"mcpServers": {"a": {},}}`, `{"mcpServers": {"a": {}, "orma": {"command":"orma","args":["mcp"]},}}`},
		{"no servers yet", "{\n  \"theme\": \"dark\"\n}\n", "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{"windows line breaks", "{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"orma\": {\r\n      \"command\": \"orma\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"byte order mark", "\ufeff{\"a\": 1}", "\ufeff{\"a\": 1, \"mcpServers\": {\"orma\":{\"command\":\"orma\",\"args\":[\"mcp\"]}}}"},
		{"an older entry", "{\n  \"mcpServers\": {\n    \"orma\": {\"command\": \"old\"}, // mine\n    \"b\": 2\n  }\n}", "{\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }, // mine\n    \"b\": 2\n  }\n}"},
		{"the same entry, written otherwise", `{"mcpServers":{"orma":{"args":["mcp",],"command":"orma"}}}`, `{"mcpServers":{"orma":{"args":["mcp",],"command":"orma"}}}`},
		{"comments in an empty object", "{\n  \"mcpServers\": {\n    // none yet\n  }\n}", "{\n  \"mcpServers\": {\n    \"orma\": {\n      \"command\": \"orma\",\n      \"args\": [\"mcp\"]\n    }\n    // none yet\n  }\n}"},
		{"a key twice", `{"mcpServers": {"a":1}, "mcpServers": {"b":2}}`, `{"mcpServers": {"a":1}, "mcpServers": {"b":2, "orma": {"command":"orma","args":["mcp"]}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := put(tt.in, []string{"mcpServers", "orma"}, ours)
			if err != nil || got != tt.want {
				t.Fatalf("put:\n%s\n%v, want\n%s", got, err, tt.want)
			}
			if again, _, err := put(got, []string{"mcpServers", "orma"}, ours); err != nil || again != got {
				t.Errorf("put again:\n%s\n%v", again, err)
			}
		})
	}
	for name, in := range map[string]string{
		"a list": "[]", "a text": `"x"`, "servers are a list": `{"mcpServers": []}`, "servers are null": `{"mcpServers": null}`,
		"two values": "{} {}", "no colon": `{"a" 1}`, "an open text": `{"a": "b`, "a broken text": "{\"a\": \"b\n\"}", "an open comment": "{/*", "a word": "{a: 1}",
		"no comma": `{"a": 1 "b": 2}`, "only commas": `{,}`, "an open object": `{"a": 1`, "a bad number": `{"a": 01}`, "too deep": strings.Repeat("[", 500),
	} {
		if out, _, err := put(in, []string{"mcpServers", "orma"}, ours); err == nil {
			t.Errorf("%s: %q became %q", name, in, out)
		}
	}
}

func TestTake(t *testing.T) {
	path := []string{"mcpServers", "orma"}
	tests := []struct{ name, in, want string }{
		{"first", "{\"mcpServers\": {\"orma\": 1, \"b\": 2}}", "{\"mcpServers\": { \"b\": 2}}"},
		{"middle", "{\"mcpServers\": {\n  \"a\": 1, // a\n  \"orma\": {}, // o\n  \"b\": 2\n}}", "{\"mcpServers\": {\n  \"a\": 1, // a\n // o\n  \"b\": 2\n}}"},
		{"last", "{\"mcpServers\": {\n  \"a\": 1, // a\n  \"orma\": {}\n}}", "{\"mcpServers\": {\n  \"a\": 1 // a\n}}"},
		{"last, behind a comment", "{\"mcpServers\": {\n  \"a\": 1,\n  // ours\n  \"orma\": {} }}", "{\"mcpServers\": {\n  \"a\": 1\n  // ours\n }}"},
		{"alone", "{\"mcpServers\": {\n  \"orma\": {}\n}}", "{\"mcpServers\": {}}"},
		{"alone, with a comment", "{\"mcpServers\": {\n  // c\n  \"orma\": {}\n}}", "{\"mcpServers\": {\n  // c\n}}"},
		{"twice", `{"mcpServers": {"orma": 1, "a": 2, "orma": 3}}`, `{"mcpServers": { "a": 2}}`},
		{"not there", `{"mcpServers": {"a": 1}}`, `{"mcpServers": {"a": 1}}`},
		{"no servers", `{"a": 1}`, `{"a": 1}`},
		{"servers are a list", `{"mcpServers": []}`, `{"mcpServers": []}`},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := take(tt.in, path, nil); err != nil || got != tt.want {
				t.Errorf("take:\n%s\n%v, want\n%s", got, err, tt.want)
			}
		})
	}
}

// FuzzSplice checks that an entry that is put in and taken out leaves what was there.
func FuzzSplice(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{ }", "{\n}", `{"a":1}`, "{\n\t\"mcpServers\": {\n\t\t\"a\": [1, 2], // x\n\t},\n}", "// c", "{/**/}", "{\"mcpServers\":{/*a*/\"b\":{}/*c*/,//d\n}}",
		"\ufeff{\r\n  \"mcpServers\": {}\r\n}", `{"mcpServers": {"orma": {"command": "x"}}}`, "{\"a\\\"//\": \"/*\"}", "{/*/*/}",
	} {
		f.Add(s)
	}
	path := []string{"mcpServers", "orma"}
	f.Fuzz(func(t *testing.T, in string) {
		root, err := parseJSONC(in)
		if err != nil || root.kind != 0 && !json.Valid([]byte(plainJSON(in, &root))) {
			return
		}
		before := value(t, in)
		out, made, err := put(in, path, ours)
		if err != nil {
			return
		}
		if got, want := value(t, out), expected(before); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q", in, out)
		}
		if again, _, err := put(out, path, ours); err != nil || again != out {
			t.Fatalf("%q is not stable: %q, %v", out, again, err)
		}
		back, err := take(out, path, nil)
		if err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		left := value(t, back)
		if m, ok := left.(map[string]any); ok && before != nil {
			want, _ := json.Marshal(without(before))
			got, _ := json.Marshal(without(m))
			if string(want) != string(got) {
				t.Fatalf("%q came back as %q", in, back)
			}
		}
		if made == 1 && hasOthers(before) && back != in {
			t.Fatalf("%q came back as %q", in, back)
		}
	})
}

func value(t *testing.T, data string) any {
	root, err := parseJSONC(data)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if root.kind == 0 {
		return nil
	}
	var v any
	d := json.NewDecoder(strings.NewReader(plainJSON(data, &root)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	return v
}

// expected is a value with our entry in it.
func expected(v any) any {
	m, _ := v.(map[string]any)
	out := map[string]any{}
	for k, x := range m {
		out[k] = x
	}
	servers := map[string]any{}
	if s, ok := out["mcpServers"].(map[string]any); ok {
		for k, x := range s {
			servers[k] = x
		}
	}
	servers["orma"] = map[string]any{"command": "orma", "args": []any{"mcp"}}
	out["mcpServers"] = servers
	return out
}

// without is a value without our entry and, if nothing else is in it, its object.
func without(v any) any {
	m, _ := v.(map[string]any)
	out := map[string]any{}
	for k, x := range m {
		if s, ok := x.(map[string]any); ok && k == "mcpServers" {
			rest := map[string]any{}
			for k, x := range s {
				if k != "orma" {
					rest[k] = x
				}
			}
			if len(rest) == 0 {
				continue
			}
			x = rest
		}
		out[k] = x
	}
	return out
}

func hasOthers(v any) bool {
	m, _ := v.(map[string]any)
	s, _ := m["mcpServers"].(map[string]any)
	_, had := s["orma"]
	return len(s) > 0 && !had
}
