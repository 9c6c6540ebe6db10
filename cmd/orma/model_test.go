package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scripted is a stand-in for a local model: it answers with the items of a case whose
// quoted lines stand in the prompt.
type scripted struct {
	t   *testing.T
	url string

	mu         sync.Mutex
	extraction map[string][]map[string]any
	raw        *string
	status     int
	requests   int
	complaints []string
}

func newScripted(t *testing.T, c *behaviour) *scripted {
	m := &scripted{t: t, extraction: c.Extraction, raw: c.Raw, status: c.HTTPStatus}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

// recover makes the model answer properly from now on.
func (m *scripted) recover() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.raw, m.status = nil, 0
}

func (m *scripted) judge() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requests == 0 {
		m.t.Error("sleep never asked the model")
	}
	slices.Sort(m.complaints)
	for _, s := range slices.Compact(m.complaints) {
		m.t.Error(s)
	}
}

var promptLine = regexp.MustCompile(`(?m)^\s*\[(s\d+)\]\s*(.*)$`)

func (m *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"scripted","object":"model"}]}`)
		return
	}
	m.requests++
	var req struct {
		Messages []struct{ Content string } `json:"messages"`
		Format   struct {
			Type   string                `json:"type"`
			Schema struct{ Strict bool } `json:"json_schema"`
		} `json:"response_format"`
		Stream bool `json:"stream"`
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		m.complaints = append(m.complaints, "unreadable request: "+err.Error())
	}
	if req.Format.Type != "json_schema" || !req.Format.Schema.Strict || req.Stream {
		m.complaints = append(m.complaints, "a request lacks a strict schema, or asks for a stream")
	}
	if m.status != 0 {
		w.WriteHeader(m.status)
		fmt.Fprint(w, `{"error":{"message":"scripted failure"}}`)
		return
	}
	var prompt strings.Builder
	for _, msg := range req.Messages {
		prompt.WriteString(msg.Content + "\n")
	}
	content := m.fill(promptLine.FindAllStringSubmatch(prompt.String(), -1))
	if m.raw != nil {
		content = strings.ReplaceAll(*m.raw, "<json>", content)
	}
	err := json.NewEncoder(w).Encode(map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}},
	})
	if err != nil {
		m.complaints = append(m.complaints, err.Error())
	}
}

// fill is the answer for one batch: its quotes become the ids of their lines.
func (m *scripted) fill(lines [][]string) string {
	doc := map[string]any{}
	for group, items := range m.extraction {
		out := []any{}
		for _, item := range items {
			if filled, ok := place(item, lines); ok {
				out = append(out, filled)
			}
		}
		doc[group] = out
	}
	b, err := json.Marshal(doc)
	if err != nil {
		m.t.Error(err)
	}
	return string(b)
}

func place(item map[string]any, lines [][]string) (map[string]any, bool) {
	filled := map[string]any{}
	for k, v := range item {
		if k != "quotes" {
			filled[k] = v
		}
	}
	var cites []string
	for _, quote := range choices(item["quotes"]) {
		n := 0
		for _, l := range lines {
			if strings.Contains(l[2], quote) {
				n++
				if !slices.Contains(cites, l[1]) {
					cites = append(cites, l[1])
				}
			}
		}
		if n == 0 {
			return nil, false
		}
	}
	if len(cites) > 0 {
		filled["cites"] = cites
	}
	return filled, true
}
