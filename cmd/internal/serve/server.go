package serve

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/cmd/internal/metrics"
	"github.com/orma-memory/orma/cmd/internal/trace"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/engine"
)

// Store is what a server keeps.
type Store interface {
	core.Store
	core.Access
}

// Options are what a server is made of. Engine, Store and Now are needed.
type Options struct {
	Engine   *engine.Engine
	Store    Store
	Settings config.Settings
	Version  string
	Now      func() time.Time
	Log      *slog.Logger
	Trace    *trace.Tracer // nil: nothing is traced

	Sleep      api.Sleeper           // POST sleep; nil: sleep is not to be had
	Background func(context.Context) // sleeps until its context ends; nil: nothing does
	Proxy      Proxy                 // takes what is none of ours; nil: nothing does
	MCP        http.Handler          // at /mcp; may be nil
	View       http.Handler          // at /_orma/viz; may be nil

	Socket        string        // path of a Unix socket; empty: none
	Share         string        // file that tells other programs of this user where it listens; empty: none
	ProxyOnly     bool          // neither API nor MCP nor view
	SocketOnly    bool          // do not listen on a port
	Private       bool          // nobody enters without a token made for this run
	IdleExit      time.Duration // end when the last client has been gone for so long; 0: never
	HeaderTimeout time.Duration // how long a client may take to send its headers; 0: ten seconds
}

// Proxy passes requests on to a model's server.
type Proxy interface {
	http.Handler
	// Start begins. self is where the server listens, as host:port; it may be empty.
	Start(self string) error
	// Refuse answers a request that may not go on, in the shape of its API.
	Refuse(w http.ResponseWriter, r *http.Request, status int, err error)
	// Check reports what keeps it from recording.
	Check() error
	// Waiting is how many turns wait to be recorded.
	Waiting() int
	// Count says where it counts what it does.
	Count(*metrics.Set)
	// Close finishes what is being recorded.
	Close() error
}

// Server serves one memory.
type Server struct {
	o     Options
	guard *access.Guard
	api   *api.API
	count *metrics.Set
	sole  string
	log   *slog.Logger

	http    *http.Server
	clients clients
	work    sync.WaitGroup

	mu    sync.Mutex
	awake string // why background sleep ended; empty while it runs
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o, log: o.Log}
	policy := access.Optional
	switch {
	case o.Private || TakesTokens(o.Settings.Serve):
		policy = access.Required
	case o.Settings.Serve.Tokens == "off":
		policy = access.Ignored
	}
	if o.Private {
		var random [32]byte
		_, _ = rand.Read(random[:]) // never fails
		s.sole = access.Prefix + base64.RawURLEncoding.EncodeToString(random[:])
	}
	s.guard = access.NewGuard(access.Options{
		Hosts: access.NewHosts(o.Settings.Serve.Host, o.Settings.Serve.Hosts), Policy: policy,
		Sole: s.sole, Store: o.Store, Now: o.Now, Log: o.Log,
	})
	gauges := metrics.Gauges{Ready: func() float64 {
		if s.Ready().Ready {
			return 1
		}
		return 0
	}}
	if o.Proxy != nil {
		gauges.Queue = func() float64 { return float64(o.Proxy.Waiting()) }
	}
	s.count = metrics.New(o.Version, gauges)
	if o.Proxy != nil {
		o.Proxy.Count(s.count)
	}
	s.api = api.New(api.Options{
		Engine: o.Engine, Access: o.Store, Sleep: o.Sleep, Version: o.Version, Now: o.Now, Log: o.Log,
		Limits:  api.Limits{BodyBytes: int64(o.Settings.Limits.BodyBytes), Timeout: timeout(o.Settings)},
		Observe: s.count.Request,
	})
	s.http = s.newHTTP()
	return s
}

// TakesTokens reports whether nobody may enter a server without a token.
func TakesTokens(set config.Serve) bool {
	return set.Tokens == "on" || set.Tokens == "auto" && !isLoopback(set.Host)
}

func timeout(set config.Settings) time.Duration {
	return time.Duration(set.Serve.TimeoutMS) * time.Millisecond
}
