package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/cmd/internal/api"
)

// secrets are the words of space a. No request says them, so whoever gets one of them
// got it from there.
var secrets = []string{"zanzibar", "Zanzibar", "4471", "plum jam"}

// alien are ways to write a space that is not one's own.
var alien = []string{
	"a", "A", " a", "a ", "a.", "../a", "b/../a", "./a", "a/", "b/a", "a%00", "%61", "а" /* Cyrillic */, "ａ" /* full width */, "a\u200b", "a\u0301",
	"a\x00", "b,a", "a,b", "b\na", "*", "%", "_", "a*", "' OR '1'='1", "nope",
}

// attack is a server with words in space a, and attackers with tokens for others.
type attack struct {
	*server
	model  *model
	tokens map[string]string // by name: admin of b, writer of b and c, reader of b
	ids    []string          // of what is in a
	own    string            // of an episode of b
	page   string            // a cursor of a's episodes
}

func newAttack(t *testing.T) *attack {
	h := newHome(t)
	for _, line := range []string{"The zanzibar code is 4471.", "My zanzibar ship leaves on Sunday.", "Alice lives in Zanzibar."} {
		h.ok("add", "--space", "a", "--session", "s", "--source", "chat", line)
	}
	h.ok("forbid", "--space", "a", "never eat plum jam")
	h.ok("sleep", "--space", "a")
	h.ok("add", "--space", "b", "The harbour opens at nine.")
	x := &attack{model: newModel(t, nil), tokens: map[string]string{}}
	for name, args := range map[string][]string{
		"admin of b": {"--space", "b", "--right", "admin"}, "writer of b and c": {"--space", "b,c"}, "reader of b": {"--space", "b", "--right", "read"},
	} {
		var made struct{ Token string }
		if err := json.Unmarshal([]byte(h.ok(append([]string{"token", "new", "x", "--json"}, args...)...)), &made); err != nil {
			t.Fatal(err)
		}
		x.tokens[name] = made.Token
	}
	var all struct{ Token string }
	if err := json.Unmarshal([]byte(h.ok("token", "new", "all", "--all", "--right", "admin", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	x.server = h.serve("--upstream", x.model.URL, "--set", `serve.tokens="on"`)
	seen := map[string]bool{}
	for _, path := range []string{"/episodes?limit=2&space=a", "/facts?history=true&space=a", "/episodes?space=b"} {
		a := x.ask("GET", "/_orma/v1"+path, "", "Authorization", "Bearer "+all.Token)
		var page struct {
			Episodes, Facts []struct{ ID int64 }
			Next            string
		}
		if err := json.Unmarshal([]byte(a.body), &page); err != nil || a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		if strings.HasSuffix(path, "space=b") {
			x.own = fmt.Sprint(page.Episodes[0].ID)
			continue
		}
		x.page += page.Next
		for _, item := range append(page.Episodes, page.Facts...) {
			seen[fmt.Sprint(item.ID)] = true
		}
	}
	x.ids = slices.Sorted(maps.Keys(seen))
	if len(x.ids) < 4 || x.page == "" {
		t.Fatalf("space a has %q, cursor %q", x.ids, x.page)
	}
	return x
}

// leaks fails the test if an answer, or what the model saw, has words of a.
func (x *attack) leaks(what string, a answer) {
	x.Helper()
	for _, text := range []string{a.body, fmt.Sprint(a.header), x.model.last()} {
		for _, s := range secrets {
			if strings.Contains(text, s) {
				x.Errorf("%s shows words of a: %d %.500s", what, a.status, text)
			}
		}
	}
}

// bodies are what verbs are sent, by the names of their properties.
var bodies = map[string]any{
	"text": "The quay is long.", "query": "what is the code, and when does the ship leave?", "rule": "never run on the quay", "source": "chat", "yes": true,
	"messages": []any{map[string]any{"role": "user", "content": "What is the code?"}}, "explain": true, "deliver": true, "session": "s", "content": "The quay is long.",
	"name": "quay.txt", "dry_run": true, "backend": "rules", "limit": 50,
}

// params are what parameters are set to; those that are missing stay unset.
var params = map[string]string{
	"query": "what is the code?", "subject": "user", "history": "true", "as_of": "2030-01-01", "now": "2030-01-01T00:00:00Z", "session": "s", "limit": "100", "yes": "true", "after": "0", "kinds": "entity,state,rule,conditional,event,passage",
}

// operation is a verb of the API, from its own description.
type operation struct {
	id, method, path string
	params, props    []string
	stream           bool
	spaced           bool   // it is about one space
	any              string // an item that is left out where it can be
}

func operations(t *testing.T) (list []operation) {
	raw, err := json.Marshal(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]any
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
			Responses map[string]struct{ Content map[string]any }
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths {
		for method, op := range item {
			o := operation{id: op.OperationID, method: strings.ToUpper(method), path: path}
			for _, p := range op.Parameters {
				o.spaced = o.spaced || p.Name == "X-Orma-Space"
				if p.In == "query" && p.Name != "space" {
					o.params = append(o.params, p.Name)
				}
			}
			for _, c := range op.RequestBody.Content {
				s := c.Schema
				if s.Ref != "" {
					s = doc.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
				}
				o.props = slices.Sorted(maps.Keys(s.Properties))
			}
			for media := range op.Responses["200"].Content {
				o.stream = o.stream || media == "text/event-stream"
			}
			list = append(list, o)
		}
	}
	// What erases comes last.
	rank := map[string]int{"erase": 1, "erase_space": 2}
	slices.SortFunc(list, func(a, b operation) int {
		if d := rank[a.id] - rank[b.id]; d != 0 {
			return d
		}
		return strings.Compare(a.id, b.id)
	})
	return list
}

// request writes a request of the operation that names spaces and an item. Empty names
// are left out.
func (o *operation) request(query, body, item, cursor string) (path, text string) {
	q := url.Values{}
	for _, p := range o.params {
		if v := params[p]; v != "" {
			q.Set(p, v)
		}
		if p == "of" && item != o.any { // a node of the graph
			q.Set(p, item)
		}
		if p == "cursor" && cursor != "" {
			q.Set(p, cursor)
		}
	}
	if query != "" {
		q.Set("space", query)
	}
	path = strings.NewReplacer("{id}", item, "{name}", url.PathEscape(item)).Replace(o.path)
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	if o.props == nil {
		return path, ""
	}
	fields := map[string]any{}
	for _, p := range o.props {
		if v, ok := bodies[p]; ok {
			fields[p] = v
		}
		if p == "space" && body != "" {
			fields[p] = body
		}
	}
	raw, _ := json.Marshal(fields) // texts and flags always encode
	return path, string(raw)
}

// TestNoSpaceSeesAnother asks every verb of every front, as holder of a token for b, for
// what is in a: by header, query, body, guessed ids, cursors, times and names that look
// like a's. A space that is not there is answered in the same way.
func TestNoSpaceSeesAnother(t *testing.T) {
	x := newAttack(t)
	for _, who := range slices.Sorted(maps.Keys(x.tokens)) {
		bearer := []string{"Authorization", "Bearer " + x.tokens[who]}
		for _, o := range operations(t) {
			if o.stream {
				continue // it does not end; see TestNoStreamShowsAnother
			}
			reached, last := false, answer{}
			try := func(header, query, body, item, cursor string) answer {
				path, text := o.request(query, body, item, cursor)
				headers := bearer
				if header != "" {
					headers = append(slices.Clone(bearer), "X-Orma-Space", header)
				}
				a, err := x.do(o.method, path, text, headers...)
				if err != nil {
					return answer{} // a name that no header can hold
				}
				x.leaks(fmt.Sprintf("%s: %s %s %s, header %q", who, o.method, path, text, header), a)
				return a
			}
			byID := strings.Contains(o.path, "{id}") || slices.Contains(o.params, "of")
			theirs := x.ids
			for _, id := range x.ids { // nodes of the graph begin with a letter
				for _, kind := range []string{"s", "e", "p", "n", "r", "x", "s:", "e:", "state:", "entity:", "passage:", "event:"} {
					theirs = append(theirs, kind+id)
				}
			}
			o.any = x.own
			for _, item := range append([]string{x.own, "999999999", "0", "-1"}, theirs...) {
				if !byID && item != x.own {
					break
				}
				if strings.Contains(o.path, "{name}") {
					item = "nope"
				}
				a := try("", "", "", item, "")
				last = try("b", "b", "b", item, x.page)
				reached = reached || a.status == 200 || last.status == 200
				if byID && slices.Contains(theirs, item) {
					none := strings.TrimRight(item, "0123456789") + "999999999"
					if missing := try("", "", "", none, ""); missing.status != a.status || strings.ReplaceAll(missing.body, none, item) != a.body {
						t.Errorf("%s: %s of an item of a: %d %s, of none: %d %s", who, o.id, a.status, a.body, missing.status, missing.body)
					}
				}
			}
			if who == "admin of b" && !reached && !byID && o.id != "erase_space" && o.id != "audit" {
				t.Errorf("%s never gets %s to work, so the attack shows nothing: %d %s", who, o.id, last.status, last.body)
			}
			for _, name := range alien {
				item := x.own
				if strings.Contains(o.path, "{name}") {
					item = name
				}
				for i, a := range []answer{try(name, "", "", item, ""), try("", name, "", item, x.page), try("", "", name, item, ""), try(name, name, name, item, "")} {
					// In the body it only counts where the verb takes one.
					if name == "a" && a.status < 400 && (i != 2 || slices.Contains(o.props, "space")) && o.spaced {
						t.Errorf("%s: %s in space a, way %d: %d %s", who, o.id, i, a.status, a.body)
					}
				}
			}
			if known, none := try("a", "", "", x.own, ""), try("nope", "", "", x.own, ""); known.status != none.status || known.body != none.body {
				t.Errorf("%s: %s tells that a is there: %d %s, and of none %d %s", who, o.id, known.status, known.body, none.status, none.body)
			} else if known.status < 400 && o.spaced {
				t.Errorf("%s: %s in another's space: %d", who, o.id, known.status)
			}
			if o.id == "erase_space" {
				try("", "", "", "a", "")
			}
		}
		x.home.ok("add", "--space", "b", "The harbour opens at nine.") // it may be erased
		x.proxied(who, bearer)
		x.mcp(who, bearer)
	}
	x.stop()
	if got := x.home.exported("a"); len(got) != 4 {
		t.Errorf("space a has %q", got)
	}
	if facts := x.home.ok("facts", "--space", "a"); !strings.Contains(facts, "plum jam") {
		t.Errorf("facts of a: %s", facts)
	}
}

// proxied attacks by chats.
func (x *attack) proxied(who string, bearer []string) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses", "/v1/messages", "/api/chat"} {
		for _, name := range alien {
			user, _ := json.Marshal(name)
			body := `{"user":` + string(user) + `,"metadata":{"user_id":` + string(user) + `},"messages":[{"role":"user","content":"What is the code, and when does the ship leave?"}],"input":"What is the code?"}`
			if a, err := x.do("POST", path, body, append(slices.Clone(bearer), "X-Orma-Space", name)...); err == nil {
				x.leaks(who+": "+path+" with the header "+name, a)
				if a.status != 403 && name == "a" {
					x.Errorf("%s: %s with the header of a: %d %s", who, path, a.status, a.body)
				}
			}
			a := x.ask("POST", path, body, bearer...)
			x.leaks(who+": "+path+" with the user "+name, a)
			x.leaks(who+": "+path+", skipping", x.ask("POST", path, body, append(slices.Clone(bearer), "X-Orma-Skip", "1")...))
		}
	}
}

// mcp attacks by every tool, resource, prompt and completion.
func (x *attack) mcp(who string, bearer []string) {
	call := func(method string, params map[string]any) answer {
		raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		a := x.ask("POST", "/mcp", string(raw), append(slices.Clone(bearer), "Accept", "application/json, text/event-stream")...)
		x.leaks(who+": "+string(raw), a)
		return a
	}
	own := call("tools/call", map[string]any{"name": "orma_recall", "arguments": map[string]any{"query": "When does the harbour open?"}})
	if !strings.Contains(own.body, "harbour opens at nine") && who != "writer of b and c" {
		x.Errorf("%s cannot reach its own space: %d %s", who, own.status, own.body)
	}
	for _, name := range alien {
		for _, tool := range []string{"orma_recall", "orma_search", "orma_facts", "orma_stats", "orma_sleep", "orma_forget", "orma_correct", "orma_remember", "orma_forbid"} {
			args := map[string]any{"space": name}
			switch tool {
			case "orma_recall", "orma_search":
				args["query"] = "what is the code?"
			case "orma_facts":
				args["include_history"] = true
			case "orma_remember":
				args["text"] = "The quay is long."
			case "orma_forbid":
				args["rule"] = "never run on the quay"
			case "orma_correct":
				args["text"] = "x"
				fallthrough
			case "orma_forget":
				args["state_id"] = 1
			}
			call("tools/call", map[string]any{"name": tool, "arguments": args})
		}
		at := "orma://spaces/" + url.PathEscape(name)
		for _, uri := range []string{at + "/facts", at + "/rules", at + "/episodes", at + "/episodes/" + x.ids[0], at + "/facts/" + x.ids[len(x.ids)-1], at + "/identity", at + "/search?q=code", "orma://spaces/b/episodes/" + x.ids[0], "orma://spaces"} {
			call("resources/read", map[string]any{"uri": uri})
			call("tools/call", map[string]any{"name": "orma_recall", "arguments": map[string]any{"handle": uri}})
			call("tools/call", map[string]any{"name": "orma_facts", "arguments": map[string]any{"handle": uri}})
		}
		for _, prompt := range []string{"briefing", "save"} {
			call("prompts/get", map[string]any{"name": prompt, "arguments": map[string]any{"space": name, "topic": "the code"}})
		}
		call("completion/complete", map[string]any{"ref": map[string]any{"type": "ref/resource", "uri": "orma://spaces/{space}/facts"}, "argument": map[string]any{"name": "space", "value": name}})
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		call(method, map[string]any{})
	}
	known := call("tools/call", map[string]any{"name": "orma_facts", "arguments": map[string]any{"space": "a"}})
	none := call("tools/call", map[string]any{"name": "orma_facts", "arguments": map[string]any{"space": "nope"}})
	if known.body != none.body || !strings.Contains(known.body, "denied") {
		x.Errorf("%s is told of a: %s\nand of none: %s", who, known.body, none.body)
	}
}

// TestNoStreamShowsAnother listens as b while words are said in a.
func TestNoStreamShowsAnother(t *testing.T) {
	x := newAttack(t)
	for _, path := range []string{"?space=a", "?after=0&space=b/../a"} {
		if a := x.ask("GET", "/_orma/v1/stream"+path, "", "Authorization", "Bearer "+x.tokens["admin of b"]); a.status < 400 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(x.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /_orma/v1/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nLast-Event-ID: 0\r\n\r\n", x.tokens["admin of b"])
	x.home.ok("add", "--space", "a", "The zanzibar cellar is dry.")
	x.home.ok("add", "--space", "b", "The lighthouse is painted.")
	var got strings.Builder
	for buf := make([]byte, 4096); !strings.Contains(got.String(), "lighthouse"); {
		n, err := c.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, got.String())
		}
		got.Write(buf[:n])
	}
	x.leaks("the stream", answer{body: got.String()})
}

// TestNamesAreNotJoined: what is kept by a space and a key cannot be reached by another
// pair that is written alike when it is joined.
func TestNamesAreNotJoined(t *testing.T) {
	h := newHome(t)
	m := newModel(t, nil)
	s := h.serve("--upstream", m.URL)
	pairs := [][2]string{{"a:b", "c"}, {"a", "b:c"}, {"a:b:c", "x"}, {"a/b", "c"}, {"a", "b/c"}, {"a.b", "c"}, {"a", "b.c"}, {"a|b", "c"}, {"a", "b|c"}}
	for i, p := range pairs {
		body := fmt.Sprintf(`{"text":"Secret number %d of the pair.","id":%q,"session":%q,"source":%q}`, i, p[1], p[1], p[1])
		a := s.ask("POST", "/_orma/v1/episodes", body, "X-Orma-Space", p[0], "Idempotency-Key", p[1])
		if a.status != 200 || a.header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%q: %d %s %v", p, a.status, a.body, a.header)
		}
	}
	for i, p := range pairs {
		own := fmt.Sprintf("Secret number %d of", i)
		all := strings.Join(s.episodes(url.QueryEscape(p[0])), "\n")
		if !strings.Contains(all, own) {
			t.Errorf("%q is not there: %s", p, all)
		}
		for j, q := range pairs {
			if other := fmt.Sprintf("Secret number %d of", j); q[0] != p[0] && strings.Contains(all, other) {
				t.Errorf("space %q shows what %q said", p[0], q)
			}
		}
		s.chat("What is the secret number?", "X-Orma-Space", p[0], "X-Orma-Session", "another "+p[1])
		for j, q := range pairs {
			if other := fmt.Sprintf("Secret number %d of", j); q[0] != p[0] && strings.Contains(m.last(), other) {
				t.Errorf("a chat in %q shows what %q said", p[0], q)
			}
		}
	}
}

// TestForeignPagesAndHeavyRequests attacks a server on loopback without tokens, as any
// web page and any program on the machine can.
func TestForeignPagesAndHeavyRequests(t *testing.T) {
	h := newHome(t)
	h.ok("add", "The zanzibar code is 4471.")
	m := newModel(t, nil)
	s := h.serve("--upstream", m.URL)
	const add = `{"text":"planted"}`
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		want                     []int
	}{
		{"a foreign host", "GET", "/_orma/v1/episodes", "", []string{"Host", "evil.test"}, []int{403}},
		{"a foreign host chats", "POST", "/v1/chat/completions", "{}", []string{"Host", "evil.test"}, []int{403}},
		{"a foreign host asks MCP", "POST", "/mcp", "{}", []string{"Host", "evil.test"}, []int{403}},
		{"a foreign host asks for health", "GET", "/readyz", "", []string{"Host", "evil.test:8080"}, []int{403}},
		{"a foreign page", "POST", "/_orma/v1/episodes", add, []string{"Origin", "http://evil.test"}, []int{403}},
		{"a page without a name", "POST", "/_orma/v1/episodes", add, []string{"Origin", "null"}, []int{403}},
		{"a foreign page asks MCP", "POST", "/mcp", "{}", []string{"Origin", "http://evil.test"}, []int{403}},
		{"a foreign page chats", "POST", "/api/chat", "{}", []string{"Origin", "https://evil.test"}, []int{403}},
		{"a simple POST", "POST", "/_orma/v1/episodes", add, []string{"Content-Type", "text/plain"}, []int{400, 415}},
		{"a form", "POST", "/_orma/v1/episodes", add, []string{"Content-Type", "application/x-www-form-urlencoded"}, []int{400, 415}},
		{"a preflight", "OPTIONS", "/_orma/v1/episodes", "", []string{"Origin", "http://evil.test", "Access-Control-Request-Method", "POST"}, []int{403}},
		{"a GET that would write", "GET", "/_orma/v1/episodes/1?_method=DELETE", "", nil, []int{400}},
		{"an override", "GET", "/_orma/v1/episodes/1", "", []string{"X-HTTP-Method-Override", "DELETE"}, []int{200}},
		{"deep JSON", "POST", "/_orma/v1/recall", strings.Repeat(`{"query":`, 20_000) + "1" + strings.Repeat("}", 20_000), nil, []int{400}},
		{"deep lists", "POST", "/_orma/v1/context", `{"messages":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", nil, []int{400}},
		{"deep JSON to MCP", "POST", "/mcp", strings.Repeat("[", 100_000), []string{"Accept", "application/json, text/event-stream"}, []int{400}},
		{"a large body", "POST", "/_orma/v1/episodes", `{"text":"` + strings.Repeat("x", 80<<20) + `"}`, nil, []int{413}},
		{"a large number", "POST", "/_orma/v1/recall", `{"query":"x","budget":` + strings.Repeat("9", 1000) + `}`, nil, []int{400}},
		{"bytes that are no text", "POST", "/_orma/v1/episodes", "{\"text\":\"\xff\xfe\"}", nil, []int{400}},
		{"a mark at the start", "POST", "/_orma/v1/episodes", "\ufeff" + add, nil, []int{400}},
		{"two values", "POST", "/_orma/v1/episodes", add + add, nil, []int{400}},
		{"a long query", "GET", "/_orma/v1/recall?query=" + strings.Repeat("x", 70<<10), "", nil, []int{431}},
		{"the parent of the API", "GET", "/v1/../_orma/v1/episodes", "", nil, []int{404}},
		{"an encoded parent", "GET", "/v1/%2e%2e/_orma/v1/episodes", "", nil, []int{404}},
		{"a doubled slash", "GET", "//_orma/v1/episodes", "", nil, []int{404}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := s.do(c.method, c.path, c.body, c.headers...)
			if err != nil && !strings.Contains(c.name, "large body") { // it may be told before all is sent
				t.Fatal(err)
			}
			if err == nil && !slices.Contains(c.want, a.status) {
				t.Errorf("%d %.300s, want %d", a.status, a.body, c.want)
			}
			for k := range a.header {
				if strings.HasPrefix(k, "Access-Control") {
					t.Errorf("%s is sent", k)
				}
			}
			if strings.Contains(a.body, "4471") && c.want[0] != 200 {
				t.Errorf("it shows what is remembered: %s", a.body)
			}
		})
	}
	if got := s.episodes("default"); len(got) != 1 {
		t.Errorf("something was planted or erased: %q", got)
	}
	t.Run("slow clients", func(t *testing.T) {
		var wait sync.WaitGroup
		for range 100 {
			c, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			wait.Go(func() {
				defer c.Close()
				_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ")
				_, _ = io.ReadAll(c) // until the server has had enough
			})
		}
		if a := s.ask("GET", "/healthz", ""); a.status != 200 {
			t.Errorf("others are not answered meanwhile: %d", a.status)
		}
		wait.Wait()
	})
}
