package hugot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Config says which model to run and how.
type Config struct {
	Path          string `toml:"path" doc:"folder with the model's .onnx file, tokenizer.json and config.json"`
	ID            string `toml:"id" doc:"name of the model; the folder's name if empty"`
	File          string `toml:"file" doc:"which .onnx file, if there are several"`
	Output        string `toml:"output" doc:"name of the ONNX output to use; the first if empty"`
	Dim           int    `toml:"dim" doc:"values in a vector; what config.json says if 0"`
	MaxTokens     int    `toml:"max_tokens" doc:"tokens read of a text; what the model's files say if 0"`
	QueryPrefix   string `toml:"query_prefix" doc:"put before questions, as e5 and bge models want it"`
	PassagePrefix string `toml:"passage_prefix" doc:"put before passages"`
}

// Validate returns every problem with the configuration.
func (c *Config) Validate() error {
	var errs []error
	if c.Path == "" {
		errs = append(errs, errors.New("path is not set"))
	}
	if c.File != "" && (filepath.Base(c.File) != c.File || !strings.HasSuffix(c.File, ".onnx")) {
		errs = append(errs, fmt.Errorf("file is %q, not the name of an .onnx file", c.File))
	}
	if c.Dim < 0 || c.Dim > maxDim {
		errs = append(errs, fmt.Errorf("dim is %d, not within 0 to %d", c.Dim, maxDim))
	}
	if c.MaxTokens < 0 || c.MaxTokens > 0 && c.MaxTokens < 8 || c.MaxTokens > maxTokens {
		errs = append(errs, fmt.Errorf("max_tokens is %d, not 0 or within 8 to %d", c.MaxTokens, maxTokens))
	}
	return errors.Join(errs...)
}

const (
	maxDim    = 8192
	maxTokens = 8192
)

var (
	// ErrNoModel says that the folder holds no model that can be run.
	ErrNoModel = errors.New("no usable model")
	// ErrPooling says that a model wants a pooling that the library does not do.
	ErrPooling = errors.New("pooling is not supported")
)

// model is what the files of a folder say about the model.
type model struct {
	onnx      string // path of the file
	dim       int
	maxTokens int
}

// inspect reads the small files of the folder. It does not read the weights.
func inspect(c Config) (m model, err error) {
	if m.onnx, err = findONNX(c); err != nil {
		return m, err
	}
	if _, err := os.Stat(filepath.Join(c.Path, "tokenizer.json")); err != nil {
		return m, fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	var conf struct {
		Hidden    int `json:"hidden_size"`
		Positions int `json:"max_position_embeddings"`
	}
	if err := readJSON(filepath.Join(c.Path, "config.json"), &conf); err != nil {
		return m, err
	}
	var sentence struct {
		Longest int `json:"max_seq_length"`
	}
	if err := readJSON(filepath.Join(c.Path, "sentence_bert_config.json"), &sentence); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	m.dim, m.maxTokens = c.Dim, conf.Positions
	if m.dim == 0 {
		m.dim = conf.Hidden
	}
	if m.dim < 1 || m.dim > maxDim {
		return m, fmt.Errorf("%w: config.json tells no usable hidden_size; set dim", ErrNoModel)
	}
	if sentence.Longest > 0 && (m.maxTokens == 0 || sentence.Longest < m.maxTokens) {
		m.maxTokens = sentence.Longest
	}
	if c.MaxTokens > 0 && m.maxTokens > 0 && c.MaxTokens > m.maxTokens {
		return m, fmt.Errorf("max_tokens is %d, the model takes %d", c.MaxTokens, m.maxTokens)
	}
	if c.MaxTokens > 0 {
		m.maxTokens = c.MaxTokens
	}
	if m.maxTokens < 3 || m.maxTokens > maxTokens {
		return m, fmt.Errorf("%w: its files tell no usable length; set max_tokens", ErrNoModel)
	}
	return m, checkPooling(c)
}

// findONNX returns the .onnx file to use.
func findONNX(c Config) (string, error) {
	var files []string
	err := filepath.WalkDir(c.Path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".onnx") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	if c.File != "" {
		files = slices.DeleteFunc(files, func(p string) bool { return filepath.Base(p) != c.File })
	}
	switch len(files) {
	case 0:
		return "", fmt.Errorf("%w: %s holds no .onnx file", ErrNoModel, filepath.Join(c.Path, c.File))
	case 1:
		return files[0], nil
	}
	return "", fmt.Errorf("%w: %s holds several .onnx files; set file", ErrNoModel, c.Path)
}

// checkPooling refuses a model that is not meant to be averaged, unless the configuration names the
// output to use.
func checkPooling(c Config) error {
	var p map[string]any
	err := readJSON(filepath.Join(c.Path, "1_Pooling", "config.json"), &p)
	if errors.Is(err, fs.ErrNotExist) || c.Output != "" {
		return nil
	} else if err != nil {
		return err
	}
	for key, on := range p {
		if on == true && strings.HasPrefix(key, "pooling_mode_") && key != "pooling_mode_mean_tokens" {
			return fmt.Errorf("%w: the model wants %s, and only pooling_mode_mean_tokens is done here; "+
				"use an ONNX export with a pooled output and name it in output (often sentence_embedding), "+
				"run the model with use = \"bert\" and pooling = \"cls\", or choose a model that is averaged", ErrPooling, key)
		}
	}
	if p["pooling_mode_mean_tokens"] != true {
		return fmt.Errorf("%w: 1_Pooling/config.json names none", ErrPooling)
	}
	return nil
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrNoModel, path, err)
	}
	return nil
}
