package wasmhost

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/host/meter"
	"github.com/orma-memory/orma/sdk/abi"
)

// plugin is an opened module. Each has a runtime of its own, so that closing it frees
// everything and its cache entry can be checked and rebuilt alone.
type plugin struct {
	o      Options
	digest string
	rt     wazero.Runtime
	cache  wazero.CompilationCache // nil without a folder
	mod    wazero.CompiledModule
	m      *abi.Manifest

	pools *contract.Recent[*pool]
}

// open compiles a module and reads its manifest.
func (h *Host) open(ctx context.Context, code []byte, digest string, trusted bool) (*plugin, error) {
	metered, err := meter.Add(code)
	if err != nil {
		return nil, err
	}
	if !trusted {
		code = metered
	}
	p := &plugin{o: h.o, digest: digest}
	p.pools = contract.NewRecent(maxPools, func(params string) *pool { return newPool(p, params) }, (*pool).close)
	if err := p.compile(ctx, code); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if err := p.inspect(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// build compiles code in a fresh runtime with a cache, which may be nil.
func (p *plugin) build(ctx context.Context, code []byte, cache wazero.CompilationCache) error {
	cfg := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2).
		WithMemoryLimitPages(uint32(p.o.Memory >> 16))
	if cache != nil {
		cfg = cfg.WithCompilationCache(cache)
	}
	p.rt = wazero.NewRuntimeWithConfig(ctx, cfg)
	var err error
	p.mod, err = p.rt.CompileModule(ctx, code)
	if err != nil {
		return errors.Join(fmt.Errorf("compile: %w", plainError(err)), p.rt.Close(ctx))
	}
	return nil
}

// link provides what the module imports: the tick, and of WASI what it asks for.
func (p *plugin) link(ctx context.Context) error {
	var system []string
	ticks := false
	for _, f := range p.mod.ImportedFunctions() {
		mod, name, _ := f.Import()
		switch {
		case mod == wasiModule:
			system = append(system, name)
		case mod == meter.Module && name == meter.Function:
			ticks = true
		default:
			return fmt.Errorf("imports %s.%s; a plugin may import nothing but WASI", contract.Printable(mod), contract.Printable(name))
		}
	}
	if len(p.mod.ImportedMemories()) > 0 {
		return errors.New("imports a memory; it must have and export its own")
	}
	if ticks {
		_, err := p.rt.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
			WithGoFunction(api.GoFunc(tick), []api.ValueType{api.ValueTypeI32}, nil).Export(meter.Function).Instantiate(ctx)
		if err != nil {
			return fmt.Errorf("link: %w", err)
		}
	}
	if err := instantiateWASI(ctx, p.rt, system); err != nil {
		return fmt.Errorf("link: %w", plainError(err))
	}
	return nil
}

// stopped is what tick ends a run with.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }

// tick is called by metered code. It looks at the deadline itself: while guests keep
// every processor busy, the timer behind the context can be late.
func tick(ctx context.Context, why []uint64) {
	if len(why) > 0 && why[0] == meter.TooDeep {
		panic(errDeep)
	}
	if err := ctx.Err(); err != nil {
		panic(stopped{err})
	}
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		panic(stopped{context.DeadlineExceeded})
	}
}

// inspect reads version and manifest from a first instance.
func (p *plugin) inspect(ctx context.Context) error {
	if err := p.link(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, p.o.StartTimeout)
	defer cancel()
	g, err := p.instantiate(ctx)
	if err != nil {
		return err
	}
	p.m, err = g.manifest(ctx)
	return errors.Join(err, g.close())
}

// provide makes specs of the plugin.
func (p *plugin) provide() host.Provided {
	return contract.Provide(p.m, p, contract.Limits{
		Runtime: "wasm", Digest: p.digest, Block: p.o.Memory, Timeout: p.o.Timeout, EmbedTimeout: p.o.BatchTimeout,
		ExtractTimeout: p.o.BatchTimeout, SleepTimeout: p.o.BatchTimeout, StartTimeout: p.o.StartTimeout,
	})
}

// Prepare starts an instance with these parameters.
func (p *plugin) Prepare(ctx context.Context, params string) error {
	return p.Use(ctx, params, func(contract.Session) error { return nil })
}

// Use runs f with an instance that nobody else uses.
func (p *plugin) Use(ctx context.Context, params string, f func(contract.Session) error) error {
	q, ok := p.pools.Get(params)
	if !ok {
		return errClosed
	}
	return q.use(ctx, func(g *guest) error { return f(g) })
}

// maxPools is how many configurations of a plugin keep instances.
const maxPools = 8

// close frees the plugin.
func (p *plugin) close() error {
	p.pools.Close()
	var errs []error
	if p.rt != nil {
		errs = append(errs, p.rt.Close(context.Background()))
	}
	if p.cache != nil {
		errs = append(errs, p.cache.Close(context.Background()))
	}
	return errors.Join(errs...)
}
