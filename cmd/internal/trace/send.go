package trace

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/orma-memory/orma/core"
)

// run sends spans in batches until the tracer is closed.
func (t *Tracer) run() {
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	var batch []*Span
	complained := false
	flush := func() {
		if len(batch) == 0 {
			return
		}
		if err := t.send(batch); err != nil && !complained {
			complained = true // once: a collector that is away is no reason to fill the log
			t.o.Log.Warn("traces cannot be sent", slog.Any("error", err))
		}
		batch = batch[:0]
	}
	for {
		select {
		case s := <-t.queue:
			if batch = append(batch, s); len(batch) >= batchLength {
				flush()
			}
		case <-tick.C:
			flush()
		case <-t.stop:
			for len(t.queue) > 0 {
				batch = append(batch, <-t.queue)
			}
			flush()
			return
		}
	}
}

// The messages of OTLP, as far as they are used. Times are decimal texts, ids are
// hexadecimal, as its JSON encoding has them.
type (
	otlpValue struct {
		String string `json:"stringValue"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpStatus struct {
		Code int `json:"code,omitempty"` // 2: error
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		ParentID   string          `json:"parentSpanId,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"` // 1: internal, 2: server
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpScope struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpans struct {
		Resource otlpResource `json:"resource"`
		Scopes   []otlpScope  `json:"scopeSpans"`
	}
	otlpExport struct {
		Resources []otlpSpans `json:"resourceSpans"`
	}
)

func text(key, value string) otlpAttribute { return otlpAttribute{key, otlpValue{value}} }

func (s *Span) otlp() otlpSpan {
	o := otlpSpan{
		TraceID: hex.EncodeToString(s.trace[:]), SpanID: hex.EncodeToString(s.id[:]), Name: s.name, Kind: 1,
		Start: strconv.FormatInt(s.begin.UnixNano(), 10), End: strconv.FormatInt(s.end.UnixNano(), 10),
	}
	if s.parent != [8]byte{} {
		o.ParentID = hex.EncodeToString(s.parent[:])
	}
	if s.server {
		o.Kind = 2
	}
	if s.failed {
		o.Status.Code = 2
	}
	for _, a := range s.texts {
		o.Attributes = append(o.Attributes, text(a.key, a.value))
	}
	return o
}

func (t *Tracer) send(batch []*Span) error {
	scope := otlpScope{Spans: make([]otlpSpan, len(batch))}
	scope.Scope.Name = "orma"
	for i, s := range batch {
		scope.Spans[i] = s.otlp()
	}
	body, err := json.Marshal(otlpExport{[]otlpSpans{{
		Resource: otlpResource{[]otlpAttribute{text("service.name", "orma"), text("service.version", t.o.Version)}},
		Scopes:   []otlpScope{scope},
	}}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.o.Endpoint+"/v1/traces", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := t.o.Client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection is used again
	if resp.StatusCode >= 300 {
		return core.Errorf(core.CodeUnavailable, "the collector at %s answers %s", t.o.Endpoint, resp.Status)
	}
	return nil
}
