package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// modelConfig is what matters here of a model's config.json.
type modelConfig struct {
	Type       string  `json:"model_type"`
	Hidden     int     `json:"hidden_size"`
	Heads      int     `json:"num_attention_heads"`
	Inner      int     `json:"intermediate_size"`
	Layers     int     `json:"num_hidden_layers"`
	Activation string  `json:"hidden_act"`
	Positions  string  `json:"position_embedding_type"`
	Epsilon    float64 `json:"layer_norm_eps"`
}

// Convert reads a BERT sentence model from a folder as Hugging Face lays it out (config.json,
// model.safetensors, and if there 1_Pooling/config.json and tokenizer_config.json) and writes it as a
// pack. It refuses what this engine would compute wrongly: other architectures, activations or
// poolings, and cased vocabularies.
func Convert(dir string, out io.Writer) error {
	if err := convert(dir, out); err != nil {
		return fmt.Errorf("convert %s: %w", dir, err)
	}
	return nil
}

func convert(dir string, out io.Writer) (err error) {
	var c modelConfig
	if err := readJSON(filepath.Join(dir, "config.json"), &c); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	cls, err := readPooling(dir)
	if err != nil {
		return err
	}
	tok := struct {
		Lower *bool `json:"do_lower_case"`
	}{}
	if err := readJSON(filepath.Join(dir, "tokenizer_config.json"), &tok); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if tok.Lower != nil && !*tok.Lower {
		return errors.New("its tokenizer keeps upper case, which this engine does not")
	}
	file, release, err := mapFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	t, err := readTensors(file)
	if err != nil {
		return err
	}
	p, err := packTensors(t, c)
	if err != nil {
		return err
	}
	p.head = header{D: c.Hidden, H: c.Heads, I: c.Inner, L: c.Layers, CLS: cls, Ents: p.head.Ents}
	return p.write(out)
}

func (c *modelConfig) check() error {
	switch {
	case c.Type != "bert":
		return fmt.Errorf("model type is %q, not bert", c.Type)
	case c.Activation != "gelu":
		return fmt.Errorf("activation is %q, not gelu", c.Activation)
	case c.Positions != "" && c.Positions != "absolute":
		return fmt.Errorf("positions are %q, not absolute", c.Positions)
	case c.Epsilon < 0 || c.Epsilon > 1e-6:
		return fmt.Errorf("layer norm epsilon is %g, too large to be left out", c.Epsilon)
	}
	h := header{D: c.Hidden, H: c.Heads, I: c.Inner, L: c.Layers}
	return h.checkShape()
}

// readPooling reports whether the folder says that the first token's vector is the text's.
func readPooling(dir string) (cls bool, err error) {
	var p struct {
		CLS     bool `json:"pooling_mode_cls_token"`
		Mean    bool `json:"pooling_mode_mean_tokens"`
		Max     bool `json:"pooling_mode_max_tokens"`
		Root    bool `json:"pooling_mode_mean_sqrt_len_tokens"`
		Weights bool `json:"pooling_mode_weightedmean_tokens"`
		Last    bool `json:"pooling_mode_lasttoken"`
	}
	err = readJSON(filepath.Join(dir, "1_Pooling", "config.json"), &p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil // mean is what such models use
	case err != nil:
		return false, err
	case p.CLS == p.Mean || p.Max || p.Root || p.Weights || p.Last:
		return false, errors.New("its pooling is neither mean nor cls alone")
	}
	return p.CLS, nil
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
