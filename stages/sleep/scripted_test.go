package sleep_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	sl "github.com/orma-memory/orma/core/sleep"
	"github.com/orma-memory/orma/core/sleep/llm"
)

// model is a stand-in for a local model: it replays a case's answer.
type model struct {
	mu         sync.Mutex
	extraction map[string][]map[string]any
	raw        *string
	status     int
	complaints []string
}

var promptLine = regexp.MustCompile(`(?m)^\s*\[(s\d+)\]\s*(.*)$`)

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var req struct {
		Messages []struct{ Content string }
		Format   struct {
			Type   string
			Schema struct{ Strict bool } `json:"json_schema"`
		} `json:"response_format"`
		Stream bool
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		m.complaints = append(m.complaints, err.Error())
	}
	if req.Format.Type != "json_schema" || !req.Format.Schema.Strict || req.Stream {
		m.complaints = append(m.complaints, "the request lacks a strict schema, or asks for a stream")
	}
	w.Header().Set("Content-Type", "application/json")
	if m.status != 0 && m.status != 200 {
		w.WriteHeader(m.status)
		_, _ = w.Write([]byte(`{"error":{"message":"scripted failure"}}`))
		return
	}
	var text []string
	for _, x := range req.Messages {
		text = append(text, x.Content)
	}
	doc, _ := json.Marshal(m.fill(promptLine.FindAllStringSubmatch(strings.Join(text, "\n"), -1)))
	content := string(doc)
	if m.raw != nil {
		content = strings.ReplaceAll(*m.raw, "<json>", content)
	}
	body, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": content}}}})
	_, _ = w.Write(body)
}

// fill turns quotes into the marks of the lines that hold them.
func (m *model) fill(lines [][]string) map[string]any {
	doc := map[string]any{}
	for group, items := range m.extraction {
		out := []any{}
	next:
		for _, it := range items {
			filled := map[string]any{}
			for k, v := range it {
				if k != "quotes" {
					filled[k] = v
				}
			}
			if q, ok := it["quotes"].([]any); ok {
				var cites []string
				for _, quote := range q {
					n := len(cites)
					for _, l := range lines {
						if strings.Contains(l[2], quote.(string)) {
							cites = append(cites, l[1])
						}
					}
					if len(cites) == n {
						continue next
					}
				}
				filled["cites"] = cites
			}
			out = append(out, filled)
		}
		doc[group] = out
	}
	return doc
}

func TestCasesScripted(t *testing.T) {
	for _, c := range cases(t) {
		if c.Needs != "scripted" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			m := &model{extraction: c.Extraction, raw: c.Raw, status: c.HTTPStatus}
			srv := httptest.NewServer(m)
			defer srv.Close()
			x, err := llm.New(llm.Options{Upstream: srv.URL, Model: "scripted", Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(t, map[string]sl.Extractor{"llm": x})
			if c.Later != nil || c.Forget != nil {
				// From the second sleep on the model is well again.
				w.between = func() { m.mu.Lock(); m.raw, m.status = nil, 200; m.mu.Unlock() }
			}
			play(t, w, c, "llm")
			judge(t, w, c)
			judgeEvents(t, w, c)
			for _, s := range m.complaints {
				t.Error(s)
			}
		})
	}
}

// judgeEvents looks for the days that the block must show.
func judgeEvents(t *testing.T, w *world, c behaviour) {
	t.Helper()
	day := regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	events, err := w.store.Events(t.Context(), c.space(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range c.Expect.Contains {
		d, ok := want.(string)
		if !ok || !day.MatchString(d) || len(c.Extraction["events"]) == 0 {
			continue
		}
		found := false
		for _, e := range events {
			found = found || e.Start == d || e.End == d
		}
		if !found {
			t.Errorf("no event on %s: %+v", d, events)
		}
	}
}
