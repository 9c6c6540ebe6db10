package sqlite

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

var update = flag.Bool("update", false, "write golden files")

func dumpSchema(c *conn) (string, error) {
	var b strings.Builder
	err := c.each("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name", func(r *row) error {
		b.WriteString(r.ColumnText(0) + ";\n\n")
		return nil
	})
	return b.String(), err
}

// TestSchemaIsGolden fails when a released migration was edited: the schema that
// the scripts give after each of them is on record.
func TestSchemaIsGolden(t *testing.T) {
	scripts, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	for v := 1; v <= len(scripts); v++ {
		s, err := openWith(t.Context(), filepath.Join(t.TempDir(), "m.db"), Options{}, scripts[:v])
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		got, err := dumpSchema(s.w)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("testdata/schema-%d.sql", v)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("schema %d is not that of %s:\n%s", v, name, got)
		}
	}
}

// goldenPlan is what the golden databases of every version hold.
func fillGolden(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	say := func(space, text string, kind core.Kind) core.Appended {
		d := core.Draft{
			Episode:  core.Episode{Kind: kind, Role: core.RoleUser, Source: "chat", Trust: core.TrustUser, At: at, Text: text},
			Passages: []core.DraftPassage{{End: len(text), Terms: strings.ToLower(strings.TrimSuffix(text, ".")), Embedder: "e", Vector: []byte{1, 2, 3}}},
		}
		copy(d.NormHash[:], strings.ToLower(text))
		if kind == core.KindAntiPattern {
			d.Rule = &core.State{Subject: core.SubjectUser, Attribute: "forbidden_jokes", Value: "jokes", Forbidden: true, Backend: "command"}
		}
		out, err := s.Append(ctx, space, []core.Draft{d})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	a := say("work", "I live in Pune.", core.KindTurn)
	b := say("work", "I live in Goa.", core.KindTurn)
	say("work", "i live in goa.", core.KindNote)
	say("home", "No jokes.", core.KindAntiPattern)
	id, err := s.ReserveIDs(ctx, 4)
	if err != nil {
		t.Fatal(err)
	}
	src := func(a core.Appended, n int) core.Source {
		return core.Source{Episode: a.ID, Passage: a.Passages[0], End: n, At: at}
	}
	closing := src(b, 14)
	st := func(id core.ID, value string, s core.Source) core.State {
		return core.State{ID: id, Subject: core.SubjectUser, Attribute: "lives_in", Value: value, Said: at, Trust: core.TrustUser, Sources: []core.Source{s}, Backend: "rules"}
	}
	if err := s.Apply(ctx, &core.Plan{
		Space: "work", At: at, States: []core.State{st(id, "Pune", src(a, 15)), st(id+1, "Goa", closing)},
		Close:    []core.Closing{{State: id, ValidTo: "2026-01-02", SupersededBy: id + 1, Source: &closing}},
		Events:   []core.Event{{ID: id + 2, Subject: core.SubjectUser, Text: "moved", Said: at, Entities: []core.ID{id + 3}, Sources: []core.Source{closing}, Backend: "rules"}},
		Entities: []core.Entity{{ID: id + 3, Name: "Goa", Aliases: []string{"Panjim"}}}, Links: []core.Link{{From: id + 3, To: id + 1, Weight: 1, At: at}},
		Uses: []core.Use{{Item: id, Kind: core.UseCited, At: at}}, Entries: []core.Entry{{At: at, Op: core.OpForget, Data: []byte(`{"state":1}`)}},
		Done: []core.ID{a.ID}, Report: []byte(`{}`),
	}); err != nil {
		t.Fatal(err)
	}
}

// TestGoldenDatabases opens a database of every released version, which this and
// every later program must be able to read and bring up to date.
func TestGoldenDatabases(t *testing.T) {
	scripts, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	for v := 1; v <= len(scripts); v++ {
		name := fmt.Sprintf("testdata/v%d.db.gz", v)
		if _, err := os.Stat(name); *update && errors.Is(err, os.ErrNotExist) && v == len(scripts) {
			writeGolden(t, name)
		}
		path := filepath.Join(t.TempDir(), "m.db")
		gunzip(t, name, path)
		s, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		got, err := s.Spaces(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		want := []core.SpaceStats{
			{Space: "home", Episodes: 1, Passages: 1, Rules: 1, First: at, Last: at},
			{Space: "work", Episodes: 3, Repeats: 1, Passages: 2, States: 1, Closed: 1, Events: 1, Entities: 1, Links: 1, Pending: 2, Uses: 2, First: at, Last: at},
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: spaces\n got %+v\nwant %+v", name, got, want)
		}
		hits, err := s.SearchText(t.Context(), "work", []string{"goa"}, 9)
		if err != nil || len(hits) != 1 {
			t.Errorf("%s: SearchText = %v, %v", name, hits, err)
		}
		h, err := s.Check(t.Context(), false, nil)
		if err != nil || !h.OK {
			t.Errorf("%s: Check = %+v, %v", name, h, err)
		}
		if _, err := s.Append(t.Context(), "work", []core.Draft{{Episode: core.Episode{Kind: core.KindTurn, Role: core.RoleUser, At: at, Text: "More."}}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func writeGolden(t *testing.T, name string) {
	path := filepath.Join(t.TempDir(), "m.db")
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC) }
	s, err := Open(t.Context(), path, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	fillGolden(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, z.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func gunzip(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestUpgrade plays two versions of the program on one file.
func TestUpgrade(t *testing.T) {
	ctx := t.Context()
	scripts, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	next := append(scripts[:len(scripts):len(scripts)], "ALTER TABLE meta ADD COLUMN note TEXT; CREATE TABLE extra (x INTEGER);")
	dir := t.TempDir()
	path := filepath.Join(dir, "m.db")
	old, err := openWith(ctx, path, Options{}, scripts)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	fillGolden(t, old)

	broken := append(scripts[:len(scripts):len(scripts)], "CREATE TABLE extra (x INTEGER); SELECT * FROM nothing;")
	if _, err := openWith(ctx, path, Options{}, broken); err == nil {
		t.Fatal("a broken migration passed")
	}
	if v, err := old.Version(ctx, "work"); err != nil || v.Gen == 0 {
		t.Fatalf("after a broken migration: %v, %v", v, err)
	}

	upgraded, err := openWith(ctx, path, Options{}, next)
	if err != nil {
		t.Fatal(err)
	}
	defer upgraded.Close()
	if info, err := upgraded.Info(ctx); err != nil || info.Schema != len(next) {
		t.Errorf("Info = %+v, %v", info, err)
	}
	// The older program stops instead of writing what it does not know.
	if err := old.SetMeta(ctx, "k", "v"); core.CodeOf(err) != core.CodeNewer {
		t.Errorf("the older program wrote: %v", err)
	}
	if _, err := old.Spaces(ctx); core.CodeOf(err) != core.CodeNewer {
		t.Errorf("the older program read: %v", err)
	}
	if _, err := openWith(ctx, path, Options{}, scripts); core.CodeOf(err) != core.CodeNewer {
		t.Errorf("the older program opened it: %v", err)
	}
	if _, err := openWith(ctx, path, Options{ReadOnly: true}, scripts); core.CodeOf(err) != core.CodeNewer {
		t.Errorf("the older program opened it for reading: %v", err)
	}
	backups, err := filepath.Glob(path + ".schema*.bak*")
	if err != nil || len(backups) == 0 {
		t.Fatalf("backups %v, %v", backups, err)
	}
	b, err := openWith(ctx, backups[0], Options{ReadOnly: true}, scripts)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if sp, err := b.Spaces(ctx); err != nil || len(sp) != 2 {
		t.Errorf("the backup has %+v, %v", sp, err)
	}
	if i, err := os.Stat(backups[0]); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("mode of the backup: %v, %v", i, err)
	}
	if _, err := openWith(ctx, backups[0], Options{ReadOnly: true}, next); core.CodeOf(err) != core.CodeReadOnly {
		t.Errorf("an older file for reading only: %v", err)
	}
}
