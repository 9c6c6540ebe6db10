package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
	"github.com/orma-memory/orma/sdk/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T, dir string) core.Store {
		s, err := sqlite.Open(t.Context(), filepath.Join(dir, "home", "memory.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
