package main

import (
	"context"
	_ "embed"
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/guest"
)

//go:embed prompt.txt
var defaultPrompt string

// facts is the backend.
type facts struct {
	c      *client
	prompt string
}

// Manifest says what the plugin is.
func (f *facts) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "model_facts", Version: "1.0.0", Contract: abi.Sleep,
		Summary: "Ask an OpenAI-compatible model for facts, with a prompt of your own",
		Doc: `
The prompt is a file of yours: what counts as a fact in your domain, in your words. The
plugin adds the lines, what is known, and the form of the answer. A server that is away
or overloaded costs the lines nothing.`,
		Params: []abi.Param{
			{Name: "url", Kind: abi.String, Doc: "address of the server, with /v1", Text: "http://127.0.0.1:8080/v1"},
			{Name: "model", Kind: abi.String, Doc: "name of the model, as the server wants it", Text: "default"},
			{Name: "key_env", Kind: abi.String, Doc: "variable with the server's key; name it in the plugin's env, too"},
			{Name: "prompt", Kind: abi.File, Doc: "what to look for; empty for the one that comes with the plugin", Bytes: 32 << 10},
			{Name: "max_tokens", Kind: abi.Number, Doc: "longest answer", Default: 2000, Min: 16, Max: 100000},
		},
	}
}

// Configure takes the parameters.
func (f *facts) Configure(p *guest.Params) error {
	base := strings.TrimRight(p.String("url"), "/")
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("url is no http or https address, such as http://127.0.0.1:8080/v1")
	}
	f.c = &client{url: base, model: p.String("model"), maxTokens: int(p.Number("max_tokens"))}
	if name := p.String("key_env"); name != "" {
		if f.c.key = os.Getenv(name); f.c.key == "" {
			return errors.New("the variable that key_env names is not set, or not passed on: add it to env in the [plugin] table")
		}
	}
	f.prompt = string(p.Bytes("prompt"))
	if strings.TrimSpace(f.prompt) == "" {
		f.prompt = defaultPrompt
	}
	return nil
}

// Sleep asks the model about the lines that may be cited.
func (f *facts) Sleep(ctx context.Context, r *guest.Request, out *guest.Items) error {
	citable := map[int]bool{}
	for _, l := range r.Lines {
		if l.Citable {
			citable[l.N] = true
		}
	}
	if len(citable) == 0 {
		return nil
	}
	answer, err := f.c.ask(ctx, f.prompt+form, question(r))
	if err != nil {
		return err
	}
	found, err := read(answer)
	if err != nil {
		return err
	}
	for _, it := range found {
		// Orma refuses a whole answer over one wrong citation; a model makes one now and then.
		if it, ok := it.item(citable); ok {
			out.Add(it)
		}
	}
	return nil
}
