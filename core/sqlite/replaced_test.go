package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

// A store whose file was moved, removed or replaced writes nothing into the old one, says so, and
// leaves the new one and its log alone when it is closed.
func TestReplacedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file keeps its name there")
	}
	for name, replace := range map[string]func(t *testing.T, path string) *sqlite.Store{
		"removed": func(t *testing.T, path string) *sqlite.Store {
			remove(t, path, path+"-wal", path+"-shm")
			return nil
		},
		"moved": func(t *testing.T, path string) *sqlite.Store {
			if err := os.Rename(path, path+".aside"); err != nil {
				t.Fatal(err)
			}
			return nil
		},
		"replaced": func(t *testing.T, path string) *sqlite.Store {
			remove(t, path, path+"-wal", path+"-shm")
			s := openAt(t, path, sqlite.Options{})
			if _, err := s.Append(context.Background(), "default", []core.Draft{draft("The new one.")}); err != nil {
				t.Fatal(err)
			}
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, path := context.Background(), filepath.Join(t.TempDir(), "memory.db")
			s, err := sqlite.Open(ctx, path, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(ctx, "default", []core.Draft{draft("The old one.")}); err != nil {
				t.Fatal(err)
			}
			fresh := replace(t, path)
			if _, err := s.Append(ctx, "default", []core.Draft{draft("Lost.")}); core.CodeOf(err) != core.CodeUnavailable {
				t.Errorf("append: %v, want %s", err, core.CodeUnavailable)
			}
			if _, err := s.Recent(ctx, "default", 0, 9); core.CodeOf(err) != core.CodeUnavailable {
				t.Errorf("read: %v, want %s", err, core.CodeUnavailable)
			}
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if fresh == nil {
				return
			}
			if i, err := os.Stat(path + "-wal"); err != nil || i.Size() == 0 {
				t.Errorf("the log of the new database: %v, %v", i, err)
			}
			other := openAt(t, path, sqlite.Options{})
			if got, err := other.Recent(ctx, "default", 0, 9); err != nil || len(got) != 1 || got[0].Text != "The new one." {
				t.Errorf("the new database has %v, %v", got, err)
			}
		})
	}
}

func remove(t *testing.T, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Remove(p); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}
