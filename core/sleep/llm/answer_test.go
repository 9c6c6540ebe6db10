package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReadAnswers(t *testing.T) {
	for _, c := range []struct {
		name, in string
		items    int // -1: no answer
	}{
		{"bare", good, 1},
		{"spaces", "\n\t" + good + " \n", 1},
		{"fence", "```json\n" + good + "\n```", 1},
		{"fence without language", "```\n" + good + "\n```", 1},
		{"prose around", "Sure! Here it is:\n" + good + "\nAnything else?", 1},
		{"prose with braces", "In set notation {1, 2}: " + good, 1},
		{"thoughts", "<think>maybe {\"states\": []} or not</think>\n" + good, 1},
		{"nothing to say", `{"states":[],"events":[]}`, 0},
		{"no events", `{"states":[]}`, 0},
		{"null lists", `{"states":null,"events":null}`, 0},
		{"unknown keys", `{"states":[],"events":[],"confidence":0.9}`, 0},
		{"empty", "", -1},
		{"blank", " \n ", -1},
		{"list", "[" + good + "]", -1},
		{"list in a fence", "```json\n[" + good + "]\n```", -1},
		{"list in prose", "Result: [" + good + "]", -1},
		{"cut", good[:len(good)-3], -1},
		{"cut inside a list, whole items before", `{"states":[{"subject":"user","attribute":"a","value":"b","cites":["s1"]},{"subj`, -1},
		{"cut with an object of ours inside", `{"states":[{"states":[],"events":[]},`, -1},
		{"cut with an object of ours as a value", `{"answer":{"states":[],"events":[]}`, -1},
		{"two objects", good + good, -1},
		{"object of another kind", `{"facts":[]}`, -1},
		{"string", `"states"`, -1},
		{"number", `7`, -1},
		{"states is no list", `{"states":{"a":1},"events":[]}`, -1},
		{"deep", `{"states":` + strings.Repeat("[", 100_000), -1},
		{"prose", "There is nothing.", -1},
	} {
		p, err := read(c.in)
		if c.items < 0 {
			if err == nil {
				t.Errorf("%s: read as %d items, want an error", c.name, len(p))
			}
			continue
		}
		if err != nil || len(p) != c.items {
			t.Errorf("%s: %d items, %v, want %d", c.name, len(p), err, c.items)
		}
	}
}

func TestItemsStandAlone(t *testing.T) {
	p, err := read(`{"states":[
		{"subject":"user","attribute":"a","value":7,"cites":["[s1]"]},
		{"subject":"user","attribute":"a","value":true,"cites":["s1"]},
		{"attribute":"a"}, 5, "x", null, [],
		{"subject":"user","attribute":"a","value":"v","prohibited":"true","cites":3},
		{"subject":"user","attribute":"a","value":"v","prohibited":"perhaps","cites":["s1"]},
		{"subject":"user","attribute":"a","value":"v","condition":null,"cites":[1,"2","S3"]}
	],"events":[{"subject":"user","event":"e","when":null,"cites":"s2"},{"event":"e"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		malformed bool
		value     string
		cites     string
	}{
		{false, "7", "s1"}, {true, "", "s1"}, {true, "", ""}, {true, "", ""}, {true, "", ""}, {true, "", ""}, {true, "", ""},
		{false, "v", "s3"}, {true, "v", "s1"}, {false, "v", "s1 s2 s3"}, {false, "e", "s2"}, {true, "e", ""},
	}
	if len(p) != len(want) {
		t.Fatalf("%d items, want %d", len(p), len(want))
	}
	for i, w := range want {
		if (p[i].Malformed != "") != w.malformed || p[i].Value != w.value || strings.Join(p[i].Cites, " ") != w.cites {
			t.Errorf("item %d: %+v, want %+v", i, p[i], w)
		}
	}
	if !p[7].Prohibited || !p[10].Event {
		t.Error("prohibited or event was lost")
	}
}

func TestContentOfResponses(t *testing.T) {
	delta := func(s string) string {
		b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": s}}}})
		return "data: " + string(b) + "\n\n"
	}
	for _, c := range []struct{ name, in, want string }{
		{"message", `{"choices":[{"message":{"content":"hi"}}]}`, "hi"},
		{"parts", `{"choices":[{"message":{"content":[{"type":"text","text":"h"},{"type":"text","text":"i"}]}}]}`, "hi"},
		{"null content", `{"choices":[{"message":{"content":null}}]}`, ""},
		{"old style", `{"choices":[{"text":"hi"}]}`, "hi"},
		{"byte order mark", "\xef\xbb\xbf" + `{"choices":[{"message":{"content":"hi"}}]}`, "hi"},
		{"stream", ": ping\n\n" + delta("h") + delta("i") + `data: {"choices":[],"usage":{}}` + "\n\ndata: [DONE]\n", "hi"},
		{"stream with carriage returns", strings.ReplaceAll(delta("h")+delta("i"), "\n", "\r\n"), "hi"},
	} {
		if got, err := content([]byte(c.in)); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, in := range []string{"", "{", "[]", `{"choices":[]}`, `{"error":{"message":"no"}}`, "data: {\n\n", `{"choices":[{}]}`, `{"choices":[{"message":{"content":{"a":1}}}]}`} {
		if got, err := content([]byte(in)); err == nil {
			t.Errorf("%q: %q, want an error", in, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{good, "```json\n" + good + "\n```", "[" + good + "]", good[:40], `{"states":[7]}`, "{{{{", `{"states":[{"cites":{}}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := read(s)
		if err != nil && p != nil {
			t.Error("items of an answer that is none")
		}
		for _, it := range p {
			if len(it.Cites) > len(s) {
				t.Error("more cites than there can be")
			}
		}
	})
}

func FuzzContent(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"hi"}}]}`))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"h\"}}]}\n\n"))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = content(b) })
}
