// Package llm extracts facts with a model behind an OpenAI-compatible address:
// Ollama, llama.cpp's server, vLLM, LM Studio or a hosted one.
//
// One batch is one request for a chat completion with a strict JSON schema. A
// runtime that refuses the schema is asked in weaker forms, and the first that
// works is remembered for its address. What comes back is read with patience, but
// only a whole object is an answer, and nothing in it is believed.
package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sleep"
)

// Options configure a [Client].
type Options struct {
	Upstream  string        // address of the server, with or without /v1
	Model     string        // empty: the first that the server lists
	Key       string        // sent as a bearer token; may be empty
	Timeout   time.Duration // of one request; 0 means two minutes
	Retries   int           // after failures of transport; negative means none, 0 means two
	Backoff   time.Duration // before the first retry, doubled for each further; 0 means 300 ms
	MaxTokens int           // of an answer; 0 leaves it to the server
	Transport http.RoundTripper
}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	o    Options
	base string
	http *http.Client

	mu    sync.Mutex
	model string
	form  form // the strongest form of answer that the server is known to take
}

// maxBody bounds an answer, in bytes.
const maxBody = 8 << 20

// New returns a client. It makes no request.
func New(o Options) (*Client, error) {
	base, err := Base(o.Upstream)
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Retries == 0 {
		o.Retries = 2
	}
	if o.Backoff == 0 {
		o.Backoff = 300 * time.Millisecond
	}
	return &Client{o: o, base: base, model: o.Model, http: &http.Client{Transport: o.Transport, CheckRedirect: sameHost}}, nil
}

// Base returns the address that requests are made below: a bare root gets /v1.
func Base(upstream string) (string, error) {
	s := strings.TrimSpace(upstream)
	if s != "" && !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", core.Errorf(core.CodeConfig, "%q is not the address of a model server", upstream).Hinted("it looks like http://127.0.0.1:11434")
	}
	u.RawQuery, u.Fragment = "", ""
	if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
		u.Path = "/v1"
	}
	u.Path = strings.TrimSuffix(u.Path, "/chat/completions")
	return u.String(), nil
}

// errRedirect refuses to take a conversation to another host.
var errRedirect = errors.New("the server redirects to another host")

func sameHost(next *http.Request, via []*http.Request) error {
	if next.URL.Host != via[0].URL.Host || next.URL.Scheme != via[0].URL.Scheme {
		return errRedirect
	}
	if len(via) > 3 {
		return errors.New("too many redirects")
	}
	return nil
}

// Name returns "llm:" and the model's name.
func (c *Client) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return "llm:" + c.model
}

// Ping reports whether the server answers, by asking for its models.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.Models(ctx)
	return err
}

// Extract asks the model about the lines of a batch.
func (c *Client) Extract(ctx context.Context, r *sleep.Request) ([]sleep.Proposal, error) {
	model, err := c.modelName(ctx)
	if err != nil {
		return nil, err
	}
	messages := prompt(r)
	known := c.currentForm()
	f := known
	content, err := c.complete(ctx, request{Model: model, Messages: messages, Format: f.format(), MaxTokens: c.o.MaxTokens})
	for refused(err) && f < formNone {
		f++
		content, err = c.complete(ctx, request{Model: model, Messages: messages, Format: f.format(), MaxTokens: c.o.MaxTokens})
	}
	switch {
	case refused(err):
		return nil, unavailable(err)
	case err != nil:
		return nil, err
	case f != known:
		c.remember(f) // only once it worked
	}
	return read(content)
}

func (c *Client) currentForm() form {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.form
}

func (c *Client) remember(f form) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.form = max(c.form, f)
}

// modelName returns the configured model, or asks the server for its first one.
func (c *Client) modelName(ctx context.Context) (string, error) {
	c.mu.Lock()
	m := c.model
	c.mu.Unlock()
	if m != "" {
		return m, nil
	}
	all, err := c.Models(ctx)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", unavailable(fmt.Errorf("%s has no models", c.base))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model == "" {
		c.model = all[0]
	}
	return c.model, nil
}

// unavailable is an error that says nothing about the lines.
func unavailable(err error) error {
	return &core.Error{Code: core.CodeUnavailable, Text: "the model does not answer", Err: err}
}
