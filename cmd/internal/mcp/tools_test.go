package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestListings pins down what a client is shown: names, arguments, annotations, order.
func TestListings(t *testing.T) {
	c := connect(t, options(open(t)))
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resources, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(map[string]any{
		"instructions": strings.Split(c.InitializeResult().Instructions, "\n"),
		"tools":        tools.Tools, "prompts": prompts.Prompts, "templates": templates.ResourceTemplates, "resources": resources.Resources,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", "listings.json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("what is listed has changed; read the difference of go test -update\n%s", got)
	}
}

func TestTools(t *testing.T) {
	m := open(t)
	for name, c := range map[string]*sdk.ClientSession{
		"stdio": connect(t, options(m)), "http": connectHTTP(t, options(m), access.Local()),
	} {
		t.Run(name, func(t *testing.T) {
			space := "tools-" + name
			got, _ := call(t, c, "orma_remember", args{"text": "Nadia moved to Trondheim in March.", "space": space})
			if id(got["id"]) == 0 || got["handle"] == "" {
				t.Errorf("remember = %v", got)
			}
			again, _ := call(t, c, "orma_remember", args{"text": "Nadia moved to Trondheim in March.", "space": space})
			if again["repeat_of"] != got["id"] {
				t.Errorf("remembered again = %v", again)
			}
			if _, text := call(t, c, "orma_recall", args{"query": "Where does Nadia live?", "space": space}); !strings.Contains(text, "Trondheim") {
				t.Errorf("recall = %q", text)
			}
			if out, _ := call(t, c, "orma_search", args{"query": "Trondheim", "space": space}); !strings.Contains(jsonOf(t, out), "Nadia moved") {
				t.Errorf("search = %v", out)
			}
			if out, _ := call(t, c, "orma_sleep", args{"space": space}); id(out["records"]) == 0 {
				t.Errorf("sleep = %v", out)
			}
			facts, _ := call(t, c, "orma_facts", args{"space": space})
			list := facts["facts"].([]any)
			if len(list) == 0 {
				t.Fatalf("facts = %v", facts)
			}
			first := list[0].(map[string]any)
			fixed, _ := call(t, c, "orma_correct", args{"state_id": first["id"], "text": "Bergen", "space": space})
			if fixed["value"] != "Bergen" || fixed["id"] == first["id"] {
				t.Errorf("correct = %v", fixed)
			}
			gone, _ := call(t, c, "orma_forget", args{"state_id": fixed["id"], "space": space, "reason": "a test"})
			if gone["ended"] != true {
				t.Errorf("forget = %v", gone)
			}
			history, _ := call(t, c, "orma_facts", args{"space": space, "include_history": true})
			if !strings.Contains(jsonOf(t, history), "Bergen") {
				t.Errorf("history = %v", history)
			}
			stats, _ := call(t, c, "orma_stats", args{"space": space})
			if s := stats["spaces"].([]any); len(s) != 1 || id(s[0].(map[string]any)["records"]) < 2 {
				t.Errorf("stats = %v", stats)
			}
			if text := fails(t, c, "orma_forget", args{"state_id": 999999, "space": space}); !strings.HasPrefix(text, "not_found: ") {
				t.Errorf("forget of nothing says %q", text)
			}
		})
	}
}

func TestForbidHeadsRecall(t *testing.T) {
	m := open(t)
	c := connect(t, options(m))
	for _, s := range []string{"The pipeline deploys the billing service every morning.", "Ravi owns the billing service.", "We use Postgres 17."} {
		call(t, c, "orma_remember", args{"text": s})
	}
	rule, _ := call(t, c, "orma_forbid", args{"rule": "Never restart the billing service during business hours"})
	near := []string{"restart billing", "How do I deploy?", "Is it fine to bounce the billing service at 11 am?", "", "tell me about Ravi", "völlig anderes Thema"}
	for _, q := range near {
		out, text := call(t, c, "orma_recall", args{"query": q})
		lines := strings.Split(text, "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "[") })
		if i < 0 || !strings.HasPrefix(lines[i], "[FORBIDDEN: Never restart the billing service") {
			t.Errorf("recall(%q): the first line after the framing is not the rule:\n%s", q, text)
		}
		if !strings.Contains(out["block"].(string), lines[max(i, 0)]) {
			t.Errorf("recall(%q): the structured block lacks the rule", q)
		}
	}
	again, _ := call(t, c, "orma_forbid", args{"rule": "Never restart the billing service during business hours"})
	if again["rule_id"] != rule["rule_id"] {
		t.Errorf("forbidden again: rule %v, want %v", again["rule_id"], rule["rule_id"])
	}
	call(t, c, "orma_forget", args{"state_id": rule["rule_id"]})
	for _, q := range near {
		if _, text := call(t, c, "orma_recall", args{"query": q}); strings.Contains(text, "Never restart") || strings.Contains(text, "FORBIDDEN") {
			t.Errorf("recall(%q) after the rule was lifted:\n%s", q, text)
		}
	}
	call(t, c, "orma_remember", args{"text": "Do not merge without review.", "kind": "anti_pattern"})
	if _, text := call(t, c, "orma_recall", args{"query": "merge"}); !strings.Contains(text, "[FORBIDDEN: Do not merge without review.]") {
		t.Errorf("kind anti_pattern made no rule:\n%s", text)
	}
}

func TestArguments(t *testing.T) {
	m := open(t)
	c := connect(t, options(m))
	rule, _ := call(t, c, "orma_forbid", args{"rule": "Never feed the cat chocolate"})
	tests := []struct {
		name, tool string
		args       args
		want       string // beginning of the error; empty: it works
	}{
		{"null is left out", "orma_recall", args{"query": "cat", "space": nil, "max_tokens": nil}, ""},
		{"a number as text", "orma_facts", args{"max_tokens": "700"}, ""},
		{"a number with a point", "orma_facts", args{"max_tokens": 700.0}, ""},
		{"no query lists what stands", "orma_recall", args{}, ""},
		{"unknown argument", "orma_recall", args{"query": "x", "colour": "red"}, "validating"},
		{"too few tokens", "orma_recall", args{"query": "x", "max_tokens": 3}, "validating"},
		{"too many tokens", "orma_recall", args{"query": "x", "max_tokens": 10001}, "validating"},
		{"unknown kind", "orma_remember", args{"text": "x", "kind": "poem"}, "validating"},
		{"no text", "orma_remember", args{"text": " \n"}, "invalid: "},
		{"text is missing", "orma_remember", args{}, "validating"},
		{"an id that is none", "orma_forget", args{"state_id": "seven"}, "validating"},
		{"control character in space", "orma_recall", args{"space": "a\x01b"}, "invalid: "},
		{"nothing to look for", "orma_search", args{}, "invalid: "},
		{"a foreign handle", "orma_recall", args{"handle": "file:///etc/passwd"}, "invalid: "},
		{"a handle of a missing record", "orma_recall", args{"handle": uri("default/episodes/424242")}, "not_found: "},
		{"a handle of another list", "orma_facts", args{"handle": uri("default/search?q=x")}, "invalid: "},
		{"two spaces", "orma_recall", args{"handle": uri("default/facts"), "space": "other"}, "invalid: "},
		{"a ttl that is none", "orma_remember", args{"text": "x", "ttl": "soon"}, "invalid: "},
		{"an id as text", "orma_forget", args{"state_id": jsonOf(t, rule["rule_id"])}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := raw(t, c, tt.tool, tt.args)
			if text := textOf(r); r.IsError != (tt.want != "") || r.IsError && !strings.HasPrefix(text, tt.want) {
				t.Errorf("%s(%v): error %v: %s", tt.tool, tt.args, r.IsError, text)
			}
		})
	}
}

// TestPrincipals checks that a token's bounds hold in every way of naming a space.
func TestPrincipals(t *testing.T) {
	m := open(t)
	mine := add(t, m, "mine", engine.Input{Text: "The spare key hangs behind the door."})[0]
	theirs := add(t, m, "theirs", engine.Input{Text: "The safe opens with a poem."})[0]
	one := connectHTTP(t, options(m), access.Principal{Right: core.RightRead, Spaces: []string{"mine"}})
	tools, err := one.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range tools.Tools {
		names = append(names, x.Name)
	}
	if want := []string{"orma_facts", "orma_recall", "orma_search", "orma_stats"}; !slices.Equal(names, want) {
		t.Errorf("a reader is shown %v, want %v", names, want)
	}
	if _, text := call(t, one, "orma_recall", args{"query": "key"}); !strings.Contains(text, "behind the door") {
		t.Errorf("the token's space is not the default: %s", text)
	}
	for _, a := range []args{
		{"query": "safe", "space": "theirs"}, {"handle": uri("theirs/episodes/%d", theirs.ID)}, {"handle": uri("theirs/search?q=safe")},
	} {
		if text := fails(t, one, "orma_recall", a); !strings.HasPrefix(text, "denied: ") || strings.Contains(text, "poem") {
			t.Errorf("recall(%v) says %q", a, text)
		}
	}
	missing := fails(t, one, "orma_recall", args{"handle": uri("mine/episodes/%d", theirs.ID)})
	never := fails(t, one, "orma_recall", args{"handle": uri("mine/episodes/99999")})
	if strings.ReplaceAll(missing, jsonOf(t, theirs.ID), "99999") != never {
		t.Errorf("another's record %q and a missing one %q differ", missing, never)
	}
	if _, err := one.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri("theirs/episodes/%d", theirs.ID)}); err == nil {
		t.Error("another's record can be read")
	}
	if _, err := one.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri("mine/episodes/%d", mine.ID)}); err != nil {
		t.Error(err)
	}
	list, err := one.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	stats, _ := call(t, one, "orma_stats", nil)
	if text := jsonOf(t, list) + jsonOf(t, stats); strings.Contains(text, "theirs") || strings.Contains(text, "bytes") {
		t.Errorf("it is shown what is not its own: %s", text)
	}
	if _, err := one.CallTool(t.Context(), &sdk.CallToolParams{Name: "orma_remember", Arguments: args{"text": "x"}}); err == nil {
		t.Error("a reader may write")
	}
}

func TestFailuresAreAnswers(t *testing.T) {
	m := open(t)
	o := options(m)
	var fail error
	boom := false
	o.Open = func(context.Context) (*engine.Engine, error) {
		if boom {
			panic("a text that must not be logged")
		}
		return m.Engine, fail
	}
	fail = core.Errorf(core.CodeCorrupt, "the file is no database").Hinted("run orma doctor --fix")
	c := connect(t, o)
	if text := c.InitializeResult().Instructions; !strings.Contains(text, "corrupt: the file is no database; run orma doctor --fix") {
		t.Errorf("the instructions do not say that memory is broken: %q", text)
	}
	if text := fails(t, c, "orma_recall", args{"query": "x"}); text != "corrupt: the file is no database; run orma doctor --fix" {
		t.Errorf("recall says %q", text)
	}
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri("default/facts")}); err == nil || !strings.Contains(err.Error(), "corrupt") {
		t.Errorf("reading says %v", err)
	}
	fail = nil
	call(t, c, "orma_recall", args{"query": "x"})
	boom = true
	if text := fails(t, c, "orma_recall", args{"query": "x"}); !strings.HasPrefix(text, "internal: ") || strings.Contains(text, "must not") {
		t.Errorf("a panic says %q", text)
	}
	boom, fail = false, errors.New("plain")
	if text := fails(t, c, "orma_stats", nil); text != "internal: plain" {
		t.Errorf("stats says %q", text)
	}
}
