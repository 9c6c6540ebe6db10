package trace

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// collector keeps what arrives.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []otlpSpan
}

func newCollector(t *testing.T, status int) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var e otlpExport
		b, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(b, &e)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %v", r.URL, b, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, res := range e.Resources {
			for _, s := range res.Scopes {
				c.spans = append(c.spans, s.Spans...)
			}
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(c.Close)
	return c
}

func newTracer(c *collector) *Tracer {
	return New(Options{Endpoint: c.URL + "/", Version: "test", Now: func() time.Time { return time.Unix(7, 9) }, Log: slog.New(slog.DiscardHandler)})
}

func TestSpansArrive(t *testing.T) {
	c := newCollector(t, 200)
	tr := newTracer(c)
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	s := tr.Server("chat", http.Header{"Traceparent": {"00-" + trace + "-" + parent + "-01"}})
	child := s.Child("recall")
	child.Fail()
	child.End()
	s.Set("memory", "on")
	s.End()
	tr.Close()
	tr.Close()
	if len(c.spans) != 2 {
		t.Fatalf("%d spans arrived", len(c.spans))
	}
	inner, outer := c.spans[0], c.spans[1]
	if outer.TraceID != trace || outer.ParentID != parent || outer.Kind != 2 || outer.Start != "7000000009" || outer.Attributes[0] != text("memory", "on") {
		t.Errorf("%+v", outer)
	}
	if inner.TraceID != trace || inner.ParentID != outer.SpanID || inner.Status.Code != 2 || inner.Kind != 1 || inner.SpanID == outer.SpanID {
		t.Errorf("%+v", inner)
	}
}

func TestForeignTraceparents(t *testing.T) {
	tr := newTracer(newCollector(t, 200))
	defer tr.Close()
	for _, h := range []string{"", "x", "00-0-0-00", "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-zzf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"} {
		if s := tr.Server("x", http.Header{"Traceparent": {h}}); s.parent != [8]byte{} || s.trace == [16]byte{} {
			t.Errorf("%q was joined", h)
		}
	}
}

func TestNothingHappensWithoutATracerOrACollector(t *testing.T) {
	var none *Tracer
	s := none.Server("x", nil)
	s.Child("y").End()
	s.Name("z")
	s.Set("k", "v")
	s.Fail()
	s.End()
	none.Close()
	if Of(With(t.Context(), s)) != nil {
		t.Error("a span came from nowhere")
	}
	away := newCollector(t, 500)
	tr := newTracer(away)
	for range 3 * queueLength {
		tr.Server("x", nil).End()
	}
	tr.Close() // and the program ends all the same
}
