package wasmhost_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/component"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/host/wasmhost"
	"github.com/orma-memory/orma/sdk/embedtest"
)

func TestEmbedder(t *testing.T) {
	h := newHost(t, wasmhost.Options{BatchTimeout: patient})
	p, err := h.Open(t.Context(), host.Source{Path: hostile("embedder")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range embedtest.Check(t.Context(), embedtest.Suite{Spec: p.Embedders[0]}) {
		for _, e := range r.Errors {
			t.Errorf("%s: %s", r.Name, e)
		}
	}
	e, err := p.Embedders[0].Build(p.Embedders[0].NewParams(), component.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	// More texts than one call takes.
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = "abcd"[:i%4+1]
	}
	v := make([]float32, 4*len(texts))
	if err := e.Embed(t.Context(), v, texts, embed.Query); err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		want := make([]float32, 4)
		want[len(texts[i])%4] = 1
		if !slices.Equal(v[4*i:4*i+4], want) {
			t.Fatalf("text %d: %v, want %v", i, v[4*i:4*i+4], want)
		}
	}
	if err := e.Embed(context.Background(), v[:4], []string{"!"}, embed.Query); !errors.Is(err, embed.ErrNotFinite) || !errors.Is(err, contract.ErrAnswer) {
		t.Errorf("NaN: %v", err)
	}
	if err := e.Embed(t.Context(), v[:4], []string{"tea"}, embed.Query); err != nil {
		t.Errorf("after a failure: %v", err)
	}
}
