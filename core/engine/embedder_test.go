package engine_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// TestAnEmbedderThatComesBack stands behind a service that is down at first: what is
// wrong shows in Stats while it lasts, and no longer.
func TestAnEmbedderThatComesBack(t *testing.T) {
	var up atomic.Bool
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !up.Load() {
			http.Error(w, "out of memory", http.StatusInternalServerError)
			return
		}
		out := make([][]float32, len(body.Input))
		for i, s := range body.Input {
			out[i] = []float32{1, float32(len(s)), 2, 3}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": out})
	}))
	defer service.Close()
	home := t.TempDir()
	m, err := local.Open(t.Context(), local.Options{Home: home, Path: filepath.Join(home, "memory.db"), Set: []string{
		`embedder.default.use="ollama"`, `embedder.default.model="m"`, "embedder.default.dim=4", "embedder.default.retries=0",
		`embedder.default.url="` + service.URL + `"`,
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	problem := func() string {
		st, err := m.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.EmbedderError
	}
	add(t, m, "", engine.Input{Text: "The spare fuse is in the drawer."})
	for tick := time.Tick(time.Millisecond); problem() == ""; <-tick {
		if t.Context().Err() != nil {
			t.Fatal("the failure does not show")
		}
	}
	if got := problem(); !strings.Contains(got, "500") {
		t.Errorf("the problem is %q", got)
	}
	up.Store(true)
	if n, err := m.Reindex(t.Context(), nil); n != 1 || err != nil {
		t.Fatalf("Reindex = %d, %v", n, err)
	}
	if got := problem(); got != "" {
		t.Errorf("the problem is still %q", got)
	}
}
