// Package either opens plugins of both runtimes: modules in the sandbox, programs as
// processes.
package either

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/prochost"
	"github.com/orma-memory/orma/host/wasmhost"
)

// Host opens plugins by what their files are. It is safe for concurrent use.
type Host struct {
	wasm *wasmhost.Host
	proc *prochost.Host
}

var _ host.Host = (*Host)(nil)

// New returns a host. Close it to end every plugin that it opened.
func New(w wasmhost.Options, p prochost.Options) *Host {
	return &Host{wasmhost.New(w), prochost.New(p)}
}

// IsModule reports whether a file is a WASM module, by its name.
func IsModule(path string) bool { return strings.HasSuffix(path, ".wasm") }

// Open opens a module or a program.
func (h *Host) Open(ctx context.Context, src host.Source) (host.Provided, error) {
	if IsModule(src.Path) {
		return h.wasm.Open(ctx, src)
	}
	if info, err := os.Stat(src.Path); err == nil && !executable(info) {
		return host.Provided{}, fmt.Errorf("%s is no .wasm file, and no program either: it cannot be executed", src.Path)
	}
	return h.proc.Open(ctx, src)
}

// executable reports whether a file can be run. Windows goes by its name.
func executable(info os.FileInfo) bool {
	if runtime.GOOS == "windows" {
		name := strings.ToLower(info.Name())
		return strings.HasSuffix(name, ".exe") || strings.HasSuffix(name, ".bat") || strings.HasSuffix(name, ".cmd")
	}
	return info.Mode()&0o111 != 0
}

// Kill kills every program, as a crash would. They are started again when needed.
func (h *Host) Kill() { h.proc.Kill() }

// Close ends every plugin. It may be called twice.
func (h *Host) Close() error { return errors.Join(h.wasm.Close(), h.proc.Close()) }
