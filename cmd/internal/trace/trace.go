// Package trace sends traces of requests to an OpenTelemetry collector, as OTLP over
// HTTP in its JSON encoding. It holds what a server needs of that and no more: the
// official exporter would bring some seventy packages of gRPC into the program.
//
// A span holds names, numbers and codes; never a space, a token or a word of memory.
package trace

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Sizes and times of sending.
const (
	queueLength = 2048 // spans that wait; further ones are dropped
	batchLength = 256
	sendEvery   = 5 * time.Second
	sendTimeout = 5 * time.Second
)

// Tracer collects spans. A nil Tracer does nothing, and so do its spans.
type Tracer struct {
	o     Options
	queue chan *Span
	stop  chan struct{}
	done  sync.WaitGroup
	once  sync.Once
}

// Options say where spans go.
type Options struct {
	Endpoint string // of the collector, such as http://127.0.0.1:4318
	Version  string // of the program
	Now      func() time.Time
	Log      *slog.Logger
	Client   *http.Client // nil: the usual one
}

// New returns a tracer. Close it to send what is left.
func New(o Options) *Tracer {
	if o.Client == nil {
		o.Client = &http.Client{Timeout: sendTimeout}
	}
	o.Endpoint = strings.TrimSuffix(o.Endpoint, "/")
	t := &Tracer{o: o, queue: make(chan *Span, queueLength), stop: make(chan struct{})}
	t.done.Go(t.run)
	return t
}

// Close sends what is left. It may be called twice.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		close(t.stop)
		t.done.Wait()
	})
}

// Span is a stretch of work. It belongs to one goroutine until it ends.
type Span struct {
	t          *Tracer
	trace      [16]byte
	id, parent [8]byte
	name       string
	server     bool
	begin, end time.Time
	texts      []attribute
	failed     bool
}

type attribute struct{ key, value string }

// Server begins the span of a request. It joins the trace that the request's
// traceparent header names.
func (t *Tracer) Server(name string, h http.Header) *Span {
	if t == nil {
		return nil
	}
	s := &Span{t: t, name: name, server: true, begin: t.o.Now()}
	_, _ = rand.Read(s.id[:]) // never fails
	if !s.join(h.Get("Traceparent")) {
		_, _ = rand.Read(s.trace[:])
	}
	return s
}

// join reads a traceparent: 00-<trace>-<parent>-<flags>.
func (s *Span) join(header string) bool {
	parts := strings.Split(strings.TrimSpace(header), "-")
	if len(parts) < 4 || len(parts[0]) != 2 || parts[0] == "ff" || len(parts[1]) != 32 || len(parts[2]) != 16 {
		return false
	}
	var trace [16]byte
	var parent [8]byte
	if _, err := hex.Decode(trace[:], []byte(parts[1])); err != nil || trace == [16]byte{} {
		return false
	}
	if _, err := hex.Decode(parent[:], []byte(parts[2])); err != nil || parent == [8]byte{} {
		return false
	}
	s.trace, s.parent = trace, parent
	return true
}

// Child begins a part of a span's work.
func (s *Span) Child(name string) *Span {
	if s == nil {
		return nil
	}
	c := &Span{t: s.t, trace: s.trace, parent: s.id, name: name, begin: s.t.o.Now()}
	_, _ = rand.Read(c.id[:])
	return c
}

// Name renames a span, when its work turns out to be something more exact.
func (s *Span) Name(name string) {
	if s != nil {
		s.name = name
	}
}

// Set notes something about a span.
func (s *Span) Set(key, value string) {
	if s != nil {
		s.texts = append(s.texts, attribute{key, value})
	}
}

// Fail marks a span as failed.
func (s *Span) Fail() {
	if s != nil {
		s.failed = true
	}
}

// End ends a span. A queue that is full drops it: tracing never holds work up.
func (s *Span) End() {
	if s == nil {
		return
	}
	s.end = s.t.o.Now()
	select {
	case s.t.queue <- s:
	default:
	}
}

type contextKey struct{}

// With returns a context that carries a span.
func With(ctx context.Context, s *Span) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, contextKey{}, s)
}

// Of returns the span of a context, or nil.
func Of(ctx context.Context) *Span {
	s, _ := ctx.Value(contextKey{}).(*Span)
	return s
}
