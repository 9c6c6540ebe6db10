package mcp

import (
	"strings"
	"testing"
)

func TestHandles(t *testing.T) {
	for _, h := range []handle{
		{kind: kindSpaces}, {kind: kindSpaces, from: 7},
		{kind: kindFacts, space: "default"}, {kind: kindFacts, space: "a/b c?d#e%f", subject: "Zoë & Co", history: true, from: 3},
		{kind: kindFacts, space: "x", id: 9}, {kind: kindFacts, space: "x", asOf: "2026-01-31T08:00:00+02:00", from: 5}, {kind: kindRules, space: "日本", from: 1}, {kind: kindIdentity, space: "."},
		{kind: kindEpisodes, space: "..", from: 88}, {kind: kindEpisodes, space: "spaces", id: 1 << 40, from: 12},
		{kind: kindSearch, space: "s", query: "what + where = 100% & more?", at: 1777777777, from: 20},
	} {
		got, err := parseHandle(h.String())
		if err != nil || got != h {
			t.Errorf("%s is read as %+v, %v; want %+v", h, got, err, h)
		}
	}
	for _, bad := range []string{
		"", "orma:", "orma://space", "orma://spacesx", "orma://spaces/", "orma://spaces/x", "orma://spaces//facts", "orma://spaces/x/poems",
		"orma://spaces/x/facts/0", "orma://spaces/x/facts/-1", "orma://spaces/x/facts/1/2", "orma://spaces/x/rules/1", "orma://spaces/%zz/facts",
		"orma://spaces/x/facts?from=-1", "orma://spaces/x/facts?from=x", "orma://spaces/x/facts?from=99999999999999999999", "orma://spaces/x/search?at=y",
		"http://spaces/x/facts", "orma://spaces/x/facts?%zz",
	} {
		if h, err := parseHandle(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, h)
		}
	}
	long := handle{kind: kindSearch, space: "s", query: strings.Repeat("ü", 5000)}.String()
	if h, err := parseHandle(long); err != nil || len(h.query) > maxQuery || !strings.HasPrefix(strings.Repeat("ü", 5000), h.query) {
		t.Errorf("a long query is cut to %d bytes, %v", len(h.query), err)
	}
}

func FuzzParseHandle(f *testing.F) {
	for _, s := range []string{"orma://spaces", "orma://spaces/a%2Fb/facts/7?from=3", "orma://spaces/x/search?q=a+b&at=1&from=2", "orma://spaces/x/facts?subject=%C3%BC&history=1", "orma://spaces/x/facts?as_of=2026-02-30"} {
		f.Add(s)
	}
	f.Add("orma://spaces?at=1")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := parseHandle(s)
		if err != nil || len(h.query) > maxQuery {
			return
		}
		again, err := parseHandle(h.String())
		if err != nil || again != h {
			t.Errorf("%q is %+v, written %s, read as %+v, %v", s, h, h, again, err)
		}
	})
}

func TestRepaired(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":null,"b":1}`:       `{"b":1}`,
		`{"state_id":"14"}`:      `{"state_id":14}`,
		`{"state_id":14.0}`:      `{"state_id":14}`,
		`{"state_id":1.5}`:       `{"state_id":1.5}`,
		`{"state_id":"x"}`:       `{"state_id":"x"}`,
		`{"state_id":[1]}`:       `{"state_id":[1]}`,
		`{"text":"14"}`:          `{"text":"14"}`,
		`{"max_tokens":"1e3"}`:   `{"max_tokens":1000}`,
		`{"max_tokens":"1e300"}`: `{"max_tokens":"1e300"}`,
		`[1]`:                    `[1]`,
		`"x"`:                    `"x"`,
		`{`:                      `{`,
		``:                       ``,
	} {
		if got := string(repaired([]byte(in))); got != want {
			t.Errorf("repaired(%s) = %s, want %s", in, got, want)
		}
	}
}
