package serve

import (
	"cmp"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/api"
	"github.com/orma-memory/orma/cmd/internal/trace"
	"github.com/orma-memory/orma/core"
)

// Limits on what clients may hold open.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 64 << 10
)

func (s *Server) newHTTP() *http.Server {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: cmp.Or(s.o.HeaderTimeout, headerTimeout), IdleTimeout: idleTimeout, MaxHeaderBytes: headerBytes,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), ConnState: s.clients.state,
	}
	if s.o.IdleExit > 0 {
		h.IdleTimeout = -1 // an open connection is a client that is still there
	}
	return h
}

// ServeHTTP lets a request in and hands it on. It does not use [http.ServeMux], which
// would clean paths that are the upstream's business.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := s.guard.CheckOrigin(r); err != nil {
		s.refuse(w, r, err)
		return
	}
	p := r.URL.Path
	switch {
	case p == "/healthz":
		s.health(w)
		return
	case p == "/readyz":
		s.ready(w)
		return
	case s.o.View != nil && !s.o.ProxyOnly && under(p, "/_orma/viz"):
		s.o.View.ServeHTTP(w, r) // pages hold nothing of anyone's; what they show comes from the API
		return
	}
	who, err := s.guard.Admit(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	span := s.o.Trace.Server(r.Method, r.Header)
	defer span.End()
	r = r.WithContext(trace.With(access.With(r.Context(), who), span))
	switch {
	case under(p, api.Base) && !s.o.ProxyOnly:
		s.limit(w, r)
		s.api.ServeHTTP(w, r)
		span.Name(r.Pattern) // as the route has it, without ids
	case p == "/metrics" || p == "/_orma/metrics":
		s.count.Handler().ServeHTTP(w, r)
	case s.o.MCP != nil && !s.o.ProxyOnly && under(p, "/mcp"):
		s.limit(w, r)
		r.Body = http.MaxBytesReader(w, r.Body, int64(s.o.Settings.Limits.BodyBytes))
		span.Name("mcp")
		s.o.MCP.ServeHTTP(w, r)
	case s.o.Proxy == nil || under(path.Clean(p), "/_orma"):
		api.Fail(w, who, core.Errorf(core.CodeNotFound, "nothing is served here").Hinted("the API is under %s", api.Base))
	default:
		s.o.Proxy.ServeHTTP(w, r)
	}
}

// limit bounds how long the body of an API request may take to arrive.
func (s *Server) limit(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	// Only fails for writers that are not of a server, such as those of tests.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(timeout(s.o.Settings)))
}

// refuse answers a request that is not let in.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	code := core.CodeOf(err)
	s.count.Refused(string(code))
	s.log.Info("request refused", slog.String("code", string(code)), slog.String("method", r.Method), slog.Any("error", err))
	w.Header().Set("Connection", "close") // its body is not read
	if s.o.Proxy != nil && !under(r.URL.Path, "/_orma") && !under(r.URL.Path, "/mcp") {
		s.o.Proxy.Refuse(w, r, api.Status(code), err)
		return
	}
	api.Fail(w, access.Principal{}, err)
}

// under reports whether a path is a folder or below it.
func under(p, folder string) bool {
	rest, ok := strings.CutPrefix(p, folder)
	return ok && (rest == "" || rest[0] == '/')
}
