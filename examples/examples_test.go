// Package examples_test checks the data that ships with the project against the engine.
package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/eval"
	"github.com/orma-memory/orma/core/history"
	"github.com/orma-memory/orma/core/local"
	"github.com/orma-memory/orma/core/sleep"
)

var update = flag.Bool("update", false, "rewrite eval.jsonl")

// now is when the questions are asked.
var now = time.Date(2026, 8, 19, 10, 0, 0, 0, time.UTC)

// question is an element of questions.json.
type question struct {
	ID       string   `json:"id"`
	Text     string   `json:"text"`
	Evidence []string `json:"evidence"`
	Fact     *fact    `json:"fact"`
}

// fact is what must be true at the end. An empty Value asks for nothing.
type fact struct {
	Subject   string   `json:"subject"`
	Attribute string   `json:"attribute"`
	Value     string   `json:"value"`
	Condition string   `json:"condition"`
	Not       []string `json:"not"` // values that must not be true any more
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func questions(t *testing.T) []question {
	t.Helper()
	var qs []question
	if err := json.Unmarshal(read(t, "questions.json"), &qs); err != nil {
		t.Fatal(err)
	}
	return qs
}

// TestEvalFile holds eval.jsonl to the history and the questions.
func TestEvalFile(t *testing.T) {
	conversation := struct {
		ID        string            `json:"id"`
		Now       time.Time         `json:"now"`
		Speakers  []string          `json:"speakers"`
		Turns     []json.RawMessage `json:"turns"`
		Questions json.RawMessage   `json:"questions"`
	}{ID: "anju", Now: now, Speakers: []string{"user", "assistant"}, Questions: read(t, "questions.json")}
	for _, line := range bytes.Split(bytes.TrimSpace(read(t, "history.jsonl")), []byte("\n")) {
		conversation.Turns = append(conversation.Turns, line)
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(conversation); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("eval.jsonl", want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(read(t, "eval.jsonl"), want.Bytes()) {
		t.Error("eval.jsonl is not what history.jsonl and questions.json give: go test ./examples -update")
	}
	if _, err := eval.Load("eval.jsonl"); err != nil {
		t.Error(err)
	}
}

// lived is a memory with the history in it, after a sleep by rules.
func lived(t *testing.T) *local.Memory {
	t.Helper()
	dir := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: dir, Path: filepath.Join(dir, "m.db"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	sum, err := history.Import(t.Context(), m.Engine, bytes.NewReader(read(t, "history.jsonl")), history.Options{
		Name: "history.jsonl", Bad: func(place string, err error) { t.Errorf("%s: %v", place, err) },
	})
	if err != nil || sum.Added != sum.Rows {
		t.Fatalf("%v %+v", err, sum)
	}
	s, err := m.Sleeper(local.SleepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sleep(context.WithoutCancel(t.Context()), sleep.Run{Space: core.DefaultSpace, Backend: "rules"}); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestQuestions(t *testing.T) {
	m := lived(t)
	facts, err := m.Facts(t.Context(), engine.FactsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var all []eval.Ranking
	for _, q := range questions(t) {
		found, err := m.Search(t.Context(), engine.Request{Query: q.Text, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		r := eval.Ranking{Evidence: q.Evidence}
		seen := map[string]bool{}
		for _, p := range found.Passages {
			if !seen[p.Key] {
				seen[p.Key] = true
				r.Keys = append(r.Keys, p.Key)
			}
		}
		if got := r.RecallAt(10); got < 1 {
			t.Logf("%s %s: %.2f", q.ID, q.Text, got)
		}
		all = append(all, r)
		if q.Fact != nil {
			check(t, q, facts)
		}
	}
	got := eval.Mean(all, func(r eval.Ranking) float64 { return r.RecallAt(10) })
	t.Logf("recall@10 %.3f over %d questions", got, len(all))
	if got < 0.9 {
		t.Errorf("recall@10 is %.3f, want 0.9", got)
	}
}

// check looks for a question's fact among those that are true.
func check(t *testing.T, q question, facts []engine.Fact) {
	t.Helper()
	has := func(value, condition string) bool {
		for _, f := range facts {
			attr := strings.ReplaceAll(f.Attribute, "_", " ")
			if strings.Contains(f.Subject, q.Fact.Subject) && strings.Contains(attr, q.Fact.Attribute) &&
				strings.Contains(f.Value, value) && strings.Contains(f.Condition, condition) {
				return true
			}
		}
		return false
	}
	if v := q.Fact.Value; v != "" && !has(v, q.Fact.Condition) {
		t.Errorf("%s: %s · %s is not %q (if %q)", q.ID, q.Fact.Subject, q.Fact.Attribute, v, q.Fact.Condition)
	}
	for _, v := range q.Fact.Not {
		if has(v, "") {
			t.Errorf("%s: %s · %s is still %q", q.ID, q.Fact.Subject, q.Fact.Attribute, v)
		}
	}
}

// The notes are found, and importing the folder again adds nothing.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: dir, Path: filepath.Join(dir, "m.db"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for again := range 2 {
		sum, err := history.ImportFolder(t.Context(), m.Engine, os.DirFS("notes"), history.Options{Name: "notes"})
		if err != nil || sum.Bad > 0 || again == 0 && sum.Added != 5 || again == 1 && sum.Added != 0 {
			t.Fatalf("%v %+v", err, sum)
		}
	}
	for q, want := range map[string]string{
		"which station sends fathoms": "tide-stations.md", "Wie heißt unser Boot?": "rudern.md", "how long does ginger simmer": "recipes.md",
		"which extension did pg_upgrade complain about": "postgres-upgrade.md",
	} {
		found, err := m.Search(t.Context(), engine.Request{Query: q})
		if err != nil || len(found.Passages) == 0 || !strings.HasPrefix(found.Passages[0].Key, want) {
			t.Errorf("%q: %v %+v, want %s first", q, err, found.Passages, want)
		}
	}
}
