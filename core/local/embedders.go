package local

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/bert"
	"github.com/orma-memory/orma/core/embed/remote"
	"github.com/orma-memory/orma/core/embed/static"
)

// embedders are the types that an [embedder.NAME] table can name.
func embedders() []component.Spec[embed.Embedder] {
	return append([]component.Spec[embed.Embedder]{
		component.Define(component.About{
			Name:    "static",
			Summary: "A table of word-piece vectors in the binary: microseconds a text, English",
			Doc:     "The default. It needs no download and no service. See core/embed/static.",
		}, struct{}{}, func(struct{}, component.Deps) (embed.Embedder, error) { return static.New(), nil }),
		component.Define(component.About{
			Name:    "minilm",
			Summary: "all-MiniLM-L6-v2 with int8 weights, run in this process",
			Doc: `
Better than static where the words of question and answer differ; about 5 ms of CPU a
query and 13 ms a note. It reads models/minilm-l6-int8.pack in Orma's folder.`,
		}, struct{}{}, func(_ struct{}, d component.Deps) (embed.Embedder, error) {
			return bert.OpenMiniLM(d.Home, programDir())
		}),
		component.Define(component.About{
			Name:    "bert",
			Summary: "A BERT-shaped sentence model of your own, run in this process",
			Doc:     "Reads a pack, as `orma model pack` makes it from safetensors, with mean or CLS pooling.",
		}, bert.Config{}, func(c bert.Config, d component.Deps) (embed.Embedder, error) {
			c.Path = abs(d.Dir, c.Path)
			c.Vocab = abs(d.Dir, c.Vocab)
			return bert.Open(c)
		}),
		component.Define(component.About{
			Name:    "ollama",
			Summary: "Embeddings of an Ollama server",
			Doc:     "Asks /api/embed. Recall goes on by text alone while the server is away.",
		}, remote.OllamaDefaults(), func(c remote.Config, _ component.Deps) (embed.Embedder, error) {
			return asked(remote.NewOllama(c, remote.Options{}))
		}),
		component.Define(component.About{
			Name:    "openai",
			Summary: "Embeddings of an OpenAI-compatible server",
			Doc:     "Asks /v1/embeddings: llama.cpp, vLLM, LM Studio, or a paid service.",
		}, remote.OpenAIDefaults(), func(c remote.Config, _ component.Deps) (embed.Embedder, error) {
			return asked(remote.NewOpenAI(c, remote.Options{}))
		}),
	}, hugotEmbedder()...)
}

// discoverWait is how long a service is waited for that must say the length of its
// vectors. Setting dim saves the question.
const discoverWait = 3 * time.Second

// asked finds out the length of a service's vectors.
func asked(c *remote.Client, err error) (embed.Embedder, error) {
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), discoverWait)
	defer cancel()
	if err := c.Discover(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// programDir is the folder of the running program, where a release may put models.
func programDir() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Dir(exe)
}

// abs makes a path of a configuration absolute: it starts from the file's folder.
func abs(dir, path string) string {
	if path == "" || filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}
