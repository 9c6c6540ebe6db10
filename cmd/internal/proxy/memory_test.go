package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

func TestMemoryGoesIntoTheRequest(t *testing.T) {
	g := newRig(t, says("Sure."))
	g.remember("default", "I keep my bicycle in the cellar.")
	if _, err := g.memory.Forbid(t.Context(), "default", "never mention the tandem", engine.Input{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, body, rules, turn string }{
		{
			"/v1/chat/completions", `{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is my bicycle?"}],"x":1e2}`,
			`{"model":"m","messages":[{"role":"system","content":"## Memory`, `\n\nWhere is my bicycle?"}],"x":1e2}`,
		},
		{"/chat/completions", `{"messages":[{"role":"user","content":"Where is my bicycle?"}]}`, `{"messages":[{"role":"system","content":"## Memory`, `\n\nWhere is my bicycle?"}]}`},
		{"/v1/responses", `{"model":"m","input":"Where is my bicycle?"}`, `{"instructions":"## Memory`, `\n\nWhere is my bicycle?"}`},
		{"/v1/messages", `{"model":"m","messages":[{"role":"user","content":"Where is my bicycle?"}]}`, `{"system":"## Memory`, `\n\nWhere is my bicycle?"}]}`},
		{"/api/chat", `{"model":"m","messages":[{"role":"user","content":"Where is my bicycle?"}]}`, `{"model":"m","messages":[{"role":"system","content":"## Memory`, `\n\nWhere is my bicycle?"}]}`},
	} {
		resp, _ := g.post(c.path, c.body)
		got := g.up.last().body
		if resp.Header.Get(header) != memoryOn || !strings.HasPrefix(got, c.rules) || !strings.HasSuffix(got, c.turn) ||
			!strings.Contains(got, "never mention the tandem") || !strings.Contains(got, "cellar") || !json.Valid([]byte(got)) {
			t.Errorf("%s: %s: %s", c.path, resp.Header.Get(header), got)
		}
		if i, j := strings.Index(got, "never mention"), strings.Index(got, "Be brief."); j >= 0 && i > j {
			t.Errorf("rules do not stand at the top: %s", got)
		}
	}
}

func TestWhatIsRecorded(t *testing.T) {
	g := newRig(t, says("In Ghent."))
	g.chat("Where am I?")
	g.chat("Where am I?", "In Ghent.", "And where is Ghent?")
	g.post("/v1/chat/completions", `{"messages":[{"role":"user","content":"Weather?","name":"Bo"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Ghent\"}"}}]},
		{"role":"tool","tool_call_id":"1","content":"rain"}]}`)
	want := []string{
		"user: Where am I?", "assistant: In Ghent.", "user: And where is Ghent?", "assistant: In Ghent.",
		`tool: weather({"city":"Ghent"}) -> rain`, "assistant: In Ghent.",
	}
	if got := g.recorded("default"); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q\nwant %q", got, want)
	}
	eps := g.episodes("default")
	if eps[0].Session == "" || eps[0].Session != eps[3].Session || eps[4].Session == eps[0].Session {
		t.Errorf("sessions %q, %q, %q", eps[0].Session, eps[3].Session, eps[4].Session)
	}
	if eps[4].Kind != core.KindTool || eps[4].Trust != core.TrustTool || eps[1].Trust != core.TrustAssistant || eps[0].Trust != core.TrustUser || eps[0].Source != source {
		t.Errorf("episodes %+v", eps)
	}
}

func TestTurnsSentAgainAreRecordedOnce(t *testing.T) {
	g := newRig(t, says("Hm."))
	g.chat("I live in Ghent.")
	g.chat("I live in Ghent.")                                                  // a retry
	g.post("/v1/chat/completions", conversationOf("I live in Ghent.", "Do I?")) // the reply was dropped
	g.again()                                                                   // and after a restart
	g.chat("I live in Ghent.", "Hm.", "Yes.")
	g.chat("I live in Ghent.", "Hm.", "Yes.")
	g.chat("I live in Ghent.", "Hm.", "Yes.", "Hm.", "Yes.") // said again, elsewhere
	want := []string{"user: I live in Ghent.", "assistant: Hm.", "user: Do I?", "assistant: Hm.", "user: Yes.", "assistant: Hm.", "user: Yes.", "assistant: Hm."}
	if got := g.recorded("default"); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q\nwant %q", got, want)
	}
}

// conversationOf has turns of the user only.
func conversationOf(turns ...string) string {
	var ms []map[string]string
	for _, t := range turns {
		ms = append(ms, map[string]string{"role": "user", "content": t})
	}
	b, _ := json.Marshal(map[string]any{"messages": ms})
	return string(b)
}

func TestTheSameGreetingAnotherDayIsAnotherConversation(t *testing.T) {
	g := newRig(t, says("Hello."))
	g.chat("Good morning!")
	g.clock.add(24 * time.Hour)
	g.chat("Good morning!")
	g.chat("Good morning!", "Hello.", "What is new?")
	g.settle()
	eps := g.episodes("default")
	if len(eps) != 6 || eps[0].Session == eps[2].Session || eps[2].Session != eps[4].Session {
		for _, e := range eps {
			t.Logf("%s %s %s", e.Session, e.Role, e.Text)
		}
		t.Errorf("%d episodes", len(eps))
	}
}

func TestLongResultsAndTurns(t *testing.T) {
	g := newRig(t, says("ok"), func(o *Options) { o.Limits.EpisodeBytes, o.Settings.ToolChars = 1000, 100 })
	long := strings.Repeat("A line of a long paste.\n", 100)
	result, _ := json.Marshal(strings.Repeat("é", 500))
	g.post("/v1/chat/completions", `{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":`+string(result)+`}]}`)
	g.chat(long)
	got := g.recorded("default")
	if want := "tool: f({}) -> " + strings.Repeat("é", 50) + "\n[… 400 characters left out …]\n" + strings.Repeat("é", 50); got[0] != want {
		t.Errorf("tool result %q", got[0])
	}
	var whole strings.Builder
	for _, turn := range got[2 : len(got)-1] {
		whole.WriteString(strings.TrimPrefix(turn, "user: "))
	}
	if whole.String() != long || len(got) < 5 {
		t.Errorf("%d episodes hold %d of %d bytes", len(got), whole.Len(), len(long))
	}
}

func TestSkipSpaceAndRights(t *testing.T) {
	for _, c := range []struct {
		name    string
		who     access.Principal
		headers []string
		user    string
		status  int
		memory  string
		space   string // where it is recorded; empty: nowhere
	}{
		{"nothing said", access.Local(), nil, "", 200, memoryNothing, "default"},
		{"a header", access.Local(), []string{"X-Orma-Space", "work"}, "home", 200, memoryOn, "work"},
		{"a user", access.Local(), nil, "work", 200, memoryOn, "work"},
		{"skipped", access.Local(), []string{"X-Orma-Skip", "1", "X-Orma-Space", "work"}, "", 200, memorySkipped, ""},
		{"skipped in words", access.Local(), []string{"X-Orma-Skip", "True"}, "work", 200, memorySkipped, ""},
		{"not skipped", access.Local(), []string{"X-Orma-Skip", "false"}, "work", 200, memoryOn, "work"},
		{"not skipped by 0", access.Local(), []string{"X-Orma-Skip", "0"}, "work", 200, memoryOn, "work"},
		{"not skipped by nothing", access.Local(), []string{"X-Orma-Skip", ""}, "work", 200, memoryOn, "work"},
		{"a token's space", access.Principal{Token: "t", Right: core.RightWrite, Spaces: []string{"work"}}, nil, "home", 200, memoryOn, "work"},
		{"another space", access.Principal{Token: "t", Right: core.RightWrite, Spaces: []string{"home"}}, []string{"X-Orma-Space", "work"}, "", 403, "", ""},
		{"another space, skipped", access.Principal{Token: "t", Right: core.RightWrite, Spaces: []string{"home"}}, []string{"X-Orma-Space", "work", "X-Orma-Skip", "1"}, "", 403, "", ""},
		{"another space in the body", access.Principal{Token: "t", Right: core.RightWrite, Spaces: []string{"home", "default"}}, nil, "work", 403, "", ""},
		{"a token to read", access.Principal{Token: "t", Right: core.RightRead, Spaces: []string{"work"}}, nil, "", 200, memoryOn, ""},
		{"no valid name", access.Local(), []string{"X-Orma-Space", "a\u200bb"}, "", 200, memoryOff + "; space name not valid", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newRig(t, says("ok"))
			g.remember("work", "The archive is behind the green door.")
			before := len(g.episodes("work"))
			g.who = c.who
			resp, body := g.post("/v1/chat/completions", fmt.Sprintf(`{"user":%q,"messages":[{"role":"user","content":"Where is the archive?"}]}`, c.user), c.headers...)
			if resp.StatusCode != c.status || resp.Header.Get(header) != c.memory {
				t.Errorf("%d %q: %s, want %d %q", resp.StatusCode, resp.Header.Get(header), body, c.status, c.memory)
			}
			if c.status == 403 && len(g.up.seen) > 0 {
				t.Error("a refused request went on")
			}
			if has := strings.Contains(g.up.last().body, "green door"); has != (c.memory == memoryOn) {
				t.Errorf("upstream saw %s", g.up.last().body)
			}
			g.settle()
			for _, space := range []string{"default", "work", "home"} {
				n := len(g.episodes(space))
				if space == "work" {
					n -= before
				}
				if (n > 0) != (space == c.space) {
					t.Errorf("%d turns recorded in %s, want them in %q", n, space, c.space)
				}
			}
		})
	}
}

// TestPromptCacheStaysWarm holds ten turns and looks at how much of each request the
// next one begins with.
func TestPromptCacheStaysWarm(t *testing.T) {
	for _, system := range []string{"", "You are a careful assistant. " + strings.Repeat("Keep to the point. ", 20)} {
		g := newRig(t, says("Let me think about that for a moment."))
		g.remember("default", "I keep my bicycle in the cellar.", "My sister plays the cello.", "The heating was fixed in March.", "I am allergic to walnuts.", "We moved to Ghent in 2019.")
		if _, err := g.memory.Forbid(t.Context(), "default", "never suggest walnuts", engine.Input{}); err != nil {
			t.Fatal(err)
		}
		questions := []string{"hello", "Where is my bicycle?", "What does my sister play?", "???", "When was the heating fixed?", "Can I eat this cake?", "Where do I live?", "Tell me a joke.", "And the bicycle?", "bye"}
		var said []string
		before := ""
		for i, q := range questions {
			said = append(said, q)
			body := conversation(said...)
			if system != "" {
				body = strings.Replace(body, `"messages":[`, fmt.Sprintf(`"messages":[{"role":"system","content":%q},`, system), 1)
			}
			g.post("/v1/chat/completions", body)
			now := g.up.last().body
			if before != "" {
				common := 0
				for common < len(before) && common < len(now) && before[common] == now[common] {
					common++
				}
				upTo := strings.LastIndex(before, `{"role":"user"`)
				if float64(common) < 0.95*float64(upTo) {
					t.Errorf("turn %d: %d of %d bytes are the same\n%s\n%s", i, common, upTo, before, now)
				}
			}
			before = now
			said = append(said, "Let me think about that for a moment.")
		}
	}
}

// TestToolLoopKeepsItsTurn checks that what was put before a question stays byte for
// byte while tools answer, whatever is recorded meanwhile.
func TestToolLoopKeepsItsTurn(t *testing.T) {
	g := newRig(t, says(""))
	g.remember("default", "The boiler was made by Vaillant.")
	const question = `{"role":"user","content":"Who made the boiler?"}`
	calls := ""
	first := ""
	for i := range 4 {
		g.post("/v1/chat/completions", `{"messages":[`+question+calls+`]}`)
		got := g.up.last().body
		if !strings.Contains(got, "Vaillant") {
			t.Fatalf("no memory: %s", got)
		}
		if i == 0 {
			first = strings.TrimSuffix(got, "]}")
		} else if !strings.HasPrefix(got, first) {
			t.Errorf("step %d\n%s\ndoes not begin with\n%s", i, got, first)
		}
		calls += fmt.Sprintf(`,{"role":"assistant","tool_calls":[{"id":"%d","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"%d","content":"The boiler says %d."}`, i, i, i)
		g.remember("default", fmt.Sprintf("The boiler was serviced %d times.", i))
		g.clock.add(24 * time.Hour)
	}
	// A new question has its own.
	g.post("/v1/chat/completions", `{"messages":[`+question+calls+`,{"role":"assistant","content":"Vaillant."},{"role":"user","content":"How often was the boiler serviced?"}]}`)
	if got := g.up.last().body; !strings.Contains(got, "serviced 2 times") {
		t.Errorf("upstream saw %s", got)
	}
}

func TestRepliesOfClientsThatLeave(t *testing.T) {
	more := make(chan struct{})
	g := newRig(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The first half\"}}]}\n\n")
		http.NewResponseController(w).Flush()
		<-r.Context().Done() // the proxy tells the upstream
		close(more)
	})
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "POST", g.url+"/v1/chat/completions", strings.NewReader(conversation("Tell me all.")))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	leave()
	resp.Body.Close()
	<-more
	want := []string{"user: Tell me all.", "assistant: The first half"}
	if got := g.recorded("default"); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
}

func TestResponsesThatContinue(t *testing.T) {
	n := 0
	g := newRig(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		_, _ = fmt.Fprintf(w, `{"id":"resp_%d","output":[{"type":"message","content":[{"type":"output_text","text":"Answer %d."}]}]}`, n, n)
	})
	g.post("/v1/responses", `{"input":"first"}`)
	g.post("/v1/responses", `{"input":"second","previous_response_id":"resp_1"}`)
	g.post("/v1/responses", `{"input":[{"role":"user","content":[{"type":"input_text","text":"third"}]}],"previous_response_id":"resp_2"}`)
	g.post("/v1/responses", `{"input":"second"}`)
	got := g.recorded("default")
	want := []string{"user: first", "assistant: Answer 1.", "user: second", "assistant: Answer 2.", "user: third", "assistant: Answer 3.", "user: second", "assistant: Answer 4."}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %q\nwant %q", got, want)
	}
	eps := g.episodes("default")
	if eps[0].Session != eps[2].Session || eps[2].Session != eps[4].Session || eps[6].Session == eps[0].Session {
		t.Errorf("sessions %q %q %q %q", eps[0].Session, eps[2].Session, eps[4].Session, eps[6].Session)
	}
}

func TestUsesAreCountedOnceATurn(t *testing.T) {
	g := newRig(t, says(""))
	g.remember("default", "The alarm code is written in the blue book.")
	stats := func() int {
		s, err := g.memory.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.Spaces[0].Uses
	}
	g.post("/v1/chat/completions", `{"messages":[{"role":"user","content":"Where is the alarm code?"}]}`)
	g.post("/v1/chat/completions", `{"messages":[{"role":"user","content":"Where is the alarm code?"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"x"}]}`)
	g.settle()
	if n := stats(); n != 1 {
		t.Errorf("%d uses, want 1", n)
	}
}
