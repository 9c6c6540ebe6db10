package proxy

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
)

// buffers keeps the buffers that answers are copied through.
type buffers struct{ pool sync.Pool }

const bufferBytes = 32 << 10

// Get returns a buffer.
func (b *buffers) Get() []byte {
	if x, ok := b.pool.Get().(*[bufferBytes]byte); ok {
		return x[:]
	}
	return make([]byte, bufferBytes)
}

// Put gives a buffer back.
func (b *buffers) Put(x []byte) { b.pool.Put((*[bufferBytes]byte)(x)) }

// pass sends a request to the upstream and its answer to the client, each piece as it
// comes. listen may look at the answer before it is passed on; it may be nil.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, root *url.URL, listen func(*http.Response)) {
	// Without these the server would add headers that the upstream did not send.
	w.Header()["Content-Type"] = nil
	w.Header()["Date"] = nil
	rp := httputil.ReverseProxy{
		Transport: p.transport, FlushInterval: -1, BufferPool: &p.buffers,
		ErrorLog: slog.NewLogLogger(p.o.Log.Handler(), slog.LevelDebug),
		Rewrite:  func(pr *httputil.ProxyRequest) { p.rewrite(pr, root) },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				panic(http.ErrAbortHandler) // nobody is there to be told
			}
			p.find.lost(root)
			p.o.Log.Warn("the upstream does not answer", slog.String("upstream", root.Host), slog.Any("error", err))
			delete(w.Header(), "Date")
			p.Refuse(w, r, http.StatusBadGateway, unreachable(root, err))
		},
	}
	if listen != nil {
		rp.ModifyResponse = func(resp *http.Response) error {
			listen(resp)
			return nil
		}
	}
	if r.Header.Get("Expect") != "" {
		w = goingOn{w}
	}
	rp.ServeHTTP(w, r)
}

// goingOn leaves the word to go on to the server, which says it when the body is first
// read: that of the upstream, at about the same moment, would be a second one.
type goingOn struct{ http.ResponseWriter }

func (w goingOn) WriteHeader(code int) {
	if code != http.StatusContinue {
		w.ResponseWriter.WriteHeader(code)
	}
}

// Unwrap is for [http.ResponseController].
func (w goingOn) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// rewrite makes the request to the upstream: the client's own, without what is for us.
func (p *Proxy) rewrite(pr *httputil.ProxyRequest, root *url.URL) {
	in, out := pr.In, pr.Out
	out.URL.Scheme, out.URL.Host, out.Host = root.Scheme, root.Host, ""
	out.URL.User = root.User
	out.URL.Path = root.Path + in.URL.Path
	out.URL.RawPath = ""
	if escaped := root.EscapedPath() + in.URL.EscapedPath(); escaped != out.URL.EscapedPath() {
		out.URL.RawPath = escaped
	}
	out.URL.RawQuery, out.URL.ForceQuery = in.URL.RawQuery, in.URL.ForceQuery
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if v, ok := in.Header[h]; ok {
			out.Header[h] = v
		}
	}
	out.Trailer = in.Trailer // the server fills it in behind the body
	access.Strip(out.Header)
	if p.key != "" {
		out.Header.Set("Authorization", "Bearer "+p.key)
		if out.Header.Get("X-Api-Key") != "" || strings.HasPrefix(in.URL.Path, "/v1/messages") {
			out.Header.Del("Authorization")
			out.Header.Set("X-Api-Key", p.key)
		}
	}
	// A page that came from us came from the upstream, as far as that is concerned.
	if o, err := url.Parse(in.Header.Get("Origin")); err == nil && o.Host != "" && o.Host == in.Host {
		out.Header.Set("Origin", root.Scheme+"://"+root.Host)
	}
}

// unreachable says that the upstream does not answer, without details of the network
// that only its operator should see.
func unreachable(root *url.URL, err error) error {
	var dns interface{ Timeout() bool }
	if errors.As(err, &dns) && dns.Timeout() {
		return core.Errorf(core.CodeUnavailable, "the model's server at %s does not answer in time", root.Host)
	}
	return core.Errorf(core.CodeUnavailable, "the model's server at %s does not answer", root.Host).Hinted("is it running?")
}
