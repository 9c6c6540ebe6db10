package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// PluginFile is the plugin.toml of a plugin's folder: what it is and how it is built.
// What the plugin does, its parameters among it, is said by its manifest alone.
type PluginFile struct {
	Name     string `toml:"name"`
	Version  string `toml:"version"`
	Contract string `toml:"contract"` // rank, extract, sleep or embed
	ABI      int    `toml:"abi"`
	Runtime  string `toml:"runtime"`  // wasm or process
	Language string `toml:"language"` // go, rust, assemblyscript, c or python
}

// ReadPluginFile reads a plugin.toml, strictly.
func ReadPluginFile(path string) (PluginFile, error) {
	var p PluginFile
	src, err := readFile(path)
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	md, err := toml.Decode(src, &p)
	if err != nil {
		line, err := position(err)
		return p, fmt.Errorf("%s:%d: %w", path, line, err)
	}
	var errs []error
	for _, k := range md.Keys() {
		if !slices.Contains(fields(&p), k.String()) {
			errs = append(errs, fmt.Errorf("%s: unknown key %q%s", path, k, hint(k.String(), fields(&p))))
		}
	}
	for _, k := range fields(&p) {
		if !md.IsDefined(k) {
			errs = append(errs, fmt.Errorf("%s: %s is missing", path, k))
		}
	}
	if p.Name == "" || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		errs = append(errs, fmt.Errorf("%s: name %q is not lower_snake_case", path, p.Name))
	}
	return p, errors.Join(errs...)
}
