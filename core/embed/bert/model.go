package bert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/internal/fingerprint"
	"github.com/orma-memory/orma/core/embed/wordpiece"
)

// Config says which model to run and how.
type Config struct {
	Path          string `toml:"path" doc:"the model's pack"`
	ID            string `toml:"id" doc:"name of the model; the file's name if empty"`
	Vocab         string `toml:"vocab" doc:"vocab.txt of the model; that of bert-base-uncased if empty"`
	Pooling       string `toml:"pooling" doc:"mean or cls; what the pack says if empty"`
	MaxTokens     int    `toml:"max_tokens" doc:"tokens read of a text; as many as the model has positions if 0"`
	QueryPrefix   string `toml:"query_prefix" doc:"put before questions, as e5 and bge models want it"`
	PassagePrefix string `toml:"passage_prefix" doc:"put before passages"`
}

// Validate returns every problem with the configuration.
func (c *Config) Validate() error {
	var errs []error
	if c.Path == "" {
		errs = append(errs, errors.New("path is not set"))
	}
	if c.Pooling != "" && c.Pooling != "mean" && c.Pooling != "cls" {
		errs = append(errs, fmt.Errorf("pooling is %q, not mean or cls", c.Pooling))
	}
	if c.MaxTokens < 0 || c.MaxTokens == 1 || c.MaxTokens == 2 {
		errs = append(errs, fmt.Errorf("max_tokens is %d, which leaves no room for text", c.MaxTokens))
	}
	return errors.Join(errs...)
}

var (
	// ErrNoModel says that there is no model file.
	ErrNoModel = errors.New("no model file")
	// ErrClosed says that the model was closed.
	ErrClosed = errors.New("model is closed")
)

// MiniLMFile is the name of the pack of all-MiniLM-L6-v2.
const MiniLMFile = "minilm-l6-int8.pack"

// MiniLMPath returns where that pack lies in Orma's folder.
func MiniLMPath(home string) string { return filepath.Join(home, "models", MiniLMFile) }

// OpenMiniLM opens all-MiniLM-L6-v2 from the first of the folders that has it in models: Orma's own
// and, for instance, that of the program. Where it is missing, the error matches [ErrNoModel] and names
// the first place.
func OpenMiniLM(homes ...string) (*Model, error) {
	c := Config{ID: "all-MiniLM-L6-v2"}
	for _, home := range homes {
		c.Path = MiniLMPath(home)
		if m, err := Open(c); !errors.Is(err, ErrNoModel) {
			return m, err
		}
	}
	if len(homes) > 0 {
		c.Path = MiniLMPath(homes[0])
	}
	return nil, fmt.Errorf("%w: %s is missing", ErrNoModel, c.Path)
}

// Model is an embedder. It is safe for concurrent use, each call on one goroutine.
type Model struct {
	info     embed.Info
	w        *weights
	vocab    *wordpiece.Vocab
	prefixes [2][]int32 // tokens, by kind
	pool     sync.Pool  // of *work

	mu    sync.RWMutex // held for writing while closing
	close func() error // nil once closed
}

var _ embed.Embedder = (*Model)(nil)

// Open opens a model. Its file is mapped into memory, not read, and must not be changed in place
// while it is open. A missing file gives [ErrNoModel], a damaged one [ErrPack].
func Open(c Config) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("bert: %w", err)
	}
	vocab := wordpiece.English()
	if c.Vocab != "" {
		text, err := os.ReadFile(c.Vocab)
		if err != nil {
			return nil, fmt.Errorf("vocabulary: %w", err)
		}
		if vocab, err = wordpiece.New(string(text)); err != nil {
			return nil, fmt.Errorf("vocabulary %s: %w", c.Vocab, err)
		}
	}
	file, unmap, err := mapFile(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s is missing", ErrNoModel, c.Path)
	} else if err != nil {
		return nil, fmt.Errorf("model %s: %w", c.Path, err)
	}
	m, err := newModel(c, file, vocab)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("model %s: %w", c.Path, err), unmap())
	}
	m.close = unmap
	return m, nil
}

// newModel returns a model over the bytes of a pack.
func newModel(c Config, file []byte, vocab *wordpiece.Vocab) (*Model, error) {
	w, err := readPack(file)
	if err != nil {
		return nil, err
	}
	if n := len(w.tokenScales); n < vocab.Len() {
		return nil, packError("%d token vectors for a vocabulary of %d", n, vocab.Len())
	}
	longest := len(w.positions) / w.dim
	switch {
	case longest < 3:
		return nil, packError("%d positions", longest)
	case c.MaxTokens > longest:
		return nil, fmt.Errorf("max_tokens is %d, the model has %d positions", c.MaxTokens, longest)
	case c.MaxTokens > 0:
		longest = c.MaxTokens
	}
	if c.Pooling != "" {
		w.cls = c.Pooling == "cls"
	}
	id := c.ID
	if id == "" {
		id = strings.TrimSuffix(filepath.Base(c.Path), filepath.Ext(c.Path))
	}
	m := &Model{w: w, vocab: vocab, close: func() error { return nil }}
	for i, p := range []string{c.QueryPrefix, c.PassagePrefix} {
		m.prefixes[i] = vocab.Encode(nil, p, 0)
		if len(m.prefixes[i]) > longest-3 {
			return nil, fmt.Errorf("prefix %q leaves no room for text in %d tokens", p, longest)
		}
	}
	revision, err := fingerprint.Of(bytes.NewReader(file), int64(len(file)), engine, w.cls, longest, c.QueryPrefix, c.PassagePrefix)
	if err != nil {
		return nil, err
	}
	m.info = embed.Info{ID: id, Revision: revision, Dim: w.dim, MaxTokens: longest}
	table := newGelu()
	m.pool.New = func() any { return &work{scratch: scratch{gelu: table}} }
	return m, nil
}

// engine is part of every revision: it changes when the arithmetic here does.
const engine = "1"

// Close releases the file. Calls of Embed that run finish first; later ones give [ErrClosed]. It may be
// called twice.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.close == nil {
		return nil
	}
	err := m.close()
	m.close, m.w = nil, nil
	return err
}

// Info describes the model.
func (m *Model) Info() embed.Info { return m.info }

// work is what one call of Embed needs.
type work struct {
	scratch
	ids   []int32   // of the texts in a pass, one after the other
	ends  []int     // where each text ends in ids
	rows  []int     // where each text's vector belongs in dst
	texts [][]int32 // parts of ids
	out   []float32
}

// passTokens is about how many tokens go through the model together. They share the loads of weights;
// more than this gain little.
const passTokens = 128

// Embed implements [embed.Embedder]. A text without tokens gets a zero vector. It looks at ctx before
// each layer, which is a matter of milliseconds.
func (m *Model) Embed(ctx context.Context, dst []float32, texts []string, kind embed.Kind) error {
	dim := m.info.Dim
	if len(dst) != len(texts)*dim {
		return fmt.Errorf("room of %d for %d texts of %d: %w", len(dst), len(texts), dim, embed.ErrBadCount)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.close == nil {
		return ErrClosed
	}
	k := m.pool.Get().(*work)
	defer m.pool.Put(k)
	clear(dst)
	for at := 0; at < len(texts); {
		at = m.tokenize(k, texts, at, kind)
		if len(k.texts) == 0 {
			continue
		}
		k.out = resize(k.out, len(k.texts)*dim)
		if err := m.w.forward(ctx, &k.scratch, k.out, k.texts); err != nil {
			return err
		}
		for i, row := range k.rows {
			copy(dst[row*dim:][:dim], k.out[i*dim:])
		}
	}
	return nil
}

// tokenize fills k with the next texts from texts[at] on, and returns which comes after them.
func (m *Model) tokenize(k *work, texts []string, at int, kind embed.Kind) int {
	cls, sep := m.vocab.Special()
	prefix := m.prefixes[min(kind, embed.Passage)]
	k.ids, k.ends, k.rows, k.texts = k.ids[:0], k.ends[:0], k.rows[:0], k.texts[:0]
	for ; at < len(texts) && len(k.ids) < passTokens; at++ {
		start := len(k.ids)
		k.ids = append(append(k.ids, cls), prefix...)
		before := len(k.ids)
		k.ids = m.vocab.Encode(k.ids, texts[at], m.info.MaxTokens-2-len(prefix))
		if len(k.ids) == before {
			k.ids = k.ids[:start]
			continue
		}
		k.ids = append(k.ids, sep)
		k.ends, k.rows = append(k.ends, len(k.ids)), append(k.rows, at)
	}
	start := 0
	for _, end := range k.ends {
		k.texts = append(k.texts, k.ids[start:end])
		start = end
	}
	return at
}
