package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/local"
)

// TestFillMakesWhatIsMeasured keeps the benchmark from measuring an empty memory.
func TestFillMakesWhatIsMeasured(t *testing.T) {
	ctx := context.Background()
	m, err := local.Open(ctx, local.Options{Home: t.TempDir(), Path: filepath.Join(t.TempDir(), "m.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	const n = 1000
	if err := fill(ctx, m, n); err != nil {
		t.Fatal(err)
	}
	g, err := m.Graph(ctx, engine.GraphRequest{Kinds: engine.NodeKinds(), Limit: engine.MaxNodes})
	if err != nil {
		t.Fatal(err)
	}
	c := g.Totals
	if sum := c.States + c.Rules + c.Conditionals + c.Events + c.Passages + c.Entities; sum < n*98/100 || sum > n*102/100 || sum != len(g.Nodes) {
		t.Errorf("%+v are %d of %d, and %d are returned", c, sum, n, len(g.Nodes))
	}
	if c.Links < n || c.Rules == 0 || c.Conditionals == 0 || c.Events == 0 || c.States < n/4 {
		t.Errorf("%+v", c)
	}
}
