// Package configs holds the profiles that are compiled in: default.toml lies under
// every configuration, the others can take its place. Sweeps for ablations are in
// ablations.
package configs

import "embed"

// FS holds the profiles as NAME.toml and the sweeps as ablations/NAME.toml.
//
//go:embed *.toml ablations/*.toml
var FS embed.FS
