package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

func keyOf(t *testing.T, digit string) Key {
	t.Helper()
	k, err := ParseKey(strings.Repeat(digit, 64))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func openKeyed(t *testing.T, path string, k Key) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Key: k})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// nothingPlain looks for words, and for the mark of a plain database, in all files of a
// folder.
func nothingPlain(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"alpha", "gamma", "SQLite format", "CREATE TABLE", "episodes"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s holds %q", f.Name(), word)
			}
		}
	}
}

func TestParseKey(t *testing.T) {
	if a, b := NewKey(), NewKey(); a == b || len(a) != 64 {
		t.Errorf("new keys %q, %q", a, b)
	}
	good := strings.Repeat("0a", 32)
	want, err := ParseKey(good)
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []string{good + "\n", " " + good + "\r\n", strings.ToUpper(good)} {
		if k, err := ParseKey(same); err != nil || k != want {
			t.Errorf("ParseKey(%q): %v", same, err)
		}
	}
	for _, bad := range []string{"", "password", good[1:], good + "00", strings.Repeat("zz", 32), good[:32] + "\n" + good[32:]} {
		if _, err := ParseKey(bad); core.CodeOf(err) != core.CodeConfig {
			t.Errorf("ParseKey(%q): %v", bad, err)
		}
	}
	if s := fmt.Sprintf("%v %+v %#v %s", want, want, want, Options{Key: want}.Key); strings.Contains(s, want.hex[:8]) {
		t.Errorf("a key prints itself: %s", s)
	}
}

// TestEncrypted writes, and looks for words in every file while they are in use and after.
func TestEncrypted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	k := keyOf(t, "a")
	s := openKeyed(t, path, k)
	fillWords(t, s, 0, 60)
	if i, err := os.Stat(path + "-wal"); err != nil || i.Size() == 0 {
		t.Fatalf("no log to look into: %v", err)
	}
	nothingPlain(t, dir)
	other := openKeyed(t, path, k) // as another process would
	fillWords(t, other, 60, 20)
	want, err := recallOf(s)
	if err != nil || !strings.Contains(want, "alpha") {
		t.Fatalf("recall: %v", err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "backup.db"), nil); err != nil {
		t.Fatal(err)
	}
	for _, st := range []*Store{other, s} {
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	nothingPlain(t, dir)
	for name, c := range map[string]struct {
		key  Key
		want core.Code
	}{"no key": {Key{}, core.CodeCorrupt}, "wrong key": {keyOf(t, "b"), core.CodeDenied}} {
		for _, ro := range []bool{false, true} {
			if _, err := Open(t.Context(), path, Options{Key: c.key, ReadOnly: ro}); core.CodeOf(err) != c.want {
				t.Errorf("%s, read-only %v: %v", name, ro, err)
			}
		}
	}
	ro, err := Open(t.Context(), path, Options{Key: k, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	if got, err := recallOf(ro); err != nil || got != want {
		t.Errorf("read-only recall: %v", err)
	}
}

// TestRecrypt takes a database from plain to one key, to another, and back.
func TestRecrypt(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	s := openKeyed(t, path, Key{})
	fillWords(t, s, 0, 80)
	want, err := recallOf(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Recrypt(ctx, path, Key{}, keyOf(t, "a")); core.CodeOf(err) != core.CodeBusy {
		t.Errorf("while it is open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Recrypt(ctx, path, keyOf(t, "a"), Key{}); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("plain to plain: %v", err)
	}
	from := Key{}
	for _, to := range []Key{keyOf(t, "a"), keyOf(t, "b"), {}} {
		if from != (Key{}) {
			if _, err := Recrypt(ctx, path, keyOf(t, "c"), to); core.CodeOf(err) != core.CodeDenied {
				t.Errorf("with a wrong key: %v", err)
			}
		}
		if _, err := Recrypt(ctx, path, from, to); err != nil {
			t.Fatal(err)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "*")); !slices.Equal(names, []string{path}) {
			t.Errorf("left behind: %q", names)
		}
		if to != (Key{}) {
			nothingPlain(t, dir)
		}
		s := openKeyed(t, path, to)
		if got, err := recallOf(s); err != nil || got != want {
			t.Errorf("recall under %v differs: %v\n%s", to, err, firstDifference(got, want))
		}
		if h, err := s.Check(ctx, false, nil); err != nil || !h.OK {
			t.Errorf("check: %+v, %v", h, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	if _, err := Open(ctx, path, Options{Key: keyOf(t, "a")}); core.CodeOf(err) != core.CodeConfig {
		t.Errorf("a key for a plain file: %v", err)
	}
}

// TestEncryptedRepair destroys a page of a derived table under encryption.
func TestEncryptedRepair(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	plain := openKeyed(t, path, Key{})
	fillWords(t, plain, 0, 120)
	want, err := recallOf(plain)
	if err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	k := keyOf(t, "a")
	owners := pageOwners(t, path) // the copy under a key has the same pages
	if _, err := Recrypt(ctx, path, Key{}, k); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	punched := 0
	for page, name := range owners {
		if name == "passages" || name == "fulltext_data" {
			copy(b[(page-1)*pageSize:], make([]byte, pageSize))
			punched++
			break
		}
	}
	if punched == 0 {
		t.Fatal("no page to destroy")
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openKeyed(t, path, k)
	h, err := s.Check(ctx, true, deriveWords)
	if err != nil || !h.OK || len(h.Fixed) == 0 {
		t.Fatalf("Check = %+v, %v", h, err)
	}
	if got, err := recallOf(s); err != nil || got != want {
		t.Errorf("recall differs: %v\n%s", err, firstDifference(got, want))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	nothingPlain(t, dir)
}

// TestEncryptedRestore puts plain and encrypted backups under a key.
func TestEncryptedRestore(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	plainPath, path := filepath.Join(dir, "plain.db"), filepath.Join(dir, "home", "m.db")
	plain := openKeyed(t, plainPath, Key{})
	fillWords(t, plain, 0, 30)
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	k := keyOf(t, "a")
	s := openKeyed(t, path, k)
	fillWords(t, s, 0, 10)
	backup := filepath.Join(dir, "home", "backup.db")
	if err := s.Backup(ctx, backup, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from string
		n    int
		ruin bool
	}{{plainPath, 30, false}, {backup, 10, false}, {plainPath, 30, true}} {
		if c.ruin {
			if err := os.WriteFile(path, bytes.Repeat([]byte("ruined "), 2000), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Restore(ctx, c.from, path, k, true); err != nil {
			t.Fatalf("%s: %v", c.from, err)
		}
		s := openKeyed(t, path, k)
		n := 0
		for _, space := range []string{"a", "b"} {
			for _, err := range s.Scan(ctx, space, 0) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
		if n != c.n {
			t.Errorf("%s: %d episodes, want %d", c.from, n, c.n)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		nothingPlain(t, filepath.Join(dir, "home"))
	}
	if _, err := Restore(ctx, backup, filepath.Join(dir, "new.db"), keyOf(t, "b"), true); core.CodeOf(err) != core.CodeDenied {
		t.Errorf("a backup under another key: %v", err)
	}
}

// TestSwapClosed puts a file in place of another as systems do that replace no open file.
func TestSwapClosed(t *testing.T) {
	dir := t.TempDir()
	path, fresh := filepath.Join(dir, "m.db"), filepath.Join(dir, "fresh")
	for name, data := range map[string]string{path: "old", fresh: "new"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := swapClosed(path, fresh); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "new" {
		t.Errorf("in place is %q, %v", got, err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); !slices.Equal(names, []string{path}) {
		t.Errorf("left behind: %q", names)
	}
	if err := swapClosed(path, fresh); err == nil {
		t.Error("nothing was put in place without an error")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "new" {
		t.Errorf("after a failure there is %q, %v", got, err)
	}
}

// TestLinked uses a database by way of a link, with a log that was not put into it: the
// link stays, and the copy of what is replaced has the log.
func TestLinked(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	real, path, copied := filepath.Join(dir, "far", "m.db"), filepath.Join(dir, "m.db"), filepath.Join(dir, "copy.db")
	s := openKeyed(t, real, Key{})
	if err := os.Symlink(real, path); err != nil {
		t.Skip(err)
	}
	if err := s.Backup(ctx, copied, nil); err != nil {
		t.Fatal(err)
	}
	fillWords(t, s, 0, 20)
	log, err := os.ReadFile(real + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("a log of %d bytes, %v", len(log), err)
	}
	want, err := recallOf(s)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{real: data, real + "-wal": log} { // as a killed process leaves them
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := Restore(ctx, copied, path, Key{}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := recallOf(openKeyed(t, kept, Key{})); err != nil || got != want {
		t.Errorf("the replaced database has, %v:\n%s", err, firstDifference(got, want))
	}
	if _, err := Recrypt(ctx, path, Key{}, keyOf(t, "a")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(path); err != nil || to != real {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	openKeyed(t, real, keyOf(t, "a"))
}
