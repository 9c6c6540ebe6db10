package wasmhost_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/host"
	"github.com/orma-memory/orma/host/wasmhost"
)

// entries returns the files of a cache with their sizes and times.
func entries(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	out := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[path], err = d.Info()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// start opens a guest with a cache and runs it.
func start(t *testing.T, cache string) {
	t.Helper()
	h := wasmhost.New(wasmhost.Options{Cache: cache, Timeout: patient})
	p, err := h.Open(t.Context(), host.Source{Path: hostile("counting")})
	if err != nil {
		t.Fatal(err)
	}
	if err := build(t, p).Run(t.Context(), threeRows()); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCacheIsUsed(t *testing.T) {
	dir := t.TempDir()
	start(t, dir)
	first := entries(t, dir)
	if len(first) != 2 { // code and seal
		t.Fatalf("%d files after the first start, want 2", len(first))
	}
	start(t, dir)
	for path, info := range entries(t, dir) {
		if old, ok := first[path]; !ok || !os.SameFile(old, info) || !old.ModTime().Equal(info.ModTime()) {
			t.Errorf("%s was written again", path)
		}
	}
}

// TestCacheIsRebuilt damages the entry in every way there is.
func TestCacheIsRebuilt(t *testing.T) {
	dir := t.TempDir()
	start(t, dir)
	var code, seal string
	for path := range entries(t, dir) {
		if strings.HasSuffix(path, ".seal") {
			seal = path
		} else {
			code = path
		}
	}
	good, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	flip := func(at int) func() error {
		return func() error {
			b := append([]byte(nil), good...)
			b[at] ^= 0x40
			return os.WriteFile(code, b, 0o600)
		}
	}
	damages := map[string]func() error{
		"no code": func() error { return os.Remove(code) },
		"no seal": func() error { return os.Remove(seal) },
		"empty":   func() error { return os.WriteFile(code, nil, 0o600) },
		"short":   func() error { return os.WriteFile(code, good[:len(good)/2], 0o600) },
		"longer":  func() error { return os.WriteFile(code, append(good[:len(good):len(good)], 1), 0o600) },
		"other":   func() error { return os.WriteFile(filepath.Join(filepath.Dir(code), "more"), []byte("x"), 0o600) },
		"seal":    func() error { return os.WriteFile(seal, []byte("nonsense"), 0o600) },
	}
	for _, at := range []int{0, 8, len(good) / 4, len(good) / 2, len(good) - 1} { // header, offsets, code, checksum
		damages["byte "+string(rune('0'+len(damages)))] = flip(at)
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			start(t, dir)
			now, err := os.ReadFile(code)
			if err != nil || string(now) != string(good) {
				t.Errorf("the entry was not rebuilt: %v", err)
			}
			if n := len(entries(t, dir)); n != 2 {
				t.Errorf("%d files, want 2", n)
			}
		})
	}
}

// TestCacheCannotBeWritten: the plugin runs all the same.
func TestCacheCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, filepath.Join(file, "below"))
}
