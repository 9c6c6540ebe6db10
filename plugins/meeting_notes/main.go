// Command meeting_notes is a plugin: it finds decisions and tasks in meeting notes.
package main

import "github.com/orma-memory/orma/sdk/wasm"

var _ = wasm.Serve(&notes{})

func main() {}
