// Package proc makes a program of a plugin in Go, which Orma starts and talks to over
// gRPC:
//
//	func main() { proc.Serve(&myRanker{}) }
//
// The plugin is the same [guest.Ranker], [guest.Extractor], [guest.Sleeper] or
// [guest.Embedder] as in package sdk/wasm, and one main package can be both.
//
// Calls come one at a time, unless the plugin has a method Concurrent() bool that says
// true: then calls of Embed, Extract and Sleep may overlap. What it writes to stderr goes
// to Orma's log at level debug.
package proc

import "github.com/orma-memory/orma/sdk/guest"

// Serve serves p until Orma ends, and then ends the program. In a WebAssembly module,
// where package sdk/wasm serves, it does nothing.
func Serve(p any) { serve(p, guest.New(p)) }
