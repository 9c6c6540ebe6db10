//go:build !slim

package local

import (
	"log/slog"
	"os"
	"path/filepath"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/hugot"
)

// hugotEmbedder runs any ONNX sentence model. It and its libraries are a third of the
// program; -tags slim leaves them out.
func hugotEmbedder() []component.Spec[embed.Embedder] {
	return []component.Spec[embed.Embedder]{component.Define(component.About{
		Name:    "hugot",
		Summary: "Any ONNX sentence model, in plain Go: slow, and every language there is a model for",
		Doc:     "Reads a model's folder: a path, or its name under models in Orma's folder, where `orma model pull` puts it. " + hugot.SlowNote + ".",
	}, hugot.Config{}, func(c hugot.Config, d component.Deps) (embed.Embedder, error) {
		if named := filepath.Join(d.Home, "models", c.Path); filepath.Base(c.Path) == c.Path && exists(named) {
			c.Path = named
		}
		c.Path = abs(d.Dir, c.Path)
		if d.Log != nil {
			d.Log.Info(hugot.SlowNote, slog.String("model", c.Path))
		}
		return hugot.Open(c)
	})}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
