package sentence_model

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/bert"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/prochost"
)

// TestModel runs what was built with all-MiniLM-L6-v2. Building and the conformance suite
// are tested with all plugins, in cmd/internal/plugin.
func TestModel(t *testing.T) {
	path, err := filepath.Abs("sentence_model")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, filepath.Join("model", "model.onnx")} {
		if _, err := os.Stat(file); err != nil {
			t.Skipf("skipped: %v; see README.md", err)
		}
	}
	h := prochost.New(prochost.Options{EmbedTimeout: time.Minute})
	defer h.Close()
	p, err := h.Open(t.Context(), host.Source{Path: path, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Embedders[0].Build(p.Embedders[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"The car is being repaired.", "My vehicle is in the workshop.", "We grow tomatoes on the balcony."}
	dim := e.Info().Dim
	v := make([]float32, dim*len(texts))
	if err := e.Embed(t.Context(), v, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	if near, far := dot(v[:dim], v[dim:2*dim]), dot(v[:dim], v[2*dim:]); near < far+0.2 {
		t.Errorf("a paraphrase is at %v, another subject at %v", near, far)
	}
	own, err := bert.OpenMiniLM(filepath.Join("..", "..", "..", "shared"))
	if err != nil {
		t.Logf("not compared with the built-in engine: %v", err)
		return
	}
	w := make([]float32, dim*len(texts))
	if err := own.Embed(t.Context(), w, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		// The built-in engine has 8-bit weights.
		if c := dot(v[i*dim:(i+1)*dim], w[i*dim:(i+1)*dim]); c < 0.99 {
			t.Errorf("%q: cosine %v to the built-in engine", texts[i], c)
		}
	}
}

func dot(a, b []float32) float32 {
	sum := float32(0)
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
