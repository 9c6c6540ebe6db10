package sqlite_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func openAt(t testing.TB, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func openNew(t testing.TB) *sqlite.Store {
	return openAt(t, filepath.Join(t.TempDir(), "home", "memory.db"), sqlite.Options{})
}

// draft makes a turn of the user's with a passage a sentence; terms are its
// lower-case words.
func draft(text string, change ...func(*core.Draft)) core.Draft {
	d := core.Draft{Episode: core.Episode{
		Kind: core.KindTurn, Role: core.RoleUser, Source: "chat", Trust: core.TrustUser, At: epoch, Text: text,
	}}
	for _, f := range change {
		f(&d)
	}
	h := sha256.Sum256([]byte(strings.Join(strings.Fields(strings.ToLower(text)), " ")))
	copy(d.NormHash[:], h[:])
	at := 0
	for _, sentence := range strings.SplitAfter(text, ". ") {
		end := at + len(sentence)
		trimmed := strings.TrimSpace(sentence)
		if trimmed != "" {
			start := at + strings.Index(sentence, trimmed)
			d.Passages = append(d.Passages, core.DraftPassage{
				Start: start, End: start + len(trimmed), Terms: terms(trimmed),
			})
		}
		at = end
	}
	return d
}

func terms(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" .,!?", r) }), " ")
}

func TestAppendAndRead(t *testing.T) {
	s := openNew(t)
	ctx := t.Context()
	out, err := s.Append(ctx, "a", []core.Draft{draft("I live in Pune. I like tea."), draft("Tomorrow it rains.")})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 2 || len(out[0].Passages) != 2 || len(out[1].Passages) != 1 {
		t.Fatalf("Append = %+v", out)
	}
	e, err := s.Episode(ctx, "a", out[0].ID)
	if err != nil || e.Text != "I live in Pune. I like tea." || !e.At.Equal(epoch) {
		t.Fatalf("Episode = %+v, %v", e, err)
	}
	hits, err := s.SearchText(ctx, "a", []string{"tea", "pune"}, 10)
	if err != nil || len(hits) != 2 {
		t.Fatalf("SearchText = %v, %v", hits, err)
	}
	if hits, _ := s.SearchText(ctx, "b", []string{"tea"}, 10); len(hits) != 0 {
		t.Errorf("another space finds %v", hits)
	}
}

// The limits of an operator hold, with an error that names them; what is there stays and can be
// erased to make room.
func TestLimits(t *testing.T) {
	ctx := t.Context()
	s := openAt(t, filepath.Join(t.TempDir(), "m.db"), sqlite.Options{Spaces: 2, SpaceEpisodes: 3})
	add := func(space string, texts ...string) error {
		var ds []core.Draft
		for _, text := range texts {
			ds = append(ds, draft(text))
		}
		_, err := s.Append(ctx, space, ds)
		return err
	}
	refused := func(err error, key string) {
		t.Helper()
		if core.CodeOf(err) != core.CodeLimit || !strings.Contains(err.Error(), key) {
			t.Errorf("%v, want a limit that names %s", err, key)
		}
	}
	if err := errors.Join(add("a", "One.", "Two."), add("b", "One.")); err != nil {
		t.Fatal(err)
	}
	refused(add("c", "One."), "limits.spaces = 2")
	refused(add("a", "Three.", "Four."), "has 2 episodes, and 2 more would be over limits.space_episodes = 3")
	if err := add("a", "Three."); err != nil {
		t.Error(err)
	}
	refused(add("a", "Two."), "limits.space_episodes = 3") // a repeat is an episode too
	if _, err := s.EraseSpace(ctx, "a", epoch); err != nil {
		t.Fatal(err)
	}
	if err := add("c", "One."); err != nil {
		t.Errorf("after a space was erased: %v", err)
	}
}

// A space that is erased while it is read ends the reading with an error, also when there is
// one of its name again; one that never was is empty.
func TestScanOfASpaceThatGoes(t *testing.T) {
	ctx := t.Context()
	for _, again := range []bool{false, true} {
		s := openNew(t)
		for _, err := range s.Scan(ctx, "a", 0) {
			t.Errorf("of no space: %v", err)
		}
		var ds []core.Draft
		for i := range 300 {
			ds = append(ds, draft(fmt.Sprintf("Line %d.", i)))
		}
		if _, err := s.Append(ctx, "a", ds); err != nil {
			t.Fatal(err)
		}
		n, last := 0, error(nil)
		for _, err := range s.Scan(ctx, "a", 0) {
			if last = err; err != nil {
				break
			}
			if n++; n > 1 {
				continue
			}
			if _, err := s.EraseSpace(ctx, "a", epoch); err != nil {
				t.Fatal(err)
			}
			if again {
				if _, err := s.Append(ctx, "a", []core.Draft{draft("Another.")}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n == 0 || n >= 300 || core.CodeOf(last) != core.CodeNotFound {
			t.Errorf("again %v: %d episodes, then %v", again, n, last)
		}
	}
}
