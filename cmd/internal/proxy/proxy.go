package proxy

import (
	"context"
	"crypto/cipher"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/cmd/internal/chat"
	"github.com/orma-memory/orma/cmd/internal/metrics"
	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
	"github.com/orma-memory/orma/core/engine"
)

// Engine is what the proxy needs of [engine.Engine].
type Engine interface {
	Recall(ctx context.Context, req engine.Request) (*engine.Recalled, error)
	Add(ctx context.Context, space string, inputs ...engine.Input) ([]engine.Added, error)
	Delivered(ctx context.Context, space string, req engine.Request, items []engine.Item) error
}

// Store finds what was recorded.
type Store interface {
	EpisodeByKey(ctx context.Context, space, source, key string) (core.Episode, error)
}

// Options are what a proxy is made of.
type Options struct {
	Engine   Engine
	Store    Store
	Settings config.Proxy
	Limits   config.Limits
	Spool    string                       // file for turns that cannot be stored; empty: none
	Mask     func(string) (string, int)   // masks secrets in it; nil keeps them
	Seal     cipher.AEAD                  // encrypts it, without a nonce; nil does not
	Adopt    func(upstream, model string) // told which model a client asks for; may be nil
	Now      func() time.Time
	Log      *slog.Logger

	candidates []candidate // nil: the usual ones
}

// Proxy passes requests on. It is safe for concurrent use.
type Proxy struct {
	o         Options
	deadline  time.Duration
	find      finder
	transport *http.Transport
	key       string // of the upstream
	buffers   buffers

	sessions  *sessions
	recalls   *cache[turnKey, recalled]
	recalling chan struct{} // recalls at once
	passing   chan struct{} // requests at once
	recorder  *recorder
	off       grumble

	count *metrics.Set // nil: nothing is counted
	work  sync.WaitGroup
	stop  context.CancelFunc
	life  context.Context // ends what outlives a request
	once  sync.Once
}

// maxRequests is how many requests may be under way.
const maxRequests = 2048

// New returns a proxy. Close it to finish what is being recorded.
func New(o Options) (*Proxy, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.candidates == nil {
		o.candidates = candidates
	}
	p := &Proxy{
		o: o, deadline: time.Duration(o.Settings.DeadlineMS) * time.Millisecond,
		recalling: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), passing: make(chan struct{}, maxRequests),
		recalls: newCache[turnKey, recalled](1024),
	}
	p.sessions = newSessions(o.Store, o.Now)
	p.transport = &http.Transport{
		Proxy:       http.ProxyFromEnvironment,
		DialContext: (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		// The client's own choice of encoding goes on as it is, and so does the answer.
		DisableCompression: true, ForceAttemptHTTP2: true,
		MaxIdleConns: 512, MaxIdleConnsPerHost: 256, IdleConnTimeout: 90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second, ExpectContinueTimeout: time.Second,
	}
	p.find = finder{from: o.candidates, now: o.Now, client: &http.Client{
		Transport:     p.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if o.Settings.Upstream != "" {
		var err error
		if p.find.fixed, err = parseRoot(o.Settings.Upstream); err != nil {
			return nil, err
		}
	}
	if env := o.Settings.KeyEnv; env != "" {
		if p.key = os.Getenv(env); p.key == "" {
			return nil, core.Errorf(core.CodeConfig, "proxy.key_env names %s, which is not set", env)
		}
	}
	p.life, p.stop = context.WithCancel(context.Background())
	p.recorder = newRecorder(p)
	return p, nil
}

// Count says where the proxy counts what it does. Call it before the first request.
func (p *Proxy) Count(m *metrics.Set) { p.count = m }

// Start looks for the model's server, loads the memory of the usual space, and stores
// what could not be stored the last time. self is where this server listens, as
// host:port; it may be empty.
func (p *Proxy) Start(self string) error {
	if err := p.find.setSelf(self); err != nil {
		return err
	}
	p.recorder.start()
	p.work.Go(func() {
		// Without this the first request would wait for the index, and go on without it.
		if _, err := p.o.Engine.Recall(p.life, engine.Request{Space: p.o.Settings.Space, Steady: true}); err != nil && p.life.Err() == nil {
			p.o.Log.Warn("memory is not ready", slog.Any("error", err))
		}
	})
	return nil
}

// Upstream returns the address of the model's server and, where it was found rather
// than configured, the name of what was looked for there.
func (p *Proxy) Upstream(ctx context.Context) (root, name string, err error) {
	u, err := p.find.root(ctx)
	if err != nil {
		return "", "", err
	}
	p.find.mu.Lock()
	defer p.find.mu.Unlock()
	return u.String(), p.find.name, nil
}

// Check reports what keeps turns from being recorded, or nil.
func (p *Proxy) Check() error { return p.recorder.check() }

// Waiting is how many exchanges wait to be recorded.
func (p *Proxy) Waiting() int { return p.recorder.waiting() }

// Close records what is waiting and ends what runs in the background. No request may
// be under way. It may be called twice.
func (p *Proxy) Close() error {
	var err error
	p.once.Do(func() {
		err = p.recorder.close()
		p.stop()
		p.work.Wait()
		p.transport.CloseIdleConnections()
	})
	return err
}

// ServeHTTP passes a request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case p.passing <- struct{}{}:
		defer func() { <-p.passing }()
	default:
		p.Refuse(w, r, http.StatusServiceUnavailable, core.Errorf(core.CodeLimit, "too many requests at once").Hinted("try again in a moment"))
		return
	}
	root, err := p.find.root(r.Context())
	if err != nil {
		p.Refuse(w, r, http.StatusBadGateway, err)
		return
	}
	if d, ok := chat.For(r.URL.Path); ok && r.Method == http.MethodPost {
		p.chat(w, r, root, d)
		return
	}
	if access.Of(r.Context()).Need(core.RightWrite) != nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.Refuse(w, r, http.StatusForbidden, core.Errorf(core.CodeDenied, "a token with the right read may chat, and nothing else"))
		return
	}
	p.pass(w, r, root, nil)
}
