package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

func texts(t *testing.T, s *sqlite.Store) (out []string) {
	t.Helper()
	for e, err := range s.Scan(t.Context(), "a", 0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Text)
	}
	return out
}

func TestRestore(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "m.db"), filepath.Join(dir, "copy.db")
	s := openAt(t, path, sqlite.Options{})
	say := func(text string) core.ID {
		t.Helper()
		out, err := s.Append(ctx, "a", []core.Draft{draft(text)})
		if err != nil {
			t.Fatal(err)
		}
		return out[0].ID
	}
	say("One.")
	if err := s.Backup(ctx, copied, nil); err != nil {
		t.Fatal(err)
	}
	last := say("Two.")
	before, err := s.Version(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Restore(ctx, copied, path, sqlite.Key{}, true); core.CodeOf(err) != core.CodeBusy {
		t.Errorf("while it is open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Restore(ctx, copied, path, sqlite.Key{}, false); core.CodeOf(err) != core.CodeConflict {
		t.Errorf("without force: %v", err)
	}
	kept, err := sqlite.Restore(ctx, copied, path, sqlite.Key{}, true)
	if err != nil || kept == "" {
		t.Fatalf("Restore = %q, %v", kept, err)
	}
	s = openAt(t, path, sqlite.Options{})
	if got := texts(t, s); len(got) != 1 || got[0] != "One." {
		t.Errorf("restored %q", got)
	}
	if after, err := s.Version(ctx, "a"); err != nil || after.Epoch == before.Epoch {
		t.Errorf("version %v, was %v, %v", after, before, err)
	}
	first := texts(t, openAt(t, kept, sqlite.Options{ReadOnly: true}))
	if len(first) != 2 {
		t.Errorf("the replaced database has %q", first)
	}
	if id := say("Three."); id <= last {
		t.Errorf("id %d was given before", id)
	}
	h, err := s.Check(ctx, false, nil)
	if err != nil || !h.OK {
		t.Errorf("Check = %+v, %v", h, err)
	}
	rc, err := s.Erase(ctx, "a", 1, epoch)
	if err != nil || len(rc.Backups) != 2 {
		t.Errorf("the receipt names %v, %v; want both copies", rc.Backups, err)
	}
}

func TestRestoreOverDamage(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	if err := os.WriteFile(good, sound(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"noise": bytes.Repeat([]byte("xyz"), 9999), "a hole": append(sound(t)[:20000], make([]byte, 50000)...), "nothing": nil,
	} {
		path := filepath.Join(dir, name+".db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		kept, err := sqlite.Restore(ctx, good, path, sqlite.Key{}, true)
		if err != nil || (kept == "") != (data == nil) {
			t.Errorf("%s: Restore = %q, %v", name, kept, err)
			continue
		}
		if data != nil {
			if b, err := os.ReadFile(kept); err != nil || !bytes.Equal(b, data) {
				t.Errorf("%s: the damaged file was not kept as it was (%v)", name, err)
			}
		}
		if h, err := openAt(t, path, sqlite.Options{}).Check(ctx, false, nil); err != nil || !h.OK {
			t.Errorf("%s: Check = %+v, %v", name, h, err)
		}
	}
}

func TestBadBackupsAreRefused(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	if err := openAt(t, path, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	holed := sound(t)
	copy(holed[len(holed)/2:], make([]byte, 9000))
	newer := sound(t)
	newer[63] = 99
	for name, c := range map[string]struct {
		data []byte
		want core.Code
	}{
		"noise": {[]byte("not a database at all"), core.CodeCorrupt}, "empty": {nil, core.CodeNotFound}, "holed": {holed, core.CodeCorrupt},
		"cut": {sound(t)[:30000], core.CodeCorrupt}, "newer": {newer, core.CodeNewer},
	} {
		bad := filepath.Join(dir, name)
		if err := os.WriteFile(bad, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Restore(ctx, bad, path, sqlite.Key{}, true); core.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := sqlite.Restore(ctx, filepath.Join(dir, "none"), path, sqlite.Key{}, true); core.CodeOf(err) != core.CodeNotFound {
		t.Errorf("no backup: %v", err)
	}
	if _, err := sqlite.Restore(ctx, path, path, sqlite.Key{}, true); core.CodeOf(err) != core.CodeInvalid {
		t.Errorf("onto itself: %v", err)
	}
}

// TestBackupWhileWriting copies a database that is being written: the copy is of
// one moment.
func TestBackupWhileWriting(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	s := openAt(t, filepath.Join(dir, "m.db"), sqlite.Options{})
	m := newNoteMaker(1)
	fill(t, s, "a", m, 500)
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if _, err := s.Append(ctx, "a", m.drafts(3)); err != nil {
				done <- err
				return
			}
		}
	}()
	for i := range 5 {
		path := filepath.Join(dir, "copy", string(rune('a'+i)))
		if err := s.Backup(ctx, path, nil); err != nil {
			t.Fatal(err)
		}
		c := openAt(t, path, sqlite.Options{ReadOnly: true})
		sp, err := c.Spaces(ctx)
		if err != nil || len(sp) != 1 || (sp[0].Episodes-500)%3 != 0 {
			t.Errorf("copy %d: %+v, %v", i, sp, err)
		}
		if h, err := c.Check(ctx, false, nil); err != nil || !h.OK {
			t.Errorf("copy %d: %+v, %v", i, h, err)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What a copy that was killed left is removed by the next one of that name, and in a folder of
// backups by any: not what is still being written, and nothing else.
func TestKilledCopiesAreSwept(t *testing.T) {
	dir, old := t.TempDir(), time.Now().Add(-2*time.Hour)
	s := openAt(t, filepath.Join(dir, "m.db"), sqlite.Options{})
	left := func(when time.Time, names ...string) {
		for _, n := range names {
			n = filepath.Join(dir, n)
			if err := os.WriteFile(n, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(n, when, when); err != nil {
				t.Fatal(err)
			}
		}
	}
	have := func(want bool, names ...string) {
		t.Helper()
		for _, n := range names {
			if _, err := os.Lstat(filepath.Join(dir, n)); (err == nil) != want {
				t.Errorf("%s: %v", n, err)
			}
		}
	}
	parts := []string{"b.db.part-12345", "b.db.part-4294967295-journal", "b.db.part-12345-wal", "b.db.part-12345-shm"}
	others := []string{
		"b.db.notes", "b.db.part-aa", "b.db.part-01", "b.db.part-00001", "b.db.part-7", "b.db.part-12345.tar", "b.db.part-12345-old",
		"b.db-photos.tar.part-12345", "b.dbx.part-12345", "photos.tar.part-12345", ".part-12345",
	}
	left(old, append(append(parts, others...), "other.db.part-23456")...)
	left(time.Now(), "b.db.part-34567")
	if err := s.Backup(t.Context(), filepath.Join(dir, "b.db"), nil); err != nil {
		t.Fatal(err)
	}
	have(false, parts...)
	have(true, append(others, "b.db", "b.db.part-34567", "other.db.part-23456")...)
	sqlite.SweepBackups(dir)
	have(false, "other.db.part-23456")
	have(true, append(others, "b.db", "b.db.part-34567", "m.db")...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	left(time.Now(), "m.db.recrypt.part-12345", "m.db.recrypt-1.part-12345-journal")
	key, err := sqlite.ParseKey(strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Recrypt(t.Context(), filepath.Join(dir, "m.db"), sqlite.Key{}, key); err != nil {
		t.Fatal(err)
	}
	have(false, "m.db.recrypt.part-12345", "m.db.recrypt-1.part-12345-journal")
}

// A lease of a clock that ran far ahead holds nobody up for years.
func TestLeaseOfAnotherClock(t *testing.T) {
	ctx, s := t.Context(), openNew(t)
	for _, c := range []struct {
		name  string
		ahead time.Duration
		want  bool
	}{{"now", 0, false}, {"a little ahead", time.Minute, false}, {"an hour", time.Hour, true}, {"ages", 70 * 365 * 24 * time.Hour, true}} {
		then := epoch.Add(c.ahead)
		if ok, err := s.Lease(ctx, c.name, "dead", then, then.Add(2*time.Minute)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if ok, err := s.Lease(ctx, c.name, "alive", epoch, epoch.Add(2*time.Minute)); ok != c.want || err != nil {
			t.Errorf("%s: %v, %v", c.name, ok, err)
		}
	}
}
