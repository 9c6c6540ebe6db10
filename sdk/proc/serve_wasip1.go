package proc

import "github.com/orma-memory/orma/sdk/guest"

// serve does nothing: main never runs in a module.
func serve(any, *guest.Plugin) {}
