package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/orma-memory/orma/core/embed"
)

// protocol is the language of a service.
type protocol interface {
	name() string
	path() string
	// request returns what is sent as JSON.
	request(c *Config, texts []string) any
	// vectors reads the answer to a request with n texts: n vectors in the order of the texts.
	vectors(body []byte, n int) ([]numbers, error)
}

// ollama is POST /api/embed.
type ollama struct{}

func (ollama) name() string { return "ollama" }
func (ollama) path() string { return "/api/embed" }

func (ollama) request(c *Config, texts []string) any {
	return struct {
		Model    string   `json:"model"`
		Input    []string `json:"input"`
		Truncate bool     `json:"truncate"`
	}{c.Model, texts, true}
}

func (ollama) vectors(body []byte, n int) ([]numbers, error) {
	var a struct{ Embeddings []numbers }
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	if len(a.Embeddings) != n {
		return nil, fmt.Errorf("%d vectors for %d texts: %w", len(a.Embeddings), n, embed.ErrBadCount)
	}
	return a.Embeddings, nil
}

// openai is POST /embeddings below a base address that ends in /v1.
type openai struct{}

func (openai) name() string { return "openai" }
func (openai) path() string { return "/embeddings" }

func (openai) request(c *Config, texts []string) any {
	r := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{Model: c.Model, Input: texts, Format: "float"}
	if c.Shorten {
		r.Dimensions = c.Dim
	}
	return r
}

func (openai) vectors(body []byte, n int) ([]numbers, error) {
	var a struct {
		Data []struct {
			Index     *int
			Embedding numbers
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts: %w", len(a.Data), n, embed.ErrBadCount)
	}
	out := make([]numbers, n)
	for i, d := range a.Data {
		if d.Index != nil { // some services leave it out
			i = *d.Index
		}
		if i < 0 || i >= n || out[i] != nil {
			return nil, fmt.Errorf("vector with index %d of %d is there twice or out of range: %w", i, n, embed.ErrBadCount)
		}
		if d.Embedding == nil {
			return nil, fmt.Errorf("no vector with index %d: %w", i, embed.ErrBadCount)
		}
		out[i] = d.Embedding
	}
	return out, nil
}

// numbers is a JSON array of finite numbers. Unlike a plain []float32 it takes no null for 0.
type numbers []float32

var errNumbers = errors.New("not an array of numbers")

// UnmarshalJSON reads an array, which the caller has checked to be valid JSON.
func (v *numbers) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '[' {
		return errNumbers
	}
	out := make(numbers, 0, len(b)/8)
	for at := 1; at < len(b); {
		if white(b[at]) || b[at] == ',' || b[at] == ']' {
			at++
			continue
		}
		end := at
		for b[end] != ',' && b[end] != ']' && !white(b[end]) {
			end++
		}
		x, err := strconv.ParseFloat(string(b[at:end]), 32)
		if err != nil {
			if s := string(b[at:end]); s == "null" || s == "NaN" {
				return fmt.Errorf("value %d is %s: %w", len(out), s, embed.ErrNotFinite)
			}
			return fmt.Errorf("value %d: %w", len(out), errNumbers)
		}
		if len(out) == maxDim {
			return fmt.Errorf("more than %d values: %w", maxDim, embed.ErrBadDim)
		}
		out = append(out, float32(x))
		at = end
	}
	*v = out
	return nil
}

func white(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
