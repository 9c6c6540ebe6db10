package meter_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/orma-memory/orma/host/meter"
)

// module puts sections together: id, body, id, body, …
func module(parts ...any) []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	for i := 0; i < len(parts); i += 2 {
		body := []byte(parts[i+1].(string))
		b = append(b, byte(parts[i].(int)), byte(len(body)))
		b = append(b, body...)
	}
	return b
}

const (
	oneType = "\x01\x60\x00\x01\x7f" // () -> i32
	oneFunc = "\x01\x00"
)

// body is a code section of one function without locals.
func body(code string) string {
	return "\x01" + string(rune(len(code)+2)) + "\x00" + code + "\x0b"
}

// TestReach: code must not get at what metering adds, which it could not name before.
func TestReach(t *testing.T) {
	for name, code := range map[string][]byte{
		"the counter":              module(1, oneType, 3, oneFunc, 10, body("\x23\x00")),
		"setting the counter":      module(1, oneType, 3, oneFunc, 10, body("\x41\x7f\x24\x00\x41\x00")),
		"the tick":                 module(1, oneType, 3, oneFunc, 10, body("\x10\x01")),
		"a reference to the tick":  module(1, oneType, 3, oneFunc, 10, body("\xd2\x01\x1a\x41\x00")),
		"an export of the counter": module(1, oneType, 3, oneFunc, 7, "\x01\x01c\x03\x00", 10, body("\x41\x00")),
		"the room":                 module(1, oneType, 3, oneFunc, 10, body("\x23\x01")),
		"an export of the tick":    module(1, oneType, 3, oneFunc, 7, "\x01\x01c\x00\x01", 10, body("\x41\x00")),
		"a start with the tick":    module(1, oneType, 3, oneFunc, 8, "\x01", 10, body("\x41\x00")),
		"a table with the tick":    module(1, oneType, 3, oneFunc, 4, "\x01\x70\x00\x01", 9, "\x01\x00\x41\x00\x0b\x01\x01", 10, body("\x41\x00")),
		"a global with the tick":   module(1, oneType, 3, oneFunc, 6, "\x01\x70\x00\xd2\x01\x0b", 10, body("\x41\x00")),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := meter.Add(code); !errors.Is(err, meter.ErrCode) {
				t.Errorf("Add: %v, want an error", err)
			}
		})
	}
	if _, err := meter.Add(module(1, oneType, 3, oneFunc, 10, body("\x41\x00"))); err != nil {
		t.Errorf("a plain module: %v", err)
	}
}

func TestBroken(t *testing.T) {
	for name, code := range map[string][]byte{
		"nothing":                nil,
		"another file":           []byte("#!/bin/sh\necho"),
		"another version":        []byte("\x00asm\x02\x00\x00\x00"),
		"sections out of order":  module(3, oneFunc, 1, oneType),
		"a section twice":        module(1, oneType, 1, oneType),
		"an unknown section":     module(77, ""),
		"bytes after a section":  module(1, oneType+"x"),
		"a list without end":     module(1, "\xff\xff\xff\xff\x0f"),
		"a long number":          module(1, "\x80\x80\x80\x80\x80\x80\x00"),
		"code that does not end": module(1, oneType, 3, oneFunc, 10, "\x01\x03\x00\x41\x00"),
		"code after the end":     module(1, oneType, 3, oneFunc, 10, "\x01\x05\x00\x41\x00\x0b\x0b"),
		"unknown instruction":    module(1, oneType, 3, oneFunc, 10, body("\xfe\x00\x41\x00")),
		"no bodies":              module(1, oneType, 3, oneFunc, 10, "\x00"),
		"no such type":           module(1, oneType, 3, "\x01\x05", 10, body("\x41\x00")),
		"too many locals":        module(1, oneType, 3, oneFunc, 10, "\x01\x0a\x01\xff\xff\xff\xff\x0f\x7f\x41\x00\x0b"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := meter.Add(code); !errors.Is(err, meter.ErrCode) {
				t.Errorf("Add: %v, want an error", err)
			}
		})
	}
}

// fixtures are modules of several compilers.
func fixtures(t testing.TB) [][]byte {
	t.Helper()
	var out [][]byte
	for _, pattern := range []string{"../wasmhost/testdata/*.wasm", "../wasmhost/testdata/hostile/*.wasm"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			code, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, code)
		}
	}
	if len(out) == 0 {
		t.Fatal("no fixtures")
	}
	return out
}

// compiles reports whether the compiler takes a module.
func compiles(ctx context.Context, rt wazero.Runtime, code []byte) bool {
	mod, err := rt.CompileModule(ctx, code)
	return err == nil && mod.Close(ctx) == nil
}

// TestStillValid: what compiled before compiles afterwards, metering what is metered
// too.
func TestStillValid(t *testing.T) {
	ctx := t.Context()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	for i, code := range fixtures(t) {
		if !compiles(ctx, rt, code) {
			continue
		}
		once, err := meter.Add(code)
		if err != nil || !compiles(ctx, rt, once) {
			t.Errorf("fixture %d: %v", i, err)
			continue
		}
		if twice, err := meter.Add(once); err != nil || !compiles(ctx, rt, twice) {
			t.Errorf("fixture %d again: %v", i, err)
		}
	}
}

// TestTicks counts the ticks of a loop, which runs as often as before.
func TestTicks(t *testing.T) {
	// i = 100000; while (i--) n += 3; return n
	loop := "\x41\xa0\x8d\x06\x21\x00\x03\x40\x20\x01\x41\x03\x6a\x21\x01\x20\x00\x41\x01\x6b\x22\x00\x0d\x00\x0b\x20\x01"
	code := module(1, oneType, 3, oneFunc, 7, "\x01\x01f\x00\x00", 10, "\x01"+string(rune(len(loop)+4))+"\x01\x02\x7f"+loop+"\x0b")
	got, err := meter.Add(code)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	ticks := 0
	_, err = rt.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(context.Context, []uint64) { ticks++ }), []api.ValueType{api.ValueTypeI32}, nil).Export(meter.Function).Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rt.Instantiate(ctx, got)
	if err != nil {
		t.Fatal(err)
	}
	r, err := mod.ExportedFunction("f").Call(ctx)
	if err != nil || r[0] != 300_000 {
		t.Errorf("f() = %v, %v, want 300000", r, err)
	}
	if want := 100_000 / meter.Interval; ticks != want {
		t.Errorf("%d ticks, want %d", ticks, want)
	}
}

// TestRoom calls a function a million times that leaves in every way there is: the room
// it took is back each time, and its two results are right.
func TestRoom(t *testing.T) {
	const (
		types = "\x02" + "\x60\x00\x01\x7f" + "\x60\x01\x7f\x02\x7f\x7f" // () -> i32, i32 -> i32 i32
		leaf  = "\x00\x41\x00\x0b"
		// calls the leaf; 0 returns from two blocks, 1 branches out of them, 2 out of one, 3 falls off the end
		ways = "\x00\x10\x00\x1a\x02\x40" +
			"\x20\x00\x45\x04\x40\x41\x01\x41\x02\x0f\x0b" +
			"\x20\x00\x41\x01\x46\x04\x40\x41\x03\x41\x04\x0c\x02\x0b" +
			"\x41\x05\x41\x06\x20\x00\x41\x02\x46\x0d\x01\x1a\x1a" +
			"\x0b\x41\x07\x41\x08\x0b"
		// i = 1000000; while (i--) n += both results of ways(i & 3); return n
		loop = "\x01\x02\x7f\x41\xc0\x84\x3d\x21\x00\x03\x40\x20\x00\x41\x01\x6b\x22\x00\x41\x03\x71\x10\x01\x6a\x20\x01\x6a\x21\x01" +
			"\x20\x00\x0d\x00\x0b\x20\x01\x0b"
	)
	sized := func(body string) string { return string(rune(len(body))) + body }
	code := module(1, types, 3, "\x03\x00\x01\x00", 7, "\x01\x01f\x00\x02", 10, "\x03"+sized(leaf)+sized(ways)+sized(loop))
	got, err := meter.Add(code)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	deep := false
	_, err = rt.NewHostModuleBuilder(meter.Module).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(_ context.Context, why []uint64) { deep = deep || why[0] == meter.TooDeep }), []api.ValueType{api.ValueTypeI32}, nil).
		Export(meter.Function).Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rt.Instantiate(ctx, got)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := mod.ExportedFunction("f").Call(ctx); err != nil || r[0] != 250_000*(1+2+3+4+5+6+7+8) {
		t.Errorf("f() = %v, %v, want 9000000", r, err)
	}
	if deep {
		t.Error("room was not given back")
	}
}

// FuzzAdd: no input makes it panic, and it never breaks a good module.
func FuzzAdd(f *testing.F) {
	for _, code := range fixtures(f) {
		if len(code) < 4096 {
			f.Add(code)
		}
	}
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2))
	f.Fuzz(func(t *testing.T, code []byte) {
		got, err := meter.Add(bytes.Clone(code))
		if err != nil {
			return // and the compiler never sees it: it allocates what lists say they need
		}
		if good, now := compiles(ctx, rt, code), compiles(ctx, rt, got); good != now {
			t.Fatalf("before it compiled: %v, now: %v", good, now)
		}
	})
}
