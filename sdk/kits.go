// Package sdk holds the kits for plugin authors as files, so that `orma plugin new` can
// write a folder which builds as it is.
package sdk

import "embed"

// Kits are the sources of the kits, and in template/ plugins to start from. Names of
// Go files in templates end in .txt, since they belong to no module of ours.
//
//go:embed abi/*.go guest/*.go wasm/*.go proc/*.go proc/pb/*.go proc/python/orma_plugin/*.py rust/Cargo.toml rust/src assemblyscript/orma.ts c/orma.h template
var Kits embed.FS
