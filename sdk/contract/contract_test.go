// Package contract holds the list of calls and answers that the Go API and the clients
// share. This is the Go API's run of it.
package contract

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

var update = flag.Bool("update", false, "write what the Go API gives into contract.json")

// list is contract.json.
type list struct {
	About     string            `json:"about"`
	Volatile  []string          `json:"volatile"`
	Scenarios []scenario        `json:"scenarios"`
	Insert    []json.RawMessage `json:"insert"`
	Shares    []json.RawMessage `json:"shares"` // for clients that start servers

	began time.Time
}

type scenario struct {
	Name  string `json:"name"`
	Steps []step `json:"steps"`
}

// step is a call with what it gives, or with the code that it fails with.
type step struct {
	Call  string          `json:"call"`
	With  json.RawMessage `json:"with"`
	Fails core.Code       `json:"fails,omitempty"`
	Gives json.RawMessage `json:"gives,omitempty"`
}

func load(t *testing.T) *list {
	t.Helper()
	data, err := os.ReadFile("contract.json")
	if err != nil {
		t.Fatal(err)
	}
	l := list{began: time.Now().Truncate(time.Second)} // some answers give whole seconds
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	return &l
}

func TestContract(t *testing.T) {
	l := load(t)
	for i := range l.Scenarios {
		s := &l.Scenarios[i]
		t.Run(s.Name, func(t *testing.T) {
			home := t.TempDir()
			m, err := local.Open(t.Context(), local.Options{
				Home: home, Path: filepath.Join(home, "m.db"), Set: []string{"clock.timezone=UTC"}, Now: time.Now,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for j := range s.Steps {
				runStep(t, l, &caller{m, home}, j, &s.Steps[j])
			}
		})
	}
	if *update {
		write(t, l)
	}
}

func runStep(t *testing.T, l *list, c *caller, j int, st *step) {
	t.Helper()
	out, err := c.call(t.Context(), st.Call, st.With)
	if st.Fails != "" {
		if err == nil || core.CodeOf(err) != st.Fails {
			t.Errorf("step %d, %s %s: %v, want code %s", j+1, st.Call, st.With, err, st.Fails)
		}
		return
	}
	if err != nil {
		t.Fatalf("step %d, %s %s: %v", j+1, st.Call, st.With, err)
	}
	have := l.canonical(t, out)
	if *update {
		st.Gives = have
		return
	}
	var want bytes.Buffer
	if err := json.Compact(&want, st.Gives); err != nil {
		t.Fatalf("step %d has no answer to compare with: %v", j+1, err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Errorf("step %d, %s %s:\n%s\nwant\n%s", j+1, st.Call, st.With, have, want.Bytes())
	}
}

// canonical encodes an answer without what is empty or volatile.
func (l *list) canonical(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var x any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&x); err != nil {
		t.Fatal(err)
	}
	out, _ := l.clean(x)
	return encode(t, out)
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// clean returns a value without what is empty or volatile, and whether it says anything.
func (l *list) clean(x any) (any, bool) {
	switch x := x.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range x {
			if c, ok := l.clean(v); ok && !slices.Contains(l.Volatile, k) {
				out[k] = c
			}
		}
		return out, len(out) > 0
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i], _ = l.clean(x[i])
		}
		return out, len(out) > 0
	case json.Number:
		return x, x != "0"
	case string:
		if at, err := time.Parse(time.RFC3339Nano, x); err == nil && !at.Before(l.began) {
			return nil, false
		}
		return x, x != ""
	case bool:
		return x, x
	}
	return nil, false
}

func write(t *testing.T, l *list) {
	var b bytes.Buffer
	if err := json.Indent(&b, encode(t, l), "", " "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	if err := os.WriteFile("contract.json", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestInsertOfTexts holds engine.Insert to the cases whose messages are texts; those
// with parts and other fields are for clients that take any JSON.
func TestInsertOfTexts(t *testing.T) {
	ran := 0
	for _, raw := range load(t).Insert {
		var c struct {
			Name, Rules, Facts, Turn string
			Messages, Gives          []engine.Message
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if dec.Decode(&c) != nil || bytes.Contains(raw, []byte("null")) || missesContent(raw) {
			continue
		}
		ran++
		have := engine.Insert(c.Messages, &engine.Recalled{Rules: c.Rules, Stable: c.Rules + c.Facts, Turn: c.Turn})
		if !slices.Equal(have, c.Gives) {
			t.Errorf("%s: %q, want %q", c.Name, have, c.Gives)
		}
	}
	if ran < 10 {
		t.Errorf("only %d cases ran", ran)
	}
}

func missesContent(raw []byte) bool {
	var c struct{ Messages []map[string]any }
	if json.Unmarshal(raw, &c) != nil {
		return true
	}
	return slices.ContainsFunc(c.Messages, func(m map[string]any) bool { _, ok := m["content"]; return !ok })
}
