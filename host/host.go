// Package host loads plugins. What it returns are ordinary specs: once loaded, a
// plugin is configured, traced, tested and switched off like a built-in.
package host

import (
	"context"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/pipeline"
	"github.com/orma-memory/orma/core/sleep"
)

// Host runs the plugins of one runtime: WASM modules, or plugin processes.
type Host interface {
	// Open starts the plugin at src and returns what it provides. It fails if the
	// digest, the ABI version or the manifest is not what it should be; a plugin is
	// never skipped in silence.
	Open(ctx context.Context, src Source) (Provided, error)
	// Close stops every plugin that Open started. It may be called twice.
	Close() error
}

// DigestError is a plugin's file that is not the one the configuration names.
type DigestError struct{ Path, Want, Got string }

// Error names the file and both digests.
func (e *DigestError) Error() string {
	return fmt.Sprintf("%s has changed: its sha256 is %s, the configuration says %s", e.Path, e.Got, e.Want)
}

// UntrustedError is a plugin that would run with the user's own rights, which the
// configuration does not allow.
type UntrustedError struct{ Path, SHA256 string }

// Error says what it means and what to do.
func (e *UntrustedError) Error() string {
	return fmt.Sprintf("%s is a program: unlike a .wasm module it runs with your own rights and can read and send what you can. "+
		"If you trust whoever made it, set trusted = true and sha256 = %q", e.Path, e.SHA256)
}

// Source says where a plugin is and how far it is trusted.
type Source struct {
	Path    string   // a .wasm file, or an executable
	SHA256  string   // digest that the file must have, in hexadecimal; empty for any
	Trusted bool     // a module: run without the checks that can stop it; a program: may run at all
	Env     []string // a program: names of variables that it is given besides the usual ones
}

// Check compares the digest of the file with the one it must have. It fails with a
// [DigestError].
func (s Source) Check(digest string) error {
	if s.SHA256 == "" || strings.EqualFold(s.SHA256, digest) {
		return nil
	}
	return &DigestError{Path: s.Path, Want: strings.ToLower(s.SHA256), Got: digest}
}

// Provided is what one plugin adds to the registries.
type Provided struct {
	Info       Info
	Stages     []pipeline.Spec
	Embedders  []component.Spec[embed.Embedder]
	Extractors []component.Spec[sleep.Extractor]
}

// Info describes an opened plugin for people.
type Info struct {
	Name     string // the stage type, embedder type or extractor
	Version  string // the plugin's own
	Contract string // rank, extract, sleep or embed
	Runtime  string // wasm or process
	Path     string
	SHA256   string // of the file
	Bytes    int64  // of the file
	Trusted  bool
	Params   []Param
}

// Param is a parameter of a plugin, in words.
type Param struct {
	Name    string
	Kind    string // number, string or file
	Default string // as TOML
	Range   string // empty for anything
	Doc     string
}
