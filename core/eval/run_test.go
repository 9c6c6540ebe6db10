package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/orma-memory/orma/core/eval"
	"github.com/orma-memory/orma/core/local"
)

// shared returns a file beside the repository, or skips the test by name.
func shared(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("ORMA_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	file := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("%s: no %s here", t.Name(), filepath.Join(parts...))
	}
	return file
}

// TestDevelopmentSet holds the default profile to what it was measured at, with room for
// small changes: a drop of two points is no small change.
func TestDevelopmentSet(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	set, err := eval.Load(shared(t, "data", "locomo-dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	m, err := local.Open(ctx, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := eval.Fill(ctx, m, set, nil); err != nil {
		t.Fatal(err)
	}
	answers, err := eval.Ask(ctx, m, set, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	turn, session := 0.0, 0.0
	for _, a := range answers {
		turn += a.Turn.RecallAt(10) / float64(len(answers))
		session += a.Session.RecallAt(10) / float64(len(answers))
	}
	t.Logf("%d questions: turn recall@10 %.4f, session recall@10 %.4f", len(answers), turn, session)
	if turn < 0.85 || session < 0.945 {
		t.Errorf("turn recall@10 %.4f, session %.4f; want at least 0.85 and 0.945", turn, session)
	}
}
