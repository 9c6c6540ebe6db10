package wasmhost

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// wasiModule is where guests of Go and of C libraries import the system from.
const wasiModule = "wasi_snapshot_preview1"

// Error numbers of WASI.
const (
	wasiOK     = 0
	wasiBadFD  = 8
	wasiFault  = 21
	wasiInval  = 28
	wasiNoSys  = 52
	maxWASIIn  = 64 << 10 // bytes that one call reads or writes
	wasiMoment = 1_640_995_200_000_000_000
)

// exitError is a guest that ended itself.
type exitError uint32

func (e exitError) Error() string { return fmt.Sprintf("guest exited with code %d", uint32(e)) }

// wasiFunction is one function of WASI. Its parameters are i for i32 and I for i64; it
// returns an error number.
type wasiFunction struct {
	params string
	call   func(mem api.Memory, p []uint64) uint32 // nil: there is no such file
}

// wasi lists all functions of the system interface, with nothing behind them: no
// files, no arguments, no environment, no sockets. The clock stands still and random
// bytes are always the same, so that equal frames give equal results. What is written
// to standard output and error goes nowhere.
func wasi() map[string]wasiFunction {
	none := func(mem api.Memory, p []uint64) uint32 { // two counts, both 0
		return put(mem, p[0], 0, 4) | put(mem, p[1], 0, 4)
	}
	fine := func(api.Memory, []uint64) uint32 { return wasiOK }
	nosys := func(api.Memory, []uint64) uint32 { return wasiNoSys }
	return map[string]wasiFunction{
		"args_get": {"ii", fine}, "args_sizes_get": {"ii", none},
		"environ_get": {"ii", fine}, "environ_sizes_get": {"ii", none},
		"clock_res_get":  {"ii", func(mem api.Memory, p []uint64) uint32 { return put(mem, p[1], 1, 8) }},
		"clock_time_get": {"iIi", func(mem api.Memory, p []uint64) uint32 { return put(mem, p[2], wasiMoment, 8) }},
		"random_get":     {"ii", wasiRandom},
		"fd_write":       {"iiii", wasiWrite},
		"fd_fdstat_get":  {"ii", wasiStat},
		"sched_yield":    {"", fine},
		"poll_oneoff":    {"iiii", nosys},
		"proc_raise":     {"i", nosys},

		"fd_advise": {"iIIi", nil}, "fd_allocate": {"iII", nil}, "fd_close": {"i", nil}, "fd_datasync": {"i", nil},
		"fd_fdstat_set_flags": {"ii", nil}, "fd_fdstat_set_rights": {"iII", nil}, "fd_filestat_get": {"ii", nil},
		"fd_filestat_set_size": {"iI", nil}, "fd_filestat_set_times": {"iIIi", nil}, "fd_pread": {"iiiIi", nil},
		"fd_prestat_get": {"ii", nil}, "fd_prestat_dir_name": {"iii", nil}, "fd_pwrite": {"iiiIi", nil},
		"fd_read": {"iiii", nil}, "fd_readdir": {"iiiIi", nil}, "fd_renumber": {"ii", nil}, "fd_seek": {"iIii", nil},
		"fd_sync": {"i", nil}, "fd_tell": {"ii", nil},
		"path_create_directory": {"iii", nil}, "path_filestat_get": {"iiiii", nil},
		"path_filestat_set_times": {"iiiiIIi", nil}, "path_link": {"iiiiiii", nil}, "path_open": {"iiiiiIIii", nil},
		"path_readlink": {"iiiiii", nil}, "path_remove_directory": {"iii", nil}, "path_rename": {"iiiiii", nil},
		"path_symlink": {"iiiii", nil}, "path_unlink_file": {"iii", nil},
		"sock_accept": {"iii", nil}, "sock_recv": {"iiiiii", nil}, "sock_send": {"iiiii", nil}, "sock_shutdown": {"ii", nil},
	}
}

// put writes an integer of 4 or 8 bytes where a guest asked for it.
func put(mem api.Memory, at uint64, v uint64, size int) uint32 {
	ok := size == 8 && mem.WriteUint64Le(uint32(at), v) || size == 4 && mem.WriteUint32Le(uint32(at), uint32(v))
	if !ok {
		return wasiFault
	}
	return wasiOK
}

// wasiRandom fills memory with the same bytes every time.
func wasiRandom(mem api.Memory, p []uint64) uint32 {
	n := uint32(p[1])
	if n > maxWASIIn {
		return wasiInval
	}
	b, ok := mem.Read(uint32(p[0]), n)
	if !ok {
		return wasiFault
	}
	x := uint64(0x9e3779b97f4a7c15)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return wasiOK
}

// wasiWrite swallows what is written to standard output and error.
func wasiWrite(mem api.Memory, p []uint64) uint32 {
	if fd := uint32(p[0]); fd != 1 && fd != 2 {
		return wasiBadFD
	}
	total, count := uint64(0), uint32(p[2])
	if count > 1024 {
		return wasiInval
	}
	for i := range count {
		n, ok := mem.ReadUint32Le(uint32(p[1]) + 8*i + 4)
		if !ok {
			return wasiFault
		}
		total += uint64(n)
	}
	return put(mem, p[3], min(total, 1<<31), 4)
}

// wasiStat says that the standard streams are there.
func wasiStat(mem api.Memory, p []uint64) uint32 {
	if uint32(p[0]) > 2 {
		return wasiBadFD
	}
	if !mem.Write(uint32(p[1]), append([]byte{2}, make([]byte, 23)...)) {
		return wasiFault
	}
	return wasiOK
}

// instantiateWASI gives the runtime the functions of WASI that a guest imports.
func instantiateWASI(ctx context.Context, rt wazero.Runtime, imports []string) error {
	if len(imports) == 0 {
		return nil
	}
	known := wasi()
	b := rt.NewHostModuleBuilder(wasiModule)
	for _, name := range imports {
		if name == "proc_exit" {
			exit := api.GoModuleFunc(func(_ context.Context, _ api.Module, p []uint64) { panic(exitError(p[0])) })
			b.NewFunctionBuilder().WithGoModuleFunction(exit, []api.ValueType{api.ValueTypeI32}, nil).Export(name)
			continue
		}
		f, ok := known[name]
		if !ok {
			return fmt.Errorf("imports %s.%s, which WASI does not have", wasiModule, name)
		}
		params := make([]api.ValueType, len(f.params))
		for i, c := range f.params {
			params[i] = api.ValueTypeI32
			if c == 'I' {
				params[i] = api.ValueTypeI64
			}
		}
		fn := api.GoModuleFunc(func(ctx context.Context, mod api.Module, stack []uint64) {
			tick(ctx, nil) // metered code counts a call as one step, whatever it costs here
			errno := uint32(wasiBadFD)
			if f.call != nil {
				errno = f.call(mod.Memory(), stack)
			}
			stack[0] = uint64(errno)
		})
		b.NewFunctionBuilder().WithGoModuleFunction(fn, params, []api.ValueType{api.ValueTypeI32}).Export(name)
	}
	_, err := b.Instantiate(ctx)
	return err
}
