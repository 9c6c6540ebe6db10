// Package prochost runs plugins that are programs: for what a WebAssembly module cannot
// do, such as a model in Python, a GPU or a private service.
//
// A program runs with the user's own rights, so only one that the configuration trusts
// is started. It starts when it is needed, is started again when it dies, with growing
// pauses while it keeps dying, and ends with this process, however that ends. What it
// answers is bounded and checked like a module's. The protocol is docs/plugins/process-protocol.md.
package prochost

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
)

// Options bound what plugins may take. Zero values mean the defaults.
type Options struct {
	// Cache is the folder for manifests, so that a program need not run to be known; empty
	// for none.
	Cache string
	// Timeout is the longest run of a ranking stage whose context has no deadline, and
	// the default of its timeout_ms; 100 ms, enough for a program that died to be started
	// again.
	Timeout time.Duration
	// EmbedTimeout is the longest call of an embedder for a batch of texts; 10 s.
	EmbedTimeout time.Duration
	// ExtractTimeout is the longest call of an extractor; 10 s.
	ExtractTimeout time.Duration
	// SleepTimeout is the longest call of a sleep backend; 2 minutes.
	SleepTimeout time.Duration
	// StartTimeout is the longest start of a program, with its configuration; 30 s: one in
	// Python reads its model then.
	StartTimeout time.Duration
	// Overrun is how long a call may go on that nobody waits for any more, before the
	// program is killed; 2 s.
	Overrun time.Duration
	// Backoff is the pause after a program died for the second time without having answered
	// anything. It doubles up to MaxBackoff; 100 ms and 30 s.
	Backoff, MaxBackoff time.Duration
	// Block is the most bytes of a block; 64 MiB.
	Block uint64
	// Log is told of starts and ends, and at level debug of what a program writes to its
	// stderr, which may hold memory text. Nil logs nothing.
	Log *slog.Logger
}

func (o Options) filled() Options {
	o.Timeout = cmp.Or(o.Timeout, 100*time.Millisecond)
	o.EmbedTimeout = cmp.Or(o.EmbedTimeout, 10*time.Second)
	o.ExtractTimeout = cmp.Or(o.ExtractTimeout, 10*time.Second)
	o.SleepTimeout = cmp.Or(o.SleepTimeout, 2*time.Minute)
	o.StartTimeout = cmp.Or(o.StartTimeout, 30*time.Second)
	o.Overrun = cmp.Or(o.Overrun, 2*time.Second)
	o.Backoff = cmp.Or(o.Backoff, 100*time.Millisecond)
	o.MaxBackoff = cmp.Or(o.MaxBackoff, 30*time.Second)
	o.Block = cmp.Or(o.Block, 64<<20)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Host opens plugins that are programs. It is safe for concurrent use.
type Host struct {
	o Options

	mu      sync.Mutex
	plugins []*plugin
	closed  bool
}

// New returns a host. Close it to end every program that it started.
func New(o Options) *Host { return &Host{o: o.filled()} }

var _ host.Host = (*Host)(nil)

// Open checks the program at src and learns what it is: from the cache, or by starting it.
func (h *Host) Open(ctx context.Context, src host.Source) (host.Provided, error) {
	digest, size, err := digestOf(src.Path)
	if err != nil {
		return host.Provided{}, err
	}
	if err := src.Check(digest); err != nil {
		return host.Provided{}, err
	}
	if !src.Trusted {
		return host.Provided{}, &host.UntrustedError{Path: src.Path, SHA256: digest}
	}
	path, err := filepath.Abs(src.Path)
	if err != nil {
		return host.Provided{}, err
	}
	p := newPlugin(h.o, path, digest, environment(os.Environ(), src.Env))
	if err := p.learn(ctx); err != nil {
		p.processes.Close()
		return host.Provided{}, fmt.Errorf("plugin %s: %w", src.Path, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		p.processes.Close()
		return host.Provided{}, errors.New("the plugin host is closed")
	}
	h.plugins = append(h.plugins, p)
	out := contract.Provide(p.m, p, contract.Limits{
		Runtime: "process", Digest: digest, Block: h.o.Block, Timeout: h.o.Timeout, EmbedTimeout: h.o.EmbedTimeout,
		ExtractTimeout: h.o.ExtractTimeout, SleepTimeout: h.o.SleepTimeout, StartTimeout: h.o.StartTimeout,
	})
	out.Info.Path, out.Info.SHA256, out.Info.Bytes, out.Info.Trusted = src.Path, digest, size, true
	return out, nil
}

// Kill kills every program that runs, as a crash would. They are started again when they
// are needed.
func (h *Host) Kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.plugins {
		p.processes.Each(func(q *process) {
			q.mu.Lock()
			defer q.mu.Unlock()
			if q.run != nil {
				q.run.fail(errKilled)
			}
		})
	}
}

var errKilled = errors.New("it was killed")

// Close ends the host's programs. Calls that are under way fail. It may be called twice.
func (h *Host) Close() error {
	h.mu.Lock()
	plugins := h.plugins
	h.plugins, h.closed = nil, true
	h.mu.Unlock()
	var wg sync.WaitGroup
	for _, p := range plugins { // each may take seconds to end
		wg.Go(p.processes.Close)
	}
	wg.Wait()
	return nil
}

// digestOf returns the digest and the size of a file.
func digestOf(path string) (string, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() { // a pipe would block
		return "", 0, fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), n, err
}
