package wasmhost

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/abi"
)

// guest is one instance of a module. One goroutine uses it at a time.
type guest struct {
	mod     api.Module
	mem     api.Memory
	alloc   api.Function
	run     api.Function // orma_run, or orma_extract
	message api.Function // nil where the guest has none
	ptr     uint32       // the arena
	size    uint32
	stack   [2]uint64

	extracts bool // its answer is a block of its own
	scratch  contract.Scratch
}

// instantiate makes an instance that is not configured yet.
func (p *plugin) instantiate(ctx context.Context) (*guest, error) {
	cfg := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	mod, err := p.rt.InstantiateModule(ctx, p.mod, cfg)
	if err != nil {
		return nil, fmt.Errorf("start: %w", callError(ctx, err))
	}
	g := &guest{mod: mod, mem: mod.ExportedMemory("memory"), message: mod.ExportedFunction(abi.FnError)}
	if g.mem == nil {
		return nil, errors.Join(errors.New("does not export its memory as memory"), g.close())
	}
	if err := g.bind(p.m); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// signatures are the functions that every guest has, and two that depend on its contract.
var signatures = map[string]string{
	abi.FnABI: "() i32", abi.FnManifest: "() i64", abi.FnAlloc: "(i32) i32", abi.FnConfigure: "(i32 i32) i32",
	abi.FnRun: "(i32 i32) i32", abi.FnExtract: "(i32 i32) i64", abi.FnError: "(i32) i64",
}

// bind looks the functions up and checks their types: calling one of another type would
// corrupt the stack of the call. m is nil before the manifest was read.
func (g *guest) bind(m *abi.Manifest) error {
	names := []string{abi.FnABI, abi.FnManifest, abi.FnAlloc, abi.FnConfigure}
	run := abi.FnRun
	if m != nil {
		if g.extracts = m.Contract == abi.Extract || m.Contract == abi.Sleep; g.extracts {
			run = abi.FnExtract
		}
		names = append(names, run)
	}
	if g.message != nil {
		names = append(names, abi.FnError)
	}
	for _, name := range names {
		fn := g.mod.ExportedFunction(name)
		if fn == nil {
			return fmt.Errorf("does not export %s", name)
		}
		if got := signature(fn.Definition()); got != signatures[name] {
			return fmt.Errorf("exports %s%s, want %s%s", name, got, name, signatures[name])
		}
	}
	g.alloc, g.run = g.mod.ExportedFunction(abi.FnAlloc), g.mod.ExportedFunction(run)
	return nil
}

func signature(d api.FunctionDefinition) string {
	s := "("
	for i, t := range d.ParamTypes() {
		if i > 0 {
			s += " "
		}
		s += api.ValueTypeName(t)
	}
	s += ")"
	for _, t := range d.ResultTypes() {
		s += " " + api.ValueTypeName(t)
	}
	return s
}

// manifest checks the ABI version and reads the manifest.
func (g *guest) manifest(ctx context.Context) (*abi.Manifest, error) {
	r, err := g.mod.ExportedFunction(abi.FnABI).Call(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", abi.FnABI, callError(ctx, err))
	}
	if v := uint32(r[0]); v != abi.Version {
		return nil, fmt.Errorf("speaks ABI %d, this Orma speaks ABI %d", v, abi.Version)
	}
	r, err = g.mod.ExportedFunction(abi.FnManifest).Call(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", abi.FnManifest, callError(ctx, err))
	}
	text, err := g.read(r[0], abi.MaxManifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", abi.FnManifest, err)
	}
	m, err := contract.ParseManifest(text)
	if err != nil {
		return nil, err
	}
	return m, g.bind(m)
}

// read copies what pointer<<32 | length names.
func (g *guest) read(at uint64, limit uint32) ([]byte, error) {
	if n := uint32(at); n > limit {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are taken", contract.ErrAnswer, n, limit)
	}
	b, ok := g.mem.Read(uint32(at>>32), uint32(at))
	if !ok {
		return nil, fmt.Errorf("%w: it names memory that the guest does not have", contract.ErrAnswer)
	}
	return append([]byte(nil), b...), nil
}

// configure hands over the parameters.
func (g *guest) configure(ctx context.Context, params string) error {
	b, err := g.Arena(ctx, len(params))
	if err != nil {
		return err
	}
	copy(b, params)
	r, err := g.mod.ExportedFunction(abi.FnConfigure).Call(ctx, uint64(g.ptr), uint64(len(params)))
	if err != nil {
		return fmt.Errorf("%s: %w", abi.FnConfigure, callError(ctx, err))
	}
	if r[0] != 0 {
		return contract.Configure(g.failure(ctx, uint32(r[0])))
	}
	return nil
}

// Scratch returns memory for laying blocks out.
func (g *guest) Scratch() *contract.Scratch { return &g.scratch }

// Arena returns n bytes of the guest's memory to write a block into.
func (g *guest) Arena(ctx context.Context, n int) ([]byte, error) {
	if uint64(n) > uint64(g.size) {
		want := max(uint32(n)+uint32(n)/4, 4096) &^ 7
		g.ptr, g.size = 0, 0
		g.stack[0] = uint64(want)
		if err := g.alloc.CallWithStack(ctx, g.stack[:]); err != nil {
			return nil, fmt.Errorf("%s: %w", abi.FnAlloc, callError(ctx, err))
		}
		ptr := uint32(g.stack[0])
		if ptr == 0 || ptr%8 != 0 {
			return nil, fmt.Errorf("%w: %s of %d bytes returned %d", contract.ErrAnswer, abi.FnAlloc, want, ptr)
		}
		g.ptr, g.size = ptr, want
	}
	b, ok := g.mem.Read(g.ptr, uint32(n))
	if !ok {
		return nil, fmt.Errorf("%w: %s returned memory that the guest does not have", contract.ErrAnswer, abi.FnAlloc)
	}
	return b, nil
}

// Call runs the guest over n bytes of its arena. See [contract.Session].
func (g *guest) Call(ctx context.Context, n int) ([]byte, error) {
	g.stack[0], g.stack[1] = uint64(g.ptr), uint64(n)
	if err := g.run.CallWithStack(ctx, g.stack[:]); err != nil {
		return nil, callError(ctx, err)
	}
	at := g.stack[0]
	switch {
	case g.extracts && at == 0:
		return nil, nil
	case g.extracts && at>>32 != 0:
		return g.read(at, abi.MaxAnswer)
	case g.extracts || uint32(at) != 0:
		return nil, g.failure(ctx, uint32(at))
	}
	b, ok := g.mem.Read(g.ptr, uint32(n))
	if !ok {
		return nil, fmt.Errorf("%w: the block is gone", contract.ErrAnswer)
	}
	return b, nil
}

// failure makes an error of a code.
func (g *guest) failure(ctx context.Context, code uint32) error {
	e := &contract.CodeError{Code: code}
	if g.message == nil {
		return e
	}
	r, err := g.message.Call(ctx, uint64(code))
	if err != nil {
		return e
	}
	n := min(uint32(r[0]), abi.MaxError)
	if b, ok := g.mem.Read(uint32(r[0]>>32), n); ok {
		e.Text = contract.Lines(string(b))
	}
	return e
}

func (g *guest) close() error { return g.mod.Close(context.Background()) }
