package sqlite_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

// sound returns the bytes of a database with some notes.
func sound(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.db")
	s := openAt(t, path, sqlite.Options{})
	fill(t, s, "a", newNoteMaker(3), 50)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// use does a little of everything and returns the first error.
func use(s *sqlite.Store) error {
	ctx := context.Background()
	var c countSink
	if _, err := s.Changes(ctx, "a", "bench-256", core.Version{}, &c); err != nil {
		return err
	}
	if _, err := s.SearchText(ctx, "a", []string{"ka", "lo"}, 10); err != nil {
		return err
	}
	if _, err := s.Spaces(ctx); err != nil {
		return err
	}
	if _, err := s.Append(ctx, "a", []core.Draft{draft("One more.")}); err != nil {
		return err
	}
	_, err := s.Check(ctx, false, nil)
	return err
}

func TestHostileFiles(t *testing.T) {
	good := sound(t)
	rng := rand.New(rand.NewPCG(5, 5))
	noise := make([]byte, 40960)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	set := func(at int, v ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], v)
		return b
	}
	for _, c := range []struct {
		name string
		data []byte
		want core.Code // of Open
	}{
		{"noise", noise, core.CodeCorrupt},
		{"text", []byte(strings.Repeat("not a database\n", 500)), core.CodeCorrupt},
		{"one byte", []byte{7}, core.CodeCorrupt},
		{"header only", good[:100], core.CodeCorrupt},
		{"half a page", good[:2048], core.CodeCorrupt},
		{"header then noise", append(bytes.Clone(good[:100]), noise...), core.CodeCorrupt},
		{"newer schema", set(60, 0, 0, 0, 99), core.CodeNewer},
		{"another program's", set(68, 1, 2, 3, 4), core.CodeInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.db")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				_ = s.Close()
			}
			if core.CodeOf(err) != c.want {
				t.Errorf("Open: %v, want %s", err, c.want)
			}
			if e, ok := err.(*core.Error); !ok || e.Hint == "" {
				t.Errorf("no advice in %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "fts5") {
				t.Errorf("%v tells users of what they do not know", err)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, c.data) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}

// TestDamageNeverPanics cuts and flips a database at many places: whatever is done
// with it ends in an error with a code or a right answer.
func TestDamageNeverPanics(t *testing.T) {
	good := sound(t)
	rng := rand.New(rand.NewPCG(6, 6))
	for i := range 60 {
		b := bytes.Clone(good)
		if i%3 == 0 {
			b = b[:rng.IntN(len(b))]
		} else {
			for range 1 + rng.IntN(40) {
				b[rng.IntN(len(b))] = byte(rng.Uint32())
			}
		}
		path := filepath.Join(t.TempDir(), "m.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: 100 * time.Millisecond})
		if err == nil {
			err = use(s)
			_ = s.Close()
		}
		if err != nil && core.CodeOf(err) == core.CodeInternal {
			t.Errorf("case %d: %v", i, err)
		}
	}
}

func TestOpenPlaces(t *testing.T) {
	dir := t.TempDir()
	if s, err := sqlite.Open(t.Context(), dir, sqlite.Options{}); core.CodeOf(err) != core.CodeInvalid {
		t.Errorf("a folder: %v, %v", s, err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(dir, "none.db"), sqlite.Options{ReadOnly: true}); core.CodeOf(err) != core.CodeNotFound {
		t.Errorf("nothing, for reading only: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(file, "m.db"), sqlite.Options{}); core.CodeOf(err) != core.CodeUnavailable {
		t.Errorf("below a file: %v", err)
	}
	if _, err := sqlite.Open(t.Context(), file, sqlite.Options{ReadOnly: true}); core.CodeOf(err) != core.CodeNotFound {
		t.Errorf("an empty file, for reading only: %v", err)
	}
	openAt(t, file, sqlite.Options{}) // an empty file becomes a database

	for _, name := range []string{"with space.db", "pro%20cent?.db", "häsh#&=.db", "'quote\".db"} {
		path := filepath.Join(dir, "new folder", name)
		s := openAt(t, path, sqlite.Options{})
		if _, err := s.Append(t.Context(), "a", []core.Draft{draft("One.")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(filepath.Join(dir, "new folder", "with space.db"), link); err == nil {
		s := openAt(t, link, sqlite.Options{})
		if sp, err := s.Spaces(t.Context()); err != nil || len(sp) != 1 {
			t.Errorf("through a link: %+v, %v", sp, err)
		}
	}
}

func TestModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "m.db")
	s := openAt(t, path, sqlite.Options{})
	if _, err := s.Append(t.Context(), "a", []core.Draft{draft("One.")}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "/m.db": 0o600, "/m.db-wal": 0o600, "/m.db-shm": 0o600} {
		i, err := os.Stat(filepath.Dir(path) + name)
		if err != nil {
			t.Fatal(err)
		}
		if i.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", name, i.Mode().Perm(), want)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o602); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if core.CodeOf(err) != core.CodeDenied || !strings.Contains(err.Error(), "chmod 600 "+path) {
		t.Errorf("a file that all may write: %v", err)
	}
}

func TestReadOnlyOption(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	w := openAt(t, path, sqlite.Options{})
	if _, err := w.Append(t.Context(), "a", []core.Draft{draft("I like tea.")}); err != nil {
		t.Fatal(err)
	}
	r := openAt(t, path, sqlite.Options{ReadOnly: true})
	ctx := t.Context()
	for what, err := range map[string]error{
		"SetMeta":  r.SetMeta(ctx, "k", "v"),
		"AddUses":  r.AddUses(ctx, "a", []core.Use{{Item: 1}}),
		"Requeue":  r.Requeue(ctx, "a", epoch),
		"Snapshot": r.SaveSnapshot(ctx, "a", "x", core.Version{}, nil),
	} {
		if core.CodeOf(err) != core.CodeReadOnly {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := w.Append(ctx, "a", []core.Draft{draft("More tea.")}); err != nil {
		t.Fatal(err)
	}
	if hits, err := r.SearchText(ctx, "a", []string{"tea"}, 9); err != nil || len(hits) != 2 {
		t.Errorf("SearchText = %v, %v", hits, err)
	}
	if h, err := r.Check(ctx, false, nil); err != nil || !h.OK {
		t.Errorf("Check = %+v, %v", h, err)
	}
	if info, err := r.Info(ctx); err != nil || !info.ReadOnly {
		t.Errorf("Info = %+v, %v", info, err)
	}
	if err := r.Backup(ctx, filepath.Join(t.TempDir(), "copy.db"), nil); err != nil {
		t.Errorf("Backup: %v", err)
	}
}
