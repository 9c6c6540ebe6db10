package api_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"encoding/json"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

func TestVerbsFromOneEndToTheOther(t *testing.T) {
	s := newServer(t)
	var added api.AddAnswer
	s.ok("POST", "/episodes", `{"episodes": [
		{"text": "I keep my bicycle in the cellar.", "id": "k1", "session": "s"},
		{"text": "My token is sk-abcdefghijklmnopqrstuvwxyz012345.", "kind": "note", "trust": "import"},
		{"text": "  "}]}`, &added)
	if len(added.Added) != 3 || added.Added[0].ID == 0 || added.Added[0].Key != "k1" || added.Added[1].Masked != 1 || added.Added[2].Code != core.CodeInvalid {
		t.Fatalf("added %+v", added)
	}
	id := added.Added[0].ID

	var ep api.Episode
	s.ok("GET", fmt.Sprintf("/episodes/%d", id), "", &ep)
	if ep.Text != "I keep my bicycle in the cellar." || ep.Key != "k1" || ep.Session != "s" || ep.Trust != "user" {
		t.Errorf("episode %+v", ep)
	}
	s.ok("GET", fmt.Sprintf("/episodes/%d", added.Added[1].ID), "", &ep)
	if strings.Contains(ep.Text, "sk-") || ep.Trust != "import" {
		t.Errorf("episode %+v", ep)
	}

	var recalled engine.Recalled
	s.ok("POST", "/recall", `{"query": "Where is my bicycle?"}`, &recalled)
	if !strings.Contains(recalled.Block, "cellar") || recalled.Block != recalled.Stable+recalled.Turn {
		t.Errorf("recalled %+v", recalled)
	}
	var found engine.Found
	s.ok("POST", "/search", `{"query": "bicycle", "limit": 3, "explain": true}`, &found)
	if len(found.Passages) == 0 || found.Passages[0].Episode != id || found.Trace == nil {
		t.Errorf("found %+v", found)
	}

	var rule engine.Added
	s.ok("POST", "/rules", `{"rule": "never ring before nine"}`, &rule)
	s.ok("GET", "/recall?query=phone", "", &recalled)
	if !strings.Contains(recalled.Rules, "never ring before nine") || !strings.HasPrefix(recalled.Stable, recalled.Rules) {
		t.Errorf("recalled %+v", recalled)
	}
	var facts api.Facts
	s.ok("GET", "/facts", "", &facts)
	if len(facts.Facts) != 1 || facts.Facts[0].ID != rule.RuleID || !facts.Facts[0].Forbidden {
		t.Errorf("facts %+v", facts)
	}
	var fact engine.Fact
	s.ok("POST", fmt.Sprintf("/facts/%d/correct", rule.RuleID), `{"text": "never ring before ten"}`, &fact)
	if fact.Value != "never ring before ten" {
		t.Errorf("corrected %+v", fact)
	}
	s.ok("POST", fmt.Sprintf("/facts/%d/forget", fact.ID), `{"reason": "it was a joke"}`, &fact)
	s.refused(core.CodeConflict, "POST", fmt.Sprintf("/facts/%d/forget", fact.ID), `{}`)
	s.ok("GET", "/recall?query=phone", "", &recalled)
	if recalled.Rules != "" {
		t.Errorf("a lifted rule is still there: %q", recalled.Rules)
	}

	var q engine.Quarantined
	s.ok("POST", "/quarantine", `{"source": "api"}`, &q)
	s.ok("POST", "/recall", `{"query": "Where is my bicycle?"}`, &recalled)
	if strings.Contains(recalled.Block, "cellar") {
		t.Error("a quarantined line was recalled")
	}
	s.ok("POST", "/quarantine", `{"source": "api", "release": true}`, &q)
	var receipt core.Receipt
	s.ok("DELETE", fmt.Sprintf("/episodes/%d", id), "", &receipt)
	if !slices.Contains(receipt.Episodes, id) || !receipt.Clean {
		t.Errorf("receipt %+v", receipt)
	}
	s.refused(core.CodeNotFound, "GET", fmt.Sprintf("/episodes/%d", id), "")

	var st engine.Stats
	s.ok("GET", "/stats", "", &st)
	if len(st.Spaces) != 1 || st.Spaces[0].Space != core.DefaultSpace {
		t.Errorf("stats %+v", st)
	}
	export := s.ok("GET", "/export", "", nil)
	if n := strings.Count(export.body, "\n") - strings.Count(export.body, `{"type":`); n != st.Spaces[0].Episodes {
		t.Errorf("export has %d episodes, stats count %d", n, st.Spaces[0].Episodes)
	}
	s.refused(core.CodeUnsupported, "POST", "/sleep", `{}`)
	s.refused(core.CodeInvalid, "DELETE", "/spaces/default", "")
	s.ok("DELETE", "/spaces/default?yes=true", "", &receipt)
	var log api.Audit
	s.ok("GET", "/audit", "", &log)
	if len(log.Entries) < 8 || log.Entries[0].Verb != "erase_space" || log.Entries[1].Verb != "erase_space" || log.Entries[1].Status != http.StatusBadRequest {
		t.Errorf("audit %+v", log.Entries)
	}
	for _, e := range log.Entries {
		if e.Verb == "recall" || e.Verb == "search" {
			t.Errorf("audit has a read: %+v", e)
		}
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	s := newServer(t)
	deep := strings.Repeat(`{"set":`, 20_000)
	long := `{"text": "` + strings.Repeat("x", 1<<20) + `"}`
	many := `{"episodes": [` + strings.TrimSuffix(strings.Repeat(`{"text": "x"},`, 11), ",") + `]}`
	cases := []struct {
		name, method, path, body string
		headers                  []string
		want                     core.Code
	}{
		{"no JSON", "POST", "/episodes", `{"text": "x"}`, []string{"Content-Type", "text/plain"}, core.CodeInvalid},
		{"a form", "POST", "/rules", `rule=x`, []string{"Content-Type", "application/x-www-form-urlencoded"}, core.CodeInvalid},
		{"another charset", "POST", "/episodes", `{"text": "x"}`, []string{"Content-Type", "application/json; charset=utf-16"}, core.CodeInvalid},
		{"an unknown key", "POST", "/episodes", `{"txt": "x"}`, nil, core.CodeInvalid},
		{"a wrong type", "POST", "/recall", `{"query": 1}`, nil, core.CodeInvalid},
		{"a list", "POST", "/recall", `[]`, nil, core.CodeInvalid},
		{"two values", "POST", "/recall", `{"query": "a"} {}`, nil, core.CodeInvalid},
		{"cut JSON", "POST", "/recall", `{"query": "a`, nil, core.CodeInvalid},
		{"bytes that are not text", "POST", "/episodes", "{\"text\": \"\xff\"}", nil, core.CodeInvalid},
		{"deep JSON", "POST", "/recall", deep, nil, core.CodeInvalid},
		{"too long", "POST", "/episodes", long, nil, core.CodeTooLarge},
		{"too many", "POST", "/episodes", many, nil, core.CodeTooLarge},
		{"nothing said", "POST", "/episodes", `{}`, nil, core.CodeInvalid},
		{"both forms", "POST", "/episodes", `{"text": "a", "episodes": [{"text": "b"}]}`, nil, core.CodeInvalid},
		{"more trust", "POST", "/episodes", `{"text": "a", "role": "assistant", "trust": "user"}`, nil, core.CodeDenied},
		{"unknown trust", "POST", "/episodes", `{"text": "a", "trust": "god"}`, nil, core.CodeInvalid},
		{"a misspelt parameter", "GET", "/facts?histroy=1", "", nil, core.CodeInvalid},
		{"a parameter twice", "GET", "/facts?subject=a&subject=b", "", nil, core.CodeInvalid},
		{"a bad flag", "GET", "/facts?history=yes", "", nil, core.CodeInvalid},
		{"a bad time", "GET", "/facts?as_of=tuesday", "", nil, core.CodeInvalid},
		{"a bad limit", "GET", "/episodes?limit=0", "", nil, core.CodeInvalid},
		{"a bad cursor", "GET", "/episodes?cursor=%00", "", nil, core.CodeInvalid},
		{"a cursor of another route", "GET", "/facts?cursor=MQ", "", nil, core.CodeInvalid},
		{"a negative cursor", "GET", "/episodes?cursor=LTE", "", nil, core.CodeInvalid},
		{"a bad id", "GET", "/episodes/x", "", nil, core.CodeInvalid},
		{"a missing id", "GET", "/episodes/99", "", nil, core.CodeNotFound},
		{"a missing fact", "POST", "/facts/99/forget", "{}", nil, core.CodeNotFound},
		{"no route", "GET", "/nothing", "", nil, core.CodeNotFound},
		{"no method", "PUT", "/episodes", "{}", nil, core.CodeUnsupported},
		{"two spaces", "POST", "/recall", `{"space": "a", "query": ""}`, []string{"X-Orma-Space", "b"}, core.CodeInvalid},
		{"a control character", "POST", "/recall", `{"space": "a\u0000b", "query": ""}`, nil, core.CodeInvalid},
		{"an invisible character", "GET", "/facts?space=a%E2%80%8Bb", "", nil, core.CodeInvalid},
		{"a bad idempotency key", "POST", "/episodes", `{"text": "a"}`, []string{"Idempotency-Key", "a b"}, core.CodeInvalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := *s
			in.T = t
			in.refused(c.want, c.method, c.path, c.body, c.headers...)
		})
	}
	var st engine.Stats
	s.ok("GET", "/stats", "", &st)
	if len(st.Spaces) != 0 {
		t.Errorf("a refused request left something: %+v", st.Spaces)
	}
}

func TestPagesHoldEverythingOnce(t *testing.T) {
	s := newServer(t)
	for i := range 7 {
		s.said("a", fmt.Sprintf("Line number %d of the log.", i))
		s.ok("POST", "/rules", fmt.Sprintf(`{"space": "a", "rule": "never do thing %d"}`, i), nil)
	}
	for _, path := range []string{"/episodes", "/facts", "/audit"} {
		seen, next, pages := map[float64]bool{}, "", 0
		for {
			var page map[string]any
			q := path + "?limit=3"
			if path != "/audit" {
				q += "&space=a"
			}
			s.ok("GET", q+"&cursor="+next, "", &page)
			pages++
			for _, key := range []string{"episodes", "facts", "entries"} {
				list, _ := page[key].([]any)
				for _, it := range list {
					item := it.(map[string]any)
					id, ok := item["id"].(float64)
					if !ok {
						id = item["seq"].(float64)
					}
					if seen[id] {
						t.Errorf("%s: %v is on two pages", path, id)
					}
					seen[id] = true
				}
			}
			if next, _ = page["next"].(string); next == "" {
				break
			}
		}
		if want := map[string]int{"/episodes": 14, "/facts": 7, "/audit": 14}[path]; len(seen) != want || pages != (want+2)/3 {
			t.Errorf("%s: %d items on %d pages, want %d", path, len(seen), pages, want)
		}
	}
}

func TestIdempotencyKeyAddsOnce(t *testing.T) {
	s := newServer(t)
	body := `{"text": "I was born in Ghent."}`
	first := s.ok("POST", "/episodes", body, nil, "Idempotency-Key", "k")
	again := s.ok("POST", "/episodes", body, nil, "Idempotency-Key", "k")
	if first.body != again.body || again.header.Get("Idempotency-Replayed") != "true" || first.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("first %s, again %s", first.body, again.body)
	}
	s.refused(core.CodeConflict, "POST", "/episodes", `{"text": "I was born in Bruges."}`, "Idempotency-Key", "k")
	s.refused(core.CodeConflict, "POST", "/rules", `{"rule": "x"}`, "Idempotency-Key", "k")
	other := s.ok("POST", "/episodes", body, nil, "Idempotency-Key", "k", "X-Orma-Space", "b")
	if other.header.Get("Idempotency-Replayed") != "" {
		t.Error("another space's answer was given")
	}
	s.refused(core.CodeInvalid, "POST", "/episodes", `{"text": " "}`, "Idempotency-Key", "failed")
	s.ok("POST", "/episodes", `{"text": "Now it has words."}`, nil, "Idempotency-Key", "failed")
	var eps api.Episodes
	s.ok("GET", "/episodes", "", &eps)
	if len(eps.Episodes) != 2 {
		t.Errorf("%d episodes, want 2", len(eps.Episodes))
	}
}

func TestETagSparesAnUnchangedBlock(t *testing.T) {
	s := newServer(t)
	s.said("", "The gate code hangs behind the door.")
	first := s.ok("GET", "/recall?query=gate", "", nil)
	tag := first.header.Get("ETag")
	for _, have := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		if a := s.do("GET", "/recall?query=gate", "", "If-None-Match", have); a.status != http.StatusNotModified || a.body != "" {
			t.Errorf("If-None-Match %s: %d", have, a.status)
		}
	}
	s.said("", "The gate was painted.")
	if a := s.do("GET", "/recall?query=gate", "", "If-None-Match", tag); a.status != http.StatusOK || a.header.Get("ETag") == tag {
		t.Errorf("after a change: %d", a.status)
	}
}

func TestDeliveredCountsUses(t *testing.T) {
	s := newServer(t)
	s.said("", "The spare key is under the third pot.")
	uses := func() int {
		var st engine.Stats
		s.ok("GET", "/stats", "", &st)
		return st.Spaces[0].Uses
	}
	before := uses()
	s.ok("POST", "/recall", `{"query": "spare key"}`, nil)
	if uses() != before {
		t.Error("a recall counted as a use")
	}
	s.ok("POST", "/recall", `{"query": "spare key", "deliver": true}`, nil)
	if uses() != before+1 {
		t.Errorf("%d uses, want %d", uses(), before+1)
	}
}

// TestRightsAndSpaces tries every route with tokens that do not reach it.
func TestRightsAndSpaces(t *testing.T) {
	s := newServer(t)
	secret := s.said("a", "The vault opens with plum jam.")
	var rule engine.Added
	s.ok("POST", "/rules", `{"space": "a", "rule": "never eat plum jam"}`, &rule)
	doc := api.OpenAPI()
	paths := doc["paths"].(map[string]any)
	for path, item := range paths {
		for method, op := range item.(map[string]any) {
			right := core.Right(op.(map[string]any)["x-right"].(string))
			full := strings.NewReplacer("{id}", fmt.Sprint(secret), "{name}", "a").Replace(strings.TrimPrefix(path, api.Base))
			body := ""
			if op.(map[string]any)["requestBody"] != nil {
				body = `{}`
			}
			method = strings.ToUpper(method)
			s.who = access.Principal{}
			s.refused(core.CodeDenied, method, full, body) // nobody
			if right != core.RightRead {
				s.who = access.Principal{Token: "t", Right: core.RightRead}
				s.refused(core.CodeDenied, method, full, body)
			}
			if strings.Contains(full, "version") || strings.Contains(full, "openapi") || strings.Contains(full, "stats") || strings.Contains(full, "stages") {
				continue
			}
			s.who = access.Principal{Token: "t", Right: core.RightAdmin, Spaces: []string{"b"}}
			s.refused(core.CodeDenied, method, full, body, "X-Orma-Space", "a")
			if !strings.Contains(full, "audit") && !strings.Contains(full, "spaces") {
				known := s.refused(core.CodeDenied, method, full+"?space=a", body)
				unknown := s.refused(core.CodeDenied, method, full+"?space=nobody-has-it", body)
				if known.body != unknown.body {
					t.Errorf("%s %s tells whether a space exists: %s, %s", method, full, known.body, unknown.body)
				}
			}
		}
	}
	// In its own space, another one's ids are as if they were not there.
	s.who = access.Principal{Token: "t", Right: core.RightAdmin, Spaces: []string{"b"}}
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/episodes/%d", ""}, {"DELETE", "/episodes/%d", ""}, {"POST", "/facts/%d/forget", "{}"}, {"POST", "/facts/%d/correct", `{"text": "x"}`},
	} {
		for _, id := range []core.ID{secret, rule.RuleID} {
			theirs := s.refused(core.CodeNotFound, c.method, fmt.Sprintf(c.path, id), c.body)
			missing := s.refused(core.CodeNotFound, c.method, fmt.Sprintf(c.path, 987654), c.body)
			if a, b := strings.ReplaceAll(theirs.body, fmt.Sprint(id), "N"), strings.ReplaceAll(missing.body, "987654", "N"); a != b {
				t.Errorf("%s %s: %s against %s", c.method, c.path, a, b)
			}
		}
	}
	for _, path := range []string{"/graph/s%d", "/graph/p%d", "/graph?of=s%d", "/graph?of=p%d"} {
		for _, id := range []core.ID{rule.RuleID, secret + 1} {
			theirs := s.refused(core.CodeNotFound, "GET", fmt.Sprintf(path, id), "")
			missing := s.refused(core.CodeNotFound, "GET", fmt.Sprintf(path, 987654), "")
			if a, b := strings.ReplaceAll(theirs.body, fmt.Sprint(id), "N"), strings.ReplaceAll(missing.body, "987654", "N"); a != b {
				t.Errorf("GET %s: %s against %s", path, a, b)
			}
		}
	}
	s.refused(core.CodeDenied, "POST", "/recall", `{"query": "", "off": ["bm25"]}`)
	var st engine.Stats
	s.ok("GET", "/stats", "", &st)
	if len(st.Spaces) != 0 || st.Store.Path != "" {
		t.Errorf("stats of b show %+v", st)
	}
}

// TestSpacesNeverMix asks space after space for the words of others, under names
// that look alike or that a careless join would make equal.
func TestSpacesNeverMix(t *testing.T) {
	s := newServer(t)
	names := []string{"a", "A", "a:b", "a/b", "a%2Fb", "../a", "..", "á", "а", "a b", "a\u00a0b", "default", "'; DROP TABLE episodes; --", "b:c", "c", "null", "0", "日本", "a\\b", "*", "?"}
	for i, n := range names {
		b, _ := json.Marshal(map[string]any{"space": n, "text": fmt.Sprintf("The word of this space is zebra%dq.", i)})
		s.ok("POST", "/episodes", string(b), nil)
	}
	for i, n := range names {
		for _, req := range []map[string]any{{"query": "zebra word space", "limit": 1000}, {"query": fmt.Sprintf("zebra%dq", (i+1)%len(names))}} {
			req["space"] = n
			b, _ := json.Marshal(req)
			for _, path := range []string{"/search", "/recall"} {
				a := s.ok("POST", path, string(b), nil)
				for j := range names {
					if has := strings.Contains(a.body, fmt.Sprintf("zebra%dq", j)); has && i != j {
						t.Errorf("%s in %q shows the word of %q", path, n, names[j])
					}
				}
			}
		}
	}
	// A name has one form: composed and decomposed letters are the same space.
	a := s.ok("POST", "/recall", "{\"space\": \"a\u0301\", \"query\": \"zebra\"}", nil)
	if !strings.Contains(a.body, "zebra7q") {
		t.Errorf("á is two spaces: %s", a.body)
	}
}

func TestOpenAPIIsCurrent(t *testing.T) {
	got, err := json.MarshalIndent(api.OpenAPI(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("..", "..", "..", "docs", "openapi.json")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what the routes say; run go test ./cmd/internal/api -update", file)
	}
	s := newServer(t)
	var served, filed any
	s.ok("GET", "/openapi.json", "", &served)
	if err := json.Unmarshal(want, &filed); err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprint(served), fmt.Sprint(filed); a != b {
		t.Error("the served document differs")
	}
}

// TestStreamTellsWhatIsNew follows a space while turns are added, drops out, and
// comes back.
func TestStreamTellsWhatIsNew(t *testing.T) {
	s := newServer(t)
	s.said("a", "Before.")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	open := func(last string) (*bufio.Reader, func()) {
		r, err := http.NewRequestWithContext(ctx, "GET", s.url+api.Base+"/stream?space=a", nil)
		if err != nil {
			t.Fatal(err)
		}
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%d %v", resp.StatusCode, resp.Header)
		}
		in := bufio.NewReader(resp.Body)
		if line, err := in.ReadString('\n'); line != ":\n" {
			t.Fatalf("%q, %v", line, err)
		}
		return in, func() { resp.Body.Close() }
	}
	episode := func(in *bufio.Reader) (id string, e api.Episode) {
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if after, ok := strings.CutPrefix(line, "id: "); ok {
				id = strings.TrimSpace(after)
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok && id != "" {
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					t.Fatal(err)
				}
				return id, e
			}
		}
	}
	in, shut := open("")
	s.said("b", "Elsewhere.")
	s.said("a", "One line\nand another.")
	id, e := episode(in)
	if e.Text != "One line\nand another." || id != fmt.Sprint(e.ID) {
		t.Errorf("%s %+v", id, e)
	}
	shut()
	s.said("a", "Missed.")
	in, shut = open(id)
	if _, e := episode(in); e.Text != "Missed." {
		t.Errorf("%+v", e)
	}
	_, second := open("")
	s.refused(core.CodeLimit, "GET", "/stream?space=a", "")
	second()
	shut()
	s.refused(core.CodeInvalid, "GET", "/stream?after=-1", "")
}
