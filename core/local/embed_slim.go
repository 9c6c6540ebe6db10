//go:build slim

package local

import (
	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
)

// hugotEmbedder is left out of a slim build.
func hugotEmbedder() []component.Spec[embed.Embedder] { return nil }
