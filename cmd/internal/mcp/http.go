package mcp

import (
	"context"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/cmd/internal/access"
)

// HTTP serves memory over streamable HTTP. It keeps no sessions: every request stands
// alone, and any number of processes can answer them.
type HTTP struct {
	o       Options
	shared  *shared
	uses    *uses
	handler http.Handler
	once    sync.Once
}

// NewHTTP returns a handler, to be mounted at /mcp. Who makes a request is what
// [access.Of] says of its context, so the handler must stand behind what lets requests
// in and checks their host and origin. Options.Who is not used. Close it before the
// memory.
func NewHTTP(o Options) *HTTP {
	h := &HTTP{o: o.filled(), shared: newShared()}
	h.uses = newUses(h.o.Log)
	h.handler = sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		srv, _ := r.Context().Value(serverKey{}).(*sdk.Server)
		return srv
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: h.o.Log, PropagateRequestCancellation: true,
		// The guard in front of this handler knows the names it may be reached under.
		DisableLocalhostProtection: true,
	})
	return h
}

type serverKey struct{}

// ServeHTTP answers a request with a server of its own: what it shows depends on who
// asks.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := &server{o: h.o, who: access.Of(r.Context()), ids: h.shared.ids, uses: h.uses}
	srv := s.build(h.shared)
	h.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, srv)))
	h.uses.flush()
}

// Close records the last uses. It may be called twice.
func (h *HTTP) Close() error {
	h.once.Do(h.uses.Close)
	return nil
}
