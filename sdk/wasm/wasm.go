// Package wasm makes a WebAssembly module of a plugin in Go:
//
//	var _ = wasm.Serve(&myRanker{})
//
//	func main() {}
//
// built with GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared. In other builds
// Serve does nothing, so that a plugin's own tests run anywhere.
package wasm

import "github.com/orma-memory/orma/sdk/guest"

// Serve makes p, a [guest.Ranker], [guest.Extractor], [guest.Sleeper] or [guest.Embedder], the plugin of
// this module. It returns true, so that it can stand in a variable's declaration: the
// host starts the module without calling main.
func Serve(p any) bool {
	serve(guest.New(p))
	return true
}
