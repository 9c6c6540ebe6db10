package sleep_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/text"
)

// behaviour is one of the shared end-to-end cases; the part that this package can
// judge without the engine: what stands in the fact table.
type behaviour struct {
	ID, Kind, Why, Needs string
	Now                  time.Time
	TZ, Space            string
	Episodes, Later      []map[string]any
	Extraction           map[string][]map[string]any
	Raw                  *string
	HTTPStatus           int `json:"http_status"`
	Forget               []map[string]any
	Facts                []map[string]any
	NoFacts              []map[string]any `json:"no_facts"`
	MaxActiveFacts       *int             `json:"max_active_facts"`
	Expect               struct{ Contains []any }
}

func cases(t *testing.T) []behaviour {
	t.Helper()
	dir := os.Getenv("ORMA_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	b, err := os.ReadFile(filepath.Join(dir, "eval", "cases.json"))
	if err != nil {
		t.Skip("the shared cases are not here: " + err.Error())
	}
	var out []behaviour
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCasesRules(t *testing.T) {
	for _, c := range cases(t) {
		if c.Needs != "rules" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			w := newWorld(t, nil)
			play(t, w, c, "rules")
			judge(t, w, c)
		})
	}
}

func (c *behaviour) space() string {
	if c.Space == "" {
		return core.DefaultSpace
	}
	return c.Space
}

// play feeds the case, sleeps, forgets and sleeps again.
func play(t *testing.T, w *world, c behaviour, backend string) {
	t.Helper()
	spaces := feed(t, w, c, c.Episodes)
	again := c.Later != nil || c.Forget != nil
	at := c.Now
	if again {
		at = time.Time{}
		for _, e := range expand(t, c.Episodes) {
			if e.At.After(at) {
				at = e.At
			}
		}
	}
	for _, s := range spaces {
		rep, err := w.consolidate(s, backend, at)
		if err != nil && c.Raw == nil && c.HTTPStatus == 0 {
			t.Fatalf("sleep: %v", err)
		}
		for _, r := range rep.Rejected {
			t.Logf("rejected %s %s=%s cond=%q: %s (%s)", r.Subject, r.Attribute, r.Value, r.Condition, r.Reason, r.Detail)
		}
	}
	for _, want := range c.Forget {
		for _, s := range w.states(c.space()) {
			if s.Active(at) && matches(s, want) {
				w.forget(c.space(), at, s)
			}
		}
	}
	if again {
		if w.between != nil {
			w.between()
		}
		spaces = append(spaces, feed(t, w, c, c.Later)...)
		slices.Sort(spaces)
		for _, s := range slices.Compact(spaces) {
			if _, err := w.consolidate(s, backend, c.Now); err != nil {
				t.Fatalf("second sleep: %v", err)
			}
		}
	}
}

type fed struct {
	core.Episode
	space string
}

func feed(t *testing.T, w *world, c behaviour, entries []map[string]any) []string {
	var spaces []string
	for _, e := range expand(t, entries) {
		if e.space == "" {
			e.space = c.space()
		}
		if e.Zone == "" {
			e.Zone = c.TZ
		}
		w.say(e.space, e.Episode)
		if !slices.Contains(spaces, e.space) {
			spaces = append(spaces, e.space)
		}
	}
	return spaces
}

func expand(t *testing.T, entries []map[string]any) []fed {
	var out []fed
	str := func(v any) string { s, _ := v.(string); return s }
	for _, m := range entries {
		at, err := time.Parse(time.RFC3339, str(m["at"]))
		if err != nil {
			t.Fatal(err)
		}
		e := fed{space: str(m["space"])}
		e.Role, e.Kind, e.Session, e.Zone, e.At = core.Role(str(m["role"])), core.Kind(str(m["kind"])), str(m["session"]), str(m["tz"]), at
		if e.Session == "" {
			e.Session = "main"
		}
		if m["repeat"] == nil {
			e.Text = str(m["text"])
			out = append(out, e)
			continue
		}
		var templates []string
		switch v := m["template"].(type) {
		case string:
			templates = []string{v}
		case []any:
			for _, x := range v {
				templates = append(templates, str(x))
			}
		}
		every := time.Minute
		if s := str(m["every"]); s != "" {
			if d, err := time.ParseDuration(strings.Replace(s, "d", "h", 1)); err == nil {
				every = d
			}
		}
		for n := range int(m["repeat"].(float64)) {
			x := e
			x.Text = strings.ReplaceAll(templates[n%len(templates)], "{n}", fmt.Sprint(n+1))
			x.At = at.Add(time.Duration(n) * every)
			out = append(out, x)
		}
	}
	return out
}

func judge(t *testing.T, w *world, c behaviour) {
	t.Helper()
	table := w.states(c.space())
	show := func() {
		for _, s := range table {
			t.Logf("  %s · %s: %q cond=%q forbidden=%v %s–%s closed=%v by=%d", s.Subject, s.Attribute, s.Value, s.Condition, s.Forbidden, s.ValidFrom, s.ValidTo, !s.Closed.IsZero(), s.SupersededBy)
		}
	}
	for _, want := range c.Facts {
		if !slices.ContainsFunc(table, func(s core.State) bool { return matches(s, want) }) {
			t.Errorf("no fact like %v", want)
		}
	}
	for _, want := range c.NoFacts {
		for _, s := range table {
			if matches(s, want) {
				t.Errorf("there must be no fact like %v", want)
			}
		}
	}
	active := 0
	for _, s := range table {
		if s.Active(c.Now) {
			active++
		}
		if len(s.Sources) == 0 {
			t.Errorf("%s has no source", s.Value)
		}
	}
	if c.MaxActiveFacts != nil && active > *c.MaxActiveFacts {
		t.Errorf("%d active facts, at most %d", active, *c.MaxActiveFacts)
	}
	if t.Failed() {
		t.Log(c.Why)
		show()
	}
}

func matches(s core.State, want map[string]any) bool {
	for k, v := range want {
		if !fits(s, k, v) {
			return false
		}
	}
	return true
}

func fits(s core.State, key string, want any) bool {
	if l, ok := want.([]any); ok {
		return slices.ContainsFunc(l, func(x any) bool { return fits(s, key, x) })
	}
	switch key {
	case "active":
		return s.Active(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)) == want || s.Closed.IsZero() == want
	case "forbidden":
		return s.Forbidden == want
	case "valid_from":
		return s.ValidFrom == want
	case "valid_to":
		return s.ValidTo == want
	}
	got := map[string]string{"subject": s.Subject, "attribute": s.Attribute, "value": s.Value, "condition": s.Condition}[key]
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(text.NFC(s)), "_", " ") }
	g, x := fold(got), fold(want.(string))
	if key == "subject" {
		if strings.HasPrefix(x, "!") {
			return !fits(s, key, x[1:])
		}
		if x != "user" {
			return regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(x) + `($|[^\pL\pN])`).MatchString(g)
		}
		return g == x
	}
	if x == "" {
		return g == ""
	}
	return strings.Contains(g, x)
}
