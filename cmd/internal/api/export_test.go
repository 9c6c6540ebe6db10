package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// An export whose space is erased when a part of it is sent breaks off, and does not end as a
// whole one does; an empty space is whole.
func TestExportOfASpaceThatGoes(t *testing.T) {
	s := newServer(t)
	if r := s.do("GET", "/export", ""); r.status != http.StatusOK || r.body != "" {
		t.Errorf("of an empty space: %d %q", r.status, r.body)
	}
	var in []engine.Input
	for i := range 300 { // more than a page of rows, and more than is sent at a time
		in = append(in, engine.Input{Text: fmt.Sprintf("Line %d. ", i) + strings.Repeat("More of it. ", 150)})
	}
	if _, err := s.memory.Add(t.Context(), core.DefaultSpace, in...); err != nil {
		t.Fatal(err)
	}
	a := api.New(api.Options{
		Engine: s.memory.Engine, Access: s.memory.Store, Version: "test", Now: func() time.Time { return now },
		Limits: api.Limits{BodyBytes: 1 << 20, Timeout: 30 * time.Second, Batch: 10, Streams: 2},
	})
	defer a.Close()
	w := &firstWrite{ResponseRecorder: httptest.NewRecorder(), then: func() {
		if _, err := s.memory.EraseSpace(t.Context(), core.DefaultSpace); err != nil {
			t.Error(err)
		}
	}}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("the export ended as a whole one: %v, %d lines", p, strings.Count(w.Body.String(), "\n"))
		}
	}()
	r := httptest.NewRequestWithContext(access.With(t.Context(), access.Local()), "GET", api.Base+"/export", nil)
	a.ServeHTTP(w, r)
}

// firstWrite does something when the first bytes are written.
type firstWrite struct {
	*httptest.ResponseRecorder
	then func()
}

func (w *firstWrite) Write(b []byte) (int, error) {
	if w.then != nil {
		w.then()
		w.then = nil
	}
	return w.ResponseRecorder.Write(b)
}
