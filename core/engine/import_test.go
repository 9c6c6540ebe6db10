package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/engine"
)

// TestImportLeavesAnIndex: nothing was asked while many rows came, and the next process
// finds them indexed all the same; a few rows are not worth it.
func TestImportLeavesAnIndex(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "m.db")
	for _, c := range []struct {
		space string
		rows  int
		want  bool
	}{{"many", 5000, true}, {"few", 600, false}} {
		m := openAt(t, path)
		inputs := make([]engine.Input, c.rows)
		for i := range inputs {
			inputs[i].Text = fmt.Sprintf("heron %d", i)
		}
		add(t, m, c.space, inputs...)
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		m = openAt(t, path)
		data, v, ok, err := m.Store.Snapshot(ctx, c.space, "index")
		if err != nil || ok != c.want {
			t.Errorf("%d rows: indexed %v, %v", c.rows, ok, err)
		}
		if now, err := m.Store.Version(ctx, c.space); ok && (err != nil || v != now || len(data) < c.rows) {
			t.Errorf("%d bytes of version %v, want %v: %v", len(data), v, now, err)
		}
		if r := recall(t, m, c.space, "heron 599"); !strings.Contains(r.Block, "heron 599") {
			t.Error("nothing is recalled")
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
