package proxy

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
)

// candidate is a place where a model's server is looked for.
type candidate struct{ name, root string }

// candidates are the usual ones, in the order in which they are preferred.
var candidates = []candidate{
	{"Ollama", "http://127.0.0.1:11434"},
	{"llama.cpp", "http://127.0.0.1:8080"},
	{"llama.cpp", "http://127.0.0.1:9931"},
	{"LM Studio", "http://127.0.0.1:1234"},
	{"vLLM", "http://127.0.0.1:8000"},
}

// How long a server may take to show itself, and how often one is looked for.
const (
	probeTimeout = 700 * time.Millisecond
	probeAgain   = 2 * time.Second
)

// parseRoot returns the root of an address that may end in /v1.
func parseRoot(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, core.Errorf(core.CodeConfig, "the upstream must be an http or https address, not %q", address).Hinted("such as http://127.0.0.1:11434")
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/v1")
	u.RawPath, u.RawQuery, u.Fragment = "", "", ""
	return u, nil
}

// finder knows where the model's server is: as configured, or wherever one answers.
type finder struct {
	fixed  *url.URL // configured; nil: look for one
	from   []candidate
	client *http.Client
	now    func() time.Time

	mu    sync.Mutex
	found *url.URL
	name  string
	tried time.Time
	self  string // host and port of this server
}

// errNone is the answer when no model's server is there.
var errNone = core.Errorf(core.CodeUnavailable, "no model's server answers").
	Hinted("start Ollama, llama.cpp, LM Studio or vLLM, or say where it is with --upstream URL")

// root returns where the server is.
func (f *finder) root(ctx context.Context) (*url.URL, error) {
	if f.fixed != nil {
		return f.fixed, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found != nil {
		return f.found, nil
	}
	if now := f.now(); now.Sub(f.tried) >= probeAgain || f.tried.IsZero() {
		f.tried = now
		f.look(context.WithoutCancel(ctx)) // the next request wants to know too
	}
	if f.found == nil {
		return nil, errNone
	}
	return f.found, nil
}

// lost forgets a server that was found and does not answer any more.
func (f *finder) lost(u *url.URL) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found == u {
		f.found, f.tried = nil, time.Time{}
	}
}

// look asks all candidates at once and takes the first, in their order, that answers.
func (f *finder) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	answers := make([]bool, len(f.from))
	var wait sync.WaitGroup
	for i, c := range f.from {
		u, err := url.Parse(c.root)
		if err != nil || u.Host == f.self {
			continue
		}
		wait.Go(func() { answers[i] = f.isServer(ctx, c.root) })
	}
	wait.Wait()
	for i, ok := range answers {
		if ok {
			f.found, _ = url.Parse(f.from[i].root)
			f.name = f.from[i].name
			return
		}
	}
}

// isServer reports whether a model's server is at a root: one that lists models, and
// is not Orma itself.
func (f *finder) isServer(ctx context.Context, root string) bool {
	var orma struct {
		Name string `json:"name"`
	}
	if f.ask(ctx, root+"/_orma/v1/version", &orma) && orma.Name == "orma" || ctx.Err() != nil {
		return false
	}
	var list struct {
		Object string            `json:"object"`
		Data   []json.RawMessage `json:"data"`
		Models []json.RawMessage `json:"models"`
	}
	return f.ask(ctx, root+"/v1/models", &list) && (list.Object == "list" || list.Data != nil || list.Models != nil)
}

func (f *finder) ask(ctx context.Context, address string, into any) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	resp, err := f.client.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK && json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into) == nil
}

// setSelf says where this server listens, so that it does not find itself.
func (f *finder) setSelf(hostport string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.self = hostport
	if f.fixed != nil && f.fixed.Host == hostport {
		return core.Errorf(core.CodeConfig, "the upstream %s is this server itself", f.fixed).Hinted("give the address of the model's server with --upstream")
	}
	return nil
}
