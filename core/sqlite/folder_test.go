package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core"
)

// TestReadOnlyFolder opens a file that may be written in a folder that may not, where no
// log can be made: it is read.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("the superuser, and Windows, write everywhere")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	s := openKeyed(t, path, Key{})
	fillWords(t, s, 0, 5)
	want, err := recallOf(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil { // a folder has to be entered
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) }) // as above
	s = openKeyed(t, path, Key{})
	if got, err := recallOf(s); err != nil || got != want {
		t.Errorf("%v\n%s", err, firstDifference(got, want))
	}
	if _, err := s.Append(t.Context(), "a", []core.Draft{{Episode: core.Episode{Kind: core.KindNote, Role: core.RoleUser, Text: "x"}}}); core.CodeOf(err) != core.CodeReadOnly {
		t.Errorf("a write: %v", err)
	}
}

// TestHalfACopy copies what cannot be read to its end, as on a full disk: nothing is left.
func TestHalfACopy(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.Mkdir(from, 0o700); err != nil { // a folder opens, and fails when it is read
		t.Fatal(err)
	}
	if err := copyFile(from, to); err == nil {
		t.Error("no error")
	}
	if _, err := os.Lstat(to); !os.IsNotExist(err) {
		t.Errorf("left behind: %v", err)
	}
}

// TestBackupIsNoted stops a backup when all of it is copied, and makes one where the
// database itself has no room: a receipt names the one, and an error speaks of the other.
func TestBackupIsNoted(t *testing.T) {
	dir := t.TempDir()
	s := openKeyed(t, filepath.Join(dir, "m.db"), Key{})
	fillWords(t, s, 0, 5)
	ctx, stop := context.WithCancel(t.Context())
	stopped, full := filepath.Join(dir, "stopped"), filepath.Join(dir, "full")
	if err := s.Backup(ctx, stopped, func(done, total int) {
		if done == total {
			stop()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if known, err := s.w.count("SELECT count(*) FROM backups"); err != nil || known != 1 {
		t.Errorf("%d backups are known, %v", known, err)
	}
	if err := s.w.c.Exec("PRAGMA query_only = ON"); err != nil { // stands for a full disk
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), full, nil); err == nil || !strings.Contains(err.Error(), "is written and whole") {
		t.Errorf("a backup that cannot be noted: %v", err)
	}
	if got, err := recallOf(openKeyed(t, full, Key{})); err != nil || got == "" {
		t.Errorf("it holds %q, %v", got, err)
	}
}
