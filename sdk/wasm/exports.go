//go:build wasip1

package wasm

import (
	"context"
	"unsafe"

	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
)

// served is the plugin of this module.
var served *guest.Plugin

func serve(p *guest.Plugin) { served = p }

// What the host points at lives here until the next call, out of reach of the garbage
// collector.
var (
	arena    []uint64
	manifest []byte
	answer   []uint64
	failure  string
)

//go:wasmexport orma_abi
func ormaABI() uint32 { return abi.Version }

//go:wasmexport orma_manifest
func ormaManifest() uint64 {
	if manifest == nil {
		manifest = served.Manifest()
	}
	return at(unsafe.Pointer(unsafe.SliceData(manifest)), len(manifest))
}

//go:wasmexport orma_alloc
func ormaAlloc(n uint32) uint32 {
	arena = make([]uint64, (int(n)+7)/8+1)
	return uint32(uintptr(unsafe.Pointer(&arena[0])))
}

//go:wasmexport orma_configure
func ormaConfigure(ptr, n uint32) uint32 { return code(served.Configure(block(ptr, n))) }

//go:wasmexport orma_run
func ormaRun(ptr, n uint32) uint32 { return code(served.Run(block(ptr, n))) }

//go:wasmexport orma_extract
func ormaExtract(ptr, n uint32) uint64 {
	items, err := served.Extract(context.Background(), block(ptr, n))
	if err != nil {
		return uint64(code(err))
	}
	if items == nil {
		return 0
	}
	answer = make([]uint64, (len(items)+7)/8)
	p := unsafe.Pointer(&answer[0])
	copy(unsafe.Slice((*byte)(p), len(items)), items)
	return at(p, len(items))
}

//go:wasmexport orma_error
func ormaError(uint32) uint64 { return at(unsafe.Pointer(unsafe.StringData(failure)), len(failure)) }

// block is n bytes of the arena.
func block(ptr, n uint32) []byte {
	if ptr != uint32(uintptr(unsafe.Pointer(unsafe.SliceData(arena)))) || int(n) > 8*len(arena) {
		panic("the block is not in the arena")
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&arena[0])), n)
}

func at(p unsafe.Pointer, n int) uint64 { return uint64(uintptr(p))<<32 | uint64(uint32(n)) }

// code keeps an error's text for orma_error.
func code(err error) uint32 {
	if err == nil {
		return 0
	}
	failure = err.Error()
	return guest.Code(err)
}
