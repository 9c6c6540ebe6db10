package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCutOff cuts a database at several places: what is left of the episodes is saved.
func TestCutOff(t *testing.T) {
	dir := t.TempDir()
	origin := filepath.Join(dir, "m.db")
	s, err := Open(t.Context(), origin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	fillWords(t, s, 0, 200)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(origin)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := Lengthen(origin); err != nil || kept != "" {
		t.Errorf("a whole file: %q, %v", kept, err)
	}
	for _, c := range []struct{ cut, least int }{ // bytes taken away; episodes that must be left
		{1, 150}, {pageSize, 150}, {5*pageSize + 100, 100}, {len(whole) / 4, 20},
	} {
		path := filepath.Join(dir, fmt.Sprintf("cut%d.db", c.cut))
		if err := os.WriteFile(path, whole[:len(whole)-c.cut], 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := Lengthen(path)
		if err != nil || kept == "" {
			t.Fatalf("cut by %d: %q, %v", c.cut, kept, err)
		}
		if short, err := os.ReadFile(kept); err != nil || len(short) != len(whole)-c.cut {
			t.Errorf("cut by %d: %d bytes were kept, %v", c.cut, len(short), err)
		}
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("cut by %d: %v", c.cut, err)
		}
		if h, err := s.Check(t.Context(), true, deriveWords); err != nil || !h.OK {
			t.Errorf("cut by %d: %+v, %v", c.cut, h, err)
		}
		n := 0
		for _, space := range []string{"a", "b"} {
			for _, err := range s.Scan(t.Context(), space, 0) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
		t.Logf("cut by %d of %d: %d episodes are left", c.cut, len(whole), n)
		if n < c.least {
			t.Errorf("cut by %d: %d episodes are left, want %d", c.cut, n, c.least)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLengthenLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"empty": "", "text": "no database at all", "cut header": "SQLite format 3\x00\x10\x00"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if kept, err := Lengthen(path); err != nil || kept != "" {
			t.Errorf("%s: %q, %v", name, kept, err)
		}
		if got, _ := os.ReadFile(path); string(got) != data {
			t.Errorf("%s was changed", name)
		}
	}
}
