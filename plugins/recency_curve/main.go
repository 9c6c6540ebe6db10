// Command recency-curve is a plugin: it multiplies the score by a curve over age.
package main

import "github.com/orma-memory/orma/sdk/wasm"

var _ = wasm.Serve(&curves{})

func main() {}
