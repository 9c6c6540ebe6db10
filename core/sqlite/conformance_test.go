package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
	"github.com/orma-memory/orma/sdk/storetest"
)

func TestConformance(t *testing.T) { conform(t, sqlite.Key{}) }

func TestConformanceEncrypted(t *testing.T) {
	k, err := sqlite.ParseKey(sqlite.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	conform(t, k)
}

func conform(t *testing.T, k sqlite.Key) {
	t.Helper()
	storetest.Run(t, func(t *testing.T, dir string) core.Store {
		s, err := sqlite.Open(t.Context(), filepath.Join(dir, "home", "memory.db"), sqlite.Options{Key: k})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
