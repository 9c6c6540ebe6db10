//go:build !wasip1

package wasm

import "github.com/orma-memory/orma/sdk/guest"

// serve does nothing where there is no host.
func serve(*guest.Plugin) {}
