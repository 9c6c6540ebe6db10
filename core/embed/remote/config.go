package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Config is how to reach a service.
type Config struct {
	URL           string `toml:"url" doc:"address of the service, such as http://127.0.0.1:11434 or https://api.openai.com/v1"`
	Model         string `toml:"model" doc:"name of the model at the service"`
	Revision      string `toml:"revision" doc:"a name for the version of the model; change it when the model changed"`
	Dim           int    `toml:"dim" doc:"values in a vector; 0 asks the service"`
	Shorten       bool   `toml:"shorten" doc:"ask the service for vectors of dim values (text-embedding-3; OpenAI only)"`
	MaxTokens     int    `toml:"max_tokens" doc:"tokens that the model reads of a text; 0 if unknown"`
	KeyEnv        string `toml:"key_env" doc:"environment variable that holds the key"`
	QueryPrefix   string `toml:"query_prefix" doc:"put before questions, as e5 and bge models want it"`
	PassagePrefix string `toml:"passage_prefix" doc:"put before passages"`
	Batch         int    `toml:"batch" doc:"most texts in a request"`
	TimeoutMS     int    `toml:"timeout_ms" doc:"longest wait for one answer, in milliseconds"`
	Retries       int    `toml:"retries" doc:"how often an overloaded service is asked again"`
}

// OllamaDefaults returns what an Ollama on this machine needs; the model is the caller's choice.
func OllamaDefaults() Config {
	return Config{URL: "http://127.0.0.1:11434", Batch: 32, TimeoutMS: 30_000, Retries: 2}
}

// OpenAIDefaults returns what OpenAI's own service needs; the model is the caller's choice.
func OpenAIDefaults() Config {
	return Config{URL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Batch: 64, TimeoutMS: 30_000, Retries: 2}
}

const maxDim = 8192

// Validate returns every problem with the configuration.
func (c *Config) Validate() error {
	var errs []error
	u, err := url.Parse(c.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		errs = append(errs, fmt.Errorf("url %q is no http or https address", c.URL))
	} else if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		errs = append(errs, errors.New("url must hold no user, query or fragment; a key belongs in the variable that key_env names"))
	}
	if strings.TrimSpace(c.Model) == "" {
		errs = append(errs, errors.New("model is not set"))
	}
	if c.Shorten && c.Dim == 0 {
		errs = append(errs, errors.New("shorten needs dim"))
	}
	for _, n := range []struct {
		name            string
		value, from, to int
	}{
		{"dim", c.Dim, 0, maxDim},
		{"max_tokens", c.MaxTokens, 0, 1 << 20},
		{"batch", c.Batch, 1, 2048},
		{"timeout_ms", c.TimeoutMS, 1, 600_000},
		{"retries", c.Retries, 0, 10},
	} {
		if n.value < n.from || n.value > n.to {
			errs = append(errs, fmt.Errorf("%s is %d, not within %d to %d", n.name, n.value, n.from, n.to))
		}
	}
	return errors.Join(errs...)
}

// Options is what tests and programs with their own network or environment replace. The zero value
// stands for the real ones.
type Options struct {
	Transport http.RoundTripper
	Getenv    func(string) string
}

// key returns the key that the configuration names, "" if it names none.
func (c *Config) key(o Options) (string, error) {
	if c.KeyEnv == "" {
		return "", nil
	}
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	key := strings.TrimSpace(getenv(c.KeyEnv))
	if key == "" {
		return "", fmt.Errorf("environment variable %s, which should hold the key, is not set", c.KeyEnv)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("environment variable %s holds no usable key", c.KeyEnv)
	}
	return key, nil
}
