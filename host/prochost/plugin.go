package prochost

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/abi"
)

// plugin is an opened program. Each set of parameters has a process of its own, as it
// has instances of its own in WASM.
type plugin struct {
	o      Options
	path   string
	digest string
	env    []string
	m      *abi.Manifest
	ran    atomic.Bool // it was configured and ran

	processes *contract.Recent[*process]
}

func newPlugin(o Options, path, digest string, env []string) *plugin {
	p := &plugin{o: o, path: path, digest: digest, env: env}
	p.processes = contract.NewRecent(maxProcesses, func(params string) *process { return newProcess(p, params) }, (*process).close)
	return p
}

var errClosed = fmt.Errorf("%w: it is closed", contract.ErrDown)

// maxProcesses is how many configurations of a plugin keep a process.
const maxProcesses = 4

// learn gets the manifest.
func (p *plugin) learn(ctx context.Context) error {
	if text, err := os.ReadFile(p.cached()); err == nil {
		if m, err := contract.ParseManifest(text); err == nil {
			p.m = m
			return nil
		} // damaged: ask again
	}
	ctx, cancel := context.WithTimeout(ctx, p.o.StartTimeout)
	defer cancel()
	r, text, err := p.start(ctx)
	if err != nil {
		return err
	}
	r.stop(false)
	if p.m, err = contract.ParseManifest(text); err != nil {
		return err
	}
	p.remember(text)
	return nil
}

// cached is where the manifest of this very file is kept.
func (p *plugin) cached() string {
	if p.o.Cache == "" {
		return ""
	}
	return filepath.Join(p.o.Cache, "process", p.digest+".json")
}

// remember keeps a manifest. Without it the program is started to be asked.
func (p *plugin) remember(text []byte) {
	file := p.cached()
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "new-")
	if err != nil {
		return
	}
	_, err = tmp.Write(text)
	if errors.Join(err, tmp.Close()) != nil || os.Rename(tmp.Name(), file) != nil {
		_ = os.Remove(tmp.Name())
	}
}

// forget removes a manifest that is no longer the program's: one in an interpreted
// language can change without its first file.
func (p *plugin) forget() {
	if file := p.cached(); file != "" {
		_ = os.Remove(file)
	}
}

// Prepare starts a process with these parameters and waits for it. Once the program has
// run, that it happens to be down is no error: a pipeline may be built again for a single
// recall, which goes on without it.
func (p *plugin) Prepare(ctx context.Context, params string) error {
	q, ok := p.processes.Get(params)
	if !ok {
		return errClosed
	}
	_, err := q.get(ctx)
	if errors.Is(err, contract.ErrDown) && p.ran.Load() && !errors.As(err, new(*refusedError)) {
		return nil
	}
	return err
}

// Use runs f with the process that has these parameters.
func (p *plugin) Use(ctx context.Context, params string, f func(contract.Session) error) error {
	q, ok := p.processes.Get(params)
	if !ok {
		return errClosed
	}
	r, err := q.get(ctx)
	if err != nil {
		return err
	}
	s := sessions.Get().(*session)
	defer sessions.Put(s)
	s.p, s.q, s.r = p, q, r
	return f(s)
}
