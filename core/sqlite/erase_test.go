package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/orma-memory/orma/core"
)

const secretText = "Grandmother Wilhelmina hid the obsidian-amulet behind Krakatoa's chimney. Only Thaddeus knows it."

// secretPieces are what must be nowhere after the text was erased: words of it,
// also as terms, facts and vectors made of it.
var secretPieces = []string{
	"wilhelmina", "obsidian", "amulet", "krakatoa", "chimney", "thaddeus", "grandmother hid", "only thad", "zzvector-of-the-secret",
	"helmina", "bsidian", "akatoa", "imney", "addeus", // an index stores a term without what it shares with the one before
}

// traceOf returns which pieces lie in the files of a database.
func traceOf(t *testing.T, path string) (found []string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(path + suffix)
		if err != nil {
			continue
		}
		b = bytes.ToLower(b)
		for _, p := range secretPieces {
			if bytes.Contains(b, []byte(p)) {
				found = append(found, p+" in the file"+suffix)
			}
		}
	}
	return found
}

// tellSecret writes the secret everywhere it can come to lie.
func tellSecret(t *testing.T, s *Store, space string) core.ID {
	t.Helper()
	ctx := t.Context()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	d := core.Draft{Episode: core.Episode{Kind: core.KindTurn, Role: core.RoleUser, Speaker: "", Source: "chat", At: at, Text: secretText}}
	copy(d.NormHash[:], "secret")
	cut := strings.Index(secretText, "Only")
	for _, p := range [][2]int{{0, cut - 1}, {cut, len(secretText)}} {
		d.Passages = append(d.Passages, core.DraftPassage{
			Start: p[0], End: p[1], Terms: strings.ToLower(secretText[p[0]:p[1]]), Embedder: "e", Vector: []byte("zzvector-of-the-secret" + strings.Repeat("x", 200)),
		})
	}
	out, err := s.Append(ctx, space, []core.Draft{d, d})
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.ReserveIDs(ctx, 5)
	if err != nil {
		t.Fatal(err)
	}
	src := core.Source{Episode: out[0].ID, Passage: out[0].Passages[0], End: cut - 1, At: at}
	if err := s.Apply(ctx, &core.Plan{
		Space: space, At: at,
		States: []core.State{{ID: id, Subject: "Wilhelmina", SubjectID: id + 2, Attribute: "hid", Value: "obsidian-amulet", Condition: "behind the chimney", Said: at, Sources: []core.Source{src}, Backend: "rules"}},
		Events: []core.Event{{ID: id + 1, Subject: "Thaddeus", Text: "learnt of Krakatoa", Said: at, Entities: []core.ID{id + 2}, Sources: []core.Source{src}, Backend: "rules"}},
		Entities: []core.Entity{
			{ID: id + 2, Name: "Wilhelmina", Aliases: []string{"Grandmother Wilhelmina"}}, {ID: id + 3, Name: "Krakatoa"}, {ID: id + 4, Name: "other"},
		},
		Aliases: []core.Alias{{Entity: id + 4, Name: "Thaddeus"}},
		Links:   []core.Link{{From: id + 2, To: id + 3, Weight: 1, At: at}},
		Entries: []core.Entry{{At: at, Op: core.OpForget, Data: fmt.Appendf(nil, `{"state":%d,"value":"obsidian-amulet"}`, id)}},
		Report:  []byte(`{"rejected":[{"line":"Only Thaddeus knows it.","why":"unsure"}]}`),
		Failed:  []core.FailedSleep{{Episode: out[0].ID, Error: "cannot read: Grandmother Wilhelmina hid the obsidian-amulet"}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.BeginRequest(ctx, core.RequestKey{Space: space, Key: "k", At: at}); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishRequest(ctx, space, "k", []byte(secretText)); err != nil {
		t.Fatal(err)
	}
	v, err := s.Version(ctx, space)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveSnapshot(ctx, space, "text", v, bytes.Repeat([]byte(strings.ToLower(secretText)), 500)); err != nil {
		t.Fatal(err)
	}
	return out[0].ID
}

func TestEraseLeavesNoTrace(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for _, n := range []int{0, 300} {
			t.Run(fmt.Sprintf("space %v, %d other notes", whole, n), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "m.db")
				s, err := Open(t.Context(), path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				fillWords(t, s, 0, n)
				id := tellSecret(t, s, "a")
				fillWords(t, s, 1000, n/3)
				if _, _, err := s.w.c.WALCheckpoint("main", sqlite3.CHECKPOINT_FULL); err != nil {
					t.Fatal(err)
				}
				if len(traceOf(t, path)) < len(secretPieces) {
					t.Fatalf("the test sees only %v before", traceOf(t, path))
				}
				at := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
				var rc core.Receipt
				if whole {
					rc, err = s.EraseSpace(t.Context(), "a", at)
				} else {
					rc, err = s.Erase(t.Context(), "a", id, at)
				}
				if err != nil || !rc.Clean {
					t.Fatalf("receipt %+v, %v", rc, err)
				}
				if found := traceOf(t, path); len(found) > 0 {
					t.Errorf("open: %v", found)
				}
				if h, err := s.Check(t.Context(), false, nil); err != nil || !h.OK {
					t.Errorf("Check = %+v, %v", h, err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if found := traceOf(t, path); len(found) > 0 {
					t.Errorf("closed: %v", found)
				}
			})
		}
	}
}

// TestEraseWhileOthersRead: a reader that keeps an old version in use keeps the
// erased text in the log. The receipt says so, and the next check finishes.
func TestEraseWhileOthersRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	s, err := Open(t.Context(), path, Options{BusyTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id := tellSecret(t, s, "a")
	other, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	reading, release, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- other.read(context.Background(), func(c *conn) error {
			_, err := c.count("SELECT count(*) FROM episodes")
			close(reading)
			<-release
			return err
		})
	}()
	<-reading
	rc, err := s.Erase(t.Context(), "a", id, time.Now())
	if err != nil || rc.Clean || len(rc.Episodes) != 2 {
		t.Errorf("receipt %+v, %v", rc, err)
	}
	h, err := s.Check(t.Context(), false, nil)
	if err != nil || h.OK || len(h.Problems) != 1 {
		t.Errorf("Check = %+v, %v", h, err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	h, err = s.Check(t.Context(), true, deriveWords)
	if err != nil || !h.OK || len(h.Fixed) != 1 {
		t.Errorf("Check with fix = %+v, %v", h, err)
	}
	if found := traceOf(t, path); len(found) > 0 {
		t.Errorf("after all: %v", found)
	}
}

// TestEraseBeyondMemory erases from a database that is larger than what SQLite may
// allocate: it is copied by way of files, under a key too.
func TestEraseBeyondMemory(t *testing.T) {
	for _, k := range []Key{{}, keyOf(t, "a")} {
		path := filepath.Join(t.TempDir(), "m.db")
		s, err := Open(t.Context(), path, Options{Key: k, memory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		id := tellSecret(t, s, "a")
		if err := s.write(t.Context(), func(t *tx) error {
			return t.exec(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
				INSERT INTO snapshots SELECT 0, 'filler', i, 0, 0, zeroblob(100000) FROM n`)
		}); err != nil {
			t.Fatal(err)
		}
		if rc, err := s.Erase(t.Context(), "a", id, time.Now()); err != nil || !rc.Clean {
			t.Errorf("under %v: %+v, %v", k, rc, err)
		}
		if found := traceOf(t, path); len(found) > 0 {
			t.Errorf("under %v: %v", k, found)
		}
	}
}

// TestAloneOutOfMemory lets SQLite run out of memory outside a transaction: the store
// goes on.
func TestAloneOutOfMemory(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "m.db"), Options{memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.alone(t.Context(), func(c *conn) error { return c.c.Exec("SELECT zeroblob(900000000)") }); err == nil {
		t.Error("no error")
	}
	fillWords(t, s, 0, 1)
}

// TestFullDisk stands for a disk without room: calls that fail leave nothing, and
// those that share a transaction with them are written all the same.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fillWords(t, s, 0, 20)
	pages, err := s.w.count("PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.w.count(fmt.Sprintf("PRAGMA max_page_count = %d", pages+3)); err != nil {
		t.Fatal(err)
	}
	big := func(i int) []core.Draft {
		return []core.Draft{{Episode: core.Episode{Kind: core.KindNote, Role: core.RoleUser, Text: fmt.Sprint(i, strings.Repeat(" filler", 10000))}}}
	}
	small := func(i int) []core.Draft {
		return []core.Draft{{Episode: core.Episode{Kind: core.KindNote, Role: core.RoleUser, Text: fmt.Sprint("small ", i)}}}
	}
	errs := make(chan error, 20)
	s.turn <- struct{}{} // let the calls gather
	for i := range 10 {
		go func() {
			_, err := s.Append(context.Background(), "full", small(i))
			errs <- err
		}()
		go func() {
			if _, err := s.Append(context.Background(), "full", big(i)); core.CodeOf(err) != core.CodeUnavailable || !strings.Contains(err.Error(), "full") {
				errs <- fmt.Errorf("a call that does not fit: %w", err)
				return
			}
			errs <- nil
		}()
	}
	for queued := 0; queued < 20; {
		s.mu.Lock()
		queued = len(s.queue)
		s.mu.Unlock()
	}
	<-s.turn
	for range 20 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	n := 0
	for e, err := range s.Scan(t.Context(), "full", 0) {
		if err != nil || !strings.HasPrefix(e.Text, "small") {
			t.Errorf("%.20q, %v", e.Text, err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d small notes, want 10", n)
	}
	if h, err := s.Check(t.Context(), false, nil); err != nil || !h.OK {
		t.Errorf("Check = %+v, %v", h, err)
	}
}

// An erasure whose caller is gone ends, and leaves all as it was.
func TestEraseEndsWithItsCaller(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "m.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fillWords(t, s, 0, 3)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err = s.write(t.Context(), func(t *tx) error {
		sp, err := t.touch("a")
		if err != nil {
			return err
		}
		return t.eraseEpisodes(gone, sp, &core.Receipt{}, false, "SELECT key FROM episodes WHERE key BETWEEN ? AND ?", sp.lo(), sp.hi())
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the erasure: %v", err)
	}
	if es, err := s.Recent(t.Context(), "a", 0, 9); err != nil || len(es) != 3 {
		t.Errorf("left: %d episodes, %v", len(es), err)
	}
}
