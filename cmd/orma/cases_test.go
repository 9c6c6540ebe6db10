package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/cli"
)

// behaviour is a small end-to-end case of ../testdata/cases: a short history goes in,
// sleep runs, a question is asked, and the block and the fact table are judged.
type behaviour struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Why   string `json:"why"`
	Needs string `json:"needs"` // none, rules or scripted
	Now   string `json:"now"`
	TZ    string `json:"tz"`
	Space string `json:"space"`

	Episodes []map[string]any `json:"episodes"`
	Later    []map[string]any `json:"later"` // fed before a second sleep
	Forget   []map[string]any `json:"forget"`

	Extraction map[string][]map[string]any `json:"extraction"` // what the model answers
	Raw        *string                     `json:"raw"`
	HTTPStatus int                         `json:"http_status"`

	Query          any              `json:"query"`
	Expect         expectation      `json:"expect"`
	Facts          []map[string]any `json:"facts"`
	NoFacts        []map[string]any `json:"no_facts"`
	MaxActiveFacts *int             `json:"max_active_facts"`
}

// TestCases drives the command line as a user would.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "cases", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []behaviour
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&cases); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range cases {
			if seen[c.ID] {
				t.Fatalf("two cases are called %s", c.ID)
			}
			seen[c.ID] = true
			t.Run(c.Kind+"/"+c.ID, func(t *testing.T) {
				t.Parallel()
				c.play(t)
			})
		}
	}
}

// user runs commands in a home of their own.
type user struct {
	t    *testing.T
	home string
}

func (u *user) orma(space string, mayFail bool, args ...string) []byte {
	u.t.Helper()
	if space != "default" {
		args = append([]string{"--space", space}, args...)
	}
	var out, errs bytes.Buffer
	code := cli.Main(context.Background(), cli.Process{
		Args: append([]string{"--db", filepath.Join(u.home, "case.db")}, args...), Env: []string{"HOME=" + u.home, "ORMA_HOME=" + u.home, "TZ=UTC"},
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Now: time.Now,
	})
	if code != 0 && !mayFail {
		u.t.Fatalf("orma %.300q exited %d: %s", args, code, errs.String())
	}
	return out.Bytes()
}

// feed imports episodes, each into its space, and returns the spaces in order.
func (u *user) feed(episodes []episode) []string {
	u.t.Helper()
	var spaces []string
	lines := map[string]*bytes.Buffer{}
	for _, e := range episodes {
		if lines[e.space] == nil {
			spaces, lines[e.space] = append(spaces, e.space), &bytes.Buffer{}
		}
		row, err := json.Marshal(e.row)
		if err != nil {
			u.t.Fatal(err)
		}
		lines[e.space].Write(append(row, '\n'))
	}
	for _, space := range spaces {
		path := filepath.Join(u.home, "history.jsonl")
		if err := os.WriteFile(path, lines[space].Bytes(), 0o600); err != nil {
			u.t.Fatal(err)
		}
		u.orma(space, false, "import", path)
	}
	return spaces
}

func (u *user) facts(space string) []map[string]any {
	u.t.Helper()
	var out []map[string]any
	if err := json.Unmarshal(u.orma(space, false, "facts", "--history", "--json"), &out); err != nil {
		u.t.Fatal(err)
	}
	return out
}

// play runs a case: feed, sleep, forget, feed and sleep again, ask, judge.
func (c *behaviour) play(t *testing.T) {
	u := &user{t, t.TempDir()}
	space := cmp.Or(c.Space, "default")
	episodes := c.expand(t, c.Episodes)
	again := c.Later != nil || c.Forget != nil
	clock := c.Now
	if again {
		clock = slices.MaxFunc(episodes, func(a, b episode) int { return a.at.Compare(b.at) }).at.Format(time.RFC3339)
	}
	backend := []string{"--backend", "rules"}
	var model *scripted
	if c.Needs == "scripted" {
		model = newScripted(t, c)
		backend = []string{"--backend", "llm", "--upstream", model.url, "--model", "scripted"}
	}
	sleep := func(spaces []string, at string, mayFail bool) {
		for _, s := range spaces {
			if c.Needs != "none" {
				u.orma(s, mayFail, append(append([]string{"sleep"}, backend...), "--now", at, "--json")...)
			}
		}
	}
	spaces := u.feed(episodes)
	sleep(spaces, clock, c.Raw != nil || c.HTTPStatus != 0)
	for _, want := range c.Forget {
		n := 0
		for _, row := range u.facts(space) {
			if row["active"] == true && rowFits(row, want) {
				u.orma(space, false, "forget", strconv.Itoa(int(row["id"].(float64))), "--now", clock)
				n++
			}
		}
		if n == 0 {
			t.Fatalf("nothing to forget: no active fact like %v", want)
		}
	}
	if again {
		if model != nil {
			model.recover()
		}
		more := u.feed(c.expand(t, c.Later))
		for _, s := range more {
			if !slices.Contains(spaces, s) {
				spaces = append(spaces, s)
			}
		}
		sleep(spaces, c.Now, false)
	}
	args := []string{"recall", c.question(), "--now", c.Now, "--json"}
	if c.Expect.MaxTokens > 0 {
		args = append(args, "--budget", strconv.Itoa(c.Expect.MaxTokens))
	}
	var reply struct {
		Block  string
		Tokens int
	}
	if err := json.Unmarshal(u.orma(space, false, args...), &reply); err != nil {
		t.Fatal(err)
	}
	table := u.facts(space)
	c.Expect.judge(t, reply.Block, reply.Tokens)
	c.judgeFacts(t, table)
	if model != nil {
		model.judge()
	}
	if t.Failed() {
		t.Logf("%s\n%s", c.Why, reply.Block)
		for _, row := range table {
			t.Logf("fact %v · %v: %v, condition %q, rule %v, active %v, %v to %v", row["subject"], row["attribute"], row["value"], row["condition"], row["forbidden"], row["active"], row["valid_from"], row["valid_to"])
		}
	}
}

// episode is one line of a history.
type episode struct {
	at    time.Time
	space string
	row   map[string]any
}

// expand writes out entries that stand for many.
func (c *behaviour) expand(t *testing.T, entries []map[string]any) []episode {
	t.Helper()
	var out []episode
	for _, entry := range entries {
		e := map[string]any{"role": "user", "session": "main", "kind": "turn", "tz": cmp.Or(c.TZ, "UTC")}
		for k, v := range entry {
			e[k] = v
		}
		at, err := time.Parse(time.RFC3339, e["at"].(string))
		if err != nil {
			t.Fatal(err)
		}
		space, _ := e["space"].(string)
		space = cmp.Or(space, c.Space, "default")
		texts := []string{fmt.Sprint(e["text"])}
		if e["repeat"] != nil {
			texts = copies(e)
		}
		if join, ok := e["join"].(string); ok {
			texts = []string{strings.Join(append(texts, fmt.Sprint(e["text"])), join)}
		}
		step := time.Minute
		if s, ok := e["every"].(string); ok {
			if step, err = time.ParseDuration(s); err != nil {
				t.Fatal(err)
			}
		}
		for n, text := range texts {
			row := map[string]any{"id": e["id"], "text": text, "at": at.Add(time.Duration(n) * step).Format(time.RFC3339)}
			if len(texts) > 1 {
				row["id"] = fmt.Sprintf("%v-%d", e["id"], n+1)
			}
			for _, k := range []string{"role", "session", "kind", "tz", "ttl"} {
				if e[k] != nil {
					row[k] = e[k]
				}
			}
			out = append(out, episode{at.Add(time.Duration(n) * step), space, row})
		}
	}
	return out
}

// copies are the texts of an entry with "repeat", its templates taken in turn.
func copies(e map[string]any) []string {
	templates, ok := e["template"].([]any)
	if !ok {
		templates = []any{e["template"]}
	}
	out := make([]string, int(e["repeat"].(float64)))
	for n := range out {
		out[n] = strings.ReplaceAll(fmt.Sprint(templates[n%len(templates)]), "{n}", strconv.Itoa(n+1))
	}
	return out
}

func (c *behaviour) question() string {
	if q, ok := c.Query.(map[string]any); ok {
		return strings.Join(copies(q), " ")
	}
	q, _ := c.Query.(string)
	return q
}
