package eval

import (
	"encoding/json"
	"math"
	"testing"
)

func answer(conv, cat string, turn, session Ranking) Answer {
	return Answer{Conversation: conv, Category: cat, Turn: turn, Session: session, Tokens: 100, Millis: 2}
}

func TestSummarise(t *testing.T) {
	s := &Set{File: "x.jsonl", Shape: ShapeLoCoMo, Conversations: make([]Conversation, 2)}
	answers := []Answer{
		answer("a", "one", Ranking{[]string{"t1"}, []string{"t1", "t2"}}, Ranking{[]string{"s1"}, []string{"s1"}}),
		answer("b", "two", Ranking{[]string{"t9", "t3"}, []string{"t3"}}, Ranking{[]string{"s2"}, []string{"s1"}}),
		answer("b", "two", Ranking{[]string{"t9"}, nil}, Ranking{[]string{"s2"}, []string{"s2"}}), // evidence is a session only
	}
	r := Summarise(s, answers)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"turn r@10", r.Turn.R10, 0.75}, {"turn any@10", r.Turn.Any, 1}, {"turn all@10", r.Turn.All, 0.5}, {"turn mrr", r.Turn.MRR, 0.75},
		{"turn n", float64(r.Turn.N), 2}, {"session r@10", r.Session.R10, 2.0 / 3}, {"session n", float64(r.Session.N), 3},
		{"category", r.Categories["two"].Turn, 1}, {"category of sessions", r.Categories["two"].Session, 0.5},
		{"spread", r.Spread["turn_r@10"], math.Sqrt(0.125)}, {"tokens", r.Tokens.Mean, 100}, {"p95", r.Latency.P95, 2},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestReportHasTheAgreedKeys(t *testing.T) {
	s := &Set{Shape: ShapeLoCoMo, Conversations: make([]Conversation, 1)}
	data, err := json.Marshal(Summarise(s, []Answer{answer("a", "multi-hop", Ranking{[]string{"t"}, []string{"t"}}, Ranking{[]string{"s"}, []string{"s"}})}))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for table, keys := range map[string][]string{
		"": {"file", "config_digest", "embedder", "conversations", "questions"}, "turn": {"r@5", "r@10", "r@30", "any@10", "all@10", "ndcg@10", "mrr"},
		"session": {"r@5", "r@10", "any@10", "all@10"}, "tokens": {"mean", "p95"}, "latency_ms": {"p50", "p95", "p99"}, "interval95": {"turn_r@10", "session_r@10"},
	} {
		m := got
		if table != "" {
			m, _ = got[table].(map[string]any)
		}
		for _, k := range keys {
			if _, ok := m[k]; !ok {
				t.Errorf("no %q in %q: %s", k, table, data)
			}
		}
	}
	c := got["categories"].(map[string]any)["multi-hop"].(map[string]any)
	if c["n"] != 1.0 || c["turn_r@10"] != 1.0 || c["session_r@10"] != 1.0 {
		t.Errorf("category %v", c)
	}
	if lo := got["interval95"].(map[string]any)["turn_r@10"].([]any); len(lo) != 2 {
		t.Errorf("interval %v", lo)
	}
}

func TestSummariseOfNothing(t *testing.T) {
	r := Summarise(&Set{}, nil)
	if _, err := json.Marshal(r); err != nil { // NaN cannot be written
		t.Error(err)
	}
}

func TestCompare(t *testing.T) {
	good := Ranking{[]string{"t"}, []string{"t"}}
	bad := Ranking{nil, []string{"t"}}
	whole := []Answer{answer("a", "", good, good), answer("a", "", good, good), answer("a", "", Ranking{}, good)}
	less := []Answer{answer("a", "", good, good), answer("a", "", bad, good), answer("a", "", Ranking{}, good)}
	c, err := Compare("without x", whole, less)
	if err != nil {
		t.Fatal(err)
	}
	if !near(c.Turn, 0.5) || !near(c.TurnDiff, -0.5) || c.SessionDiff != 0 || c.TurnDiff95[0] != -1 || c.TurnDiff95[1] != 0 {
		t.Errorf("%+v", c)
	}
	if _, err := Compare("x", whole, less[:1]); err == nil {
		t.Error("answers of another number were compared")
	}
}
