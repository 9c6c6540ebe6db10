package mcp

import (
	"context"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/sleep"
)

// Options say what is served.
type Options struct {
	// Open returns the memory, opening it if need be. It is asked at every request, so
	// that a memory that cannot be opened now may be opened later. The server does not
	// close it.
	Open func(ctx context.Context) (*engine.Engine, error)
	// Sleep consolidates a space; nil where nothing can.
	Sleep func(ctx context.Context, space string) (*sleep.Report, error)

	Space   string           // of requests that name none; empty: the default space
	Who     access.Principal // what a client on standard input may do; over HTTP see [Handler]
	Version string           // of the program
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: the system's clock
}

func (o Options) filled() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// server answers the requests of one principal.
type server struct {
	o    Options
	who  access.Principal
	ids  *identities
	uses *uses
}

// schemas are worked out once a process: over HTTP every request has its server.
type shared struct {
	ids   *identities
	cache *sdk.SchemaCache
	types map[string]*typed
}

func newShared() *shared {
	return &shared{ids: newIdentities(), cache: sdk.NewSchemaCache(), types: toolTypes()}
}

// build makes the SDK's server for s.
func (s *server) build(sh *shared) *sdk.Server {
	srv := sdk.NewServer(&sdk.Implementation{
		Name: "orma", Title: "Orma memory", Version: s.o.Version,
		Description: "Long-term memory on this machine: what was said, what is true now, and what must never be done again.",
	}, &sdk.ServerOptions{
		Logger: s.o.Log, SchemaCache: sh.cache, CompletionHandler: s.complete, SetCacheable: cacheable,
		// Nothing that is listed changes while a client is connected.
		Capabilities: &sdk.ServerCapabilities{
			Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		},
	})
	s.addTools(srv, sh.types)
	s.addPrompts(srv)
	s.addResources(srv)
	srv.AddReceivingMiddleware(s.guard, lenient, s.instruct, s.resources)
	return srv
}

// cacheable keeps what concerns a person out of shared caches.
func cacheable(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// open returns the memory, and the space of a request that names one or none.
func (s *server) open(ctx context.Context, space string, right core.Right) (*engine.Engine, string, error) {
	if err := s.who.Need(right); err != nil {
		return nil, "", err
	}
	space, err := s.who.Space(s.o.Space, space)
	if err != nil {
		return nil, "", err
	}
	e, err := s.o.Open(ctx)
	return e, space, err
}
