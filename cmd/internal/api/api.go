package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/sleep"
)

// Base is the path under which the routes lie.
const Base = "/_orma/v1"

// Sleeper consolidates a space.
type Sleeper interface {
	Sleep(ctx context.Context, r sleep.Run) (*sleep.Report, error)
}

// Options are what the API serves.
type Options struct {
	Engine  *engine.Engine
	Access  core.Access
	Sleep   Sleeper // nil: sleep is not to be had
	Version string
	Limits  Limits
	Now     func() time.Time
	Log     *slog.Logger // nil: nothing is logged

	// Observe is told of every answer; nil tells nobody.
	Observe func(verb string, status int, took time.Duration)
}

// Limits bound what a request may take.
type Limits struct {
	BodyBytes int64
	Timeout   time.Duration // of a request; streams and sleep have none
	Batch     int           // episodes of one request; 0 means 1000
	Streams   int           // at once; 0 means 64
}

// API serves the routes. It is safe for concurrent use.
type API struct {
	o       Options
	mux     *http.ServeMux
	routes  []route
	streams chan struct{}
	closing chan struct{} // closed when streams must end
}

// New returns the API. Its handler expects [access.With] on the request's context.
func New(o Options) *API {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Limits.Batch == 0 {
		o.Limits.Batch = 1000
	}
	if o.Limits.Streams == 0 {
		o.Limits.Streams = 64
	}
	a := &API{
		o: o, mux: http.NewServeMux(), routes: routes(),
		streams: make(chan struct{}, o.Limits.Streams), closing: make(chan struct{}),
	}
	byPath := map[string][]string{}
	for _, r := range a.routes {
		a.mux.HandleFunc(r.method+" "+Base+r.path, func(w http.ResponseWriter, q *http.Request) { a.serve(&r, w, q) })
		byPath[r.path] = append(byPath[r.path], r.method)
	}
	for path, methods := range byPath {
		a.mux.HandleFunc(Base+path, func(w http.ResponseWriter, q *http.Request) { a.wrongMethod(w, q, methods) })
	}
	a.mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		a.fail(w, access.Of(q.Context()), core.Errorf(core.CodeNotFound, "there is no such route").Hinted("GET %s/openapi.json lists them", Base))
	})
	return a
}

// ServeHTTP answers a request under [Base].
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// Close ends the streams. It may be called once.
func (a *API) Close() { close(a.closing) }
