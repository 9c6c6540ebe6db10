// Package wasmhost runs plugins that are WebAssembly modules.
//
// A guest gets its block of bytes and nothing else: no files, no network, no
// environment, no clock, no randomness. Its memory is capped, package meter makes it
// stoppable, and what it answers is checked before any of it is believed. Instances are
// pooled; one that failed in any way is thrown away.
package wasmhost

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
)

// Options bound what guests may use. Zero values mean the defaults.
type Options struct {
	// Cache is the folder for compiled code; empty keeps it in memory only.
	Cache string
	// Memory is the most linear memory of an instance in bytes; 64 MiB.
	Memory uint64
	// Timeout is the longest run of a ranking stage whose context has no deadline, and
	// the default of its timeout_ms; 20 ms.
	Timeout time.Duration
	// BatchTimeout is the longest call of an extractor, sleep backend or embedder; 5 s.
	BatchTimeout time.Duration
	// StartTimeout is the longest start of an instance, configuration included; 10 s.
	StartTimeout time.Duration
	// Instances is the most instances of a configured plugin; twice GOMAXPROCS.
	Instances int
	// File is the most bytes of a module; 16 MiB. Compiling takes some twenty times that.
	File int64
	// Log is told of what only a plugin's author can read: traces and messages. They may
	// hold memory text, so it goes to level debug. Nil logs nothing.
	Log *slog.Logger
}

func (o Options) filled() Options {
	o.Memory = cmp.Or(o.Memory, 64<<20)
	o.Timeout = cmp.Or(o.Timeout, 20*time.Millisecond)
	o.BatchTimeout = cmp.Or(o.BatchTimeout, 5*time.Second)
	o.StartTimeout = cmp.Or(o.StartTimeout, 10*time.Second)
	o.Instances = cmp.Or(o.Instances, 2*runtime.GOMAXPROCS(0))
	o.File = cmp.Or(o.File, 16<<20)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Host opens WASM plugins. It is safe for concurrent use.
type Host struct {
	o Options

	mu      sync.Mutex
	plugins []*plugin
	closed  bool
}

// New returns a host. Close it to free every plugin it opened.
func New(o Options) *Host { return &Host{o: o.filled()} }

var _ host.Host = (*Host)(nil)

// Open reads, checks and compiles the module at src.
func (h *Host) Open(ctx context.Context, src host.Source) (host.Provided, error) {
	code, err := contract.ReadFile(src.Path, h.o.File)
	if err != nil {
		return host.Provided{}, err
	}
	sum := sha256.Sum256(code)
	digest := hex.EncodeToString(sum[:])
	if err := src.Check(digest); err != nil {
		return host.Provided{}, err
	}
	p, err := h.open(ctx, code, digest, src.Trusted)
	if err != nil {
		return host.Provided{}, fmt.Errorf("plugin %s: %w", src.Path, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return host.Provided{}, errors.Join(errors.New("the plugin host is closed"), p.close())
	}
	h.plugins = append(h.plugins, p)
	out := p.provide()
	out.Info.Path, out.Info.SHA256, out.Info.Bytes, out.Info.Trusted = src.Path, digest, int64(len(code)), src.Trusted
	return out, nil
}

// Close frees the host and its guests. Stages that are running fail.
func (h *Host) Close() error {
	h.mu.Lock()
	plugins := h.plugins
	h.plugins, h.closed = nil, true
	h.mu.Unlock()
	var errs []error
	for _, p := range plugins {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}
