package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

const pageSize = 4096

// pageOwners says which table or index each page of a database file belongs to,
// by walking its b-trees.
func pageOwners(t *testing.T, path string) map[int]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	owners := map[int]string{}
	var walk func(page int, name string)
	walk = func(page int, name string) {
		if page < 1 || page*pageSize > len(b) || owners[page] != "" {
			return
		}
		owners[page] = name
		p := b[(page-1)*pageSize : page*pageSize]
		head := p
		if page == 1 {
			head = p[100:]
		}
		if head[0] != 0x02 && head[0] != 0x05 {
			return
		}
		for i := range int(binary.BigEndian.Uint16(head[3:])) {
			cell := binary.BigEndian.Uint16(head[12+2*i:])
			walk(int(binary.BigEndian.Uint32(p[cell:])), name)
		}
		walk(int(binary.BigEndian.Uint32(head[8:])), name)
	}
	c, err := openConn(path, immutable, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	walk(1, "sqlite_schema")
	if err := c.each("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0", func(r *row) error {
		walk(r.ColumnInt(1), r.ColumnText(0))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return owners
}

// words makes a text of a number that no other number has.
func words(n int) string {
	return fmt.Sprintf("note %d says alpha%d beta%d gamma%d and more.", n, n%7, n%31, n)
}

func deriveWords(e core.Episode) (core.Draft, error) {
	d := core.Draft{Episode: e, Passages: []core.DraftPassage{{
		End: len(e.Text), Terms: strings.TrimSuffix(e.Text, "."), Embedder: "e", Vector: vectorFor(e.Text),
	}}}
	copy(d.NormHash[:], e.Text[len("note "):])
	if e.Kind == core.KindAntiPattern {
		d.Rule = &core.State{Subject: core.SubjectUser, Attribute: "forbidden_x", Value: "x", Forbidden: true, Backend: "command"}
	}
	return d, nil
}

func vectorFor(text string) []byte {
	return bytes.Repeat([]byte(text), 260/len(text)+1)[:260]
}

// fillWords writes n notes in two spaces, in turns so that their pages mix, with
// repeats, rules and facts.
func fillWords(t *testing.T, s *Store, from, n int) {
	t.Helper()
	ctx := context.Background()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := from; i < from+n; i++ {
		e := core.Episode{Kind: core.KindNote, Role: core.RoleUser, Source: "chat", At: at.Add(time.Duration(i) * time.Hour), Text: words(i)}
		if i%50 == 7 {
			e.Kind = core.KindAntiPattern
		}
		if i%20 == 9 {
			e.Text = words(i - 2)
		}
		d, _ := deriveWords(e)
		space := []string{"a", "b"}[i/10%2]
		out, err := s.Append(ctx, space, []core.Draft{d})
		if err != nil {
			t.Fatal(err)
		}
		if i%5 != 0 {
			continue
		}
		id, err := s.ReserveIDs(ctx, 3)
		if err != nil {
			t.Fatal(err)
		}
		src := core.Source{Episode: out[0].ID, Passage: out[0].Passages[0], End: 4, At: e.At}
		if err := s.Apply(ctx, &core.Plan{
			Space: space, At: at,
			States:   []core.State{{ID: id, Subject: core.SubjectUser, Attribute: "note", Value: fmt.Sprint(i), Said: e.At, Sources: []core.Source{src}, Backend: "rules"}},
			Events:   []core.Event{{ID: id + 1, Subject: core.SubjectUser, Text: fmt.Sprint("wrote ", i), Said: e.At, Entities: []core.ID{}, Sources: []core.Source{src}, Backend: "rules"}},
			Entities: []core.Entity{{ID: id + 2, Name: fmt.Sprint("entity ", i)}}, Links: []core.Link{{From: id + 2, To: id, Weight: 1, At: at}},
			Uses: []core.Use{{Item: out[0].ID, Kind: core.UseRecalled, At: at}}, Done: []core.ID{out[0].ID},
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// recallOf prints all that recall could show of a store.
func recallOf(s *Store) (string, error) {
	ctx := context.Background()
	var b strings.Builder
	for _, space := range []string{"a", "b"} {
		if _, err := s.Changes(ctx, space, "e", core.Version{}, printer{&b}); err != nil {
			return "", err
		}
		for _, q := range []string{"alpha3", "beta11", "gamma42", "note"} {
			hits, err := s.SearchText(ctx, space, []string{q, "says"}, 20)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&b, space, q, hits)
		}
	}
	return b.String(), nil
}

type printer struct{ b *strings.Builder }

func (p printer) Reset() {}
func (p printer) Passage(f *core.FeedPassage) error {
	fmt.Fprintf(p.b, "passage %+v\n", *f)
	return nil
}
func (p printer) State(v *core.State) error   { fmt.Fprintf(p.b, "state %+v\n", *v); return nil }
func (p printer) Event(v *core.Event) error   { fmt.Fprintf(p.b, "event %+v\n", *v); return nil }
func (p printer) Entity(v *core.Entity) error { fmt.Fprintf(p.b, "entity %+v\n", *v); return nil }
func (p printer) Link(v core.Link) error      { fmt.Fprintf(p.b, "link %+v\n", v); return nil }
func (p printer) Use(v core.Use) error        { fmt.Fprintf(p.b, "use %+v\n", v); return nil }

// derivedTables are those that the check can make anew completely.
var derivedTables = []string{
	"passages", "passages_episode", "passages_stamp", "fulltext_data", "fulltext_idx", "fulltext_docsize", "fulltext_config",
	"vectors", "snapshots", "sqlite_autoindex_snapshots_1", "episodes_norm", "episodes_repeat", "episodes_outer",
	"states_stamp", "events_stamp", "entities_stamp", "links_stamp", "links_target", "sources_episode",
}

// TestHoles punches a hole of one page into every table in turn.
func TestHoles(t *testing.T) {
	dir := t.TempDir()
	origin := filepath.Join(dir, "origin.db")
	s, err := Open(t.Context(), origin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	fillWords(t, s, 0, 200)
	v, err := s.Version(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveSnapshot(t.Context(), "a", "text", v, make([]byte, 20000)); err != nil {
		t.Fatal(err)
	}
	want, err := recallOf(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(origin)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][]int{}
	for p, name := range pageOwners(t, origin) {
		pages[name] = append(pages[name], p)
	}
	for name, ps := range pages {
		slices.Sort(ps)
		// The first and the last: mostly a root and a leaf.
		for _, p := range slices.Compact([]int{ps[0], ps[len(ps)-1]}) {
			if p == 1 {
				continue
			}
			fill := []byte{0, 0xA5}[p%2]
			t.Run(fmt.Sprintf("%s page %d fill %x", name, p, fill), func(t *testing.T) {
				t.Parallel()
				punch(t, whole, p, fill, slices.Contains(derivedTables, name), want)
			})
		}
	}
}

func punch(t *testing.T, whole []byte, page int, fill byte, exact bool, want string) {
	path := filepath.Join(t.TempDir(), "m.db")
	b := slices.Clone(whole)
	copy(b[(page-1)*pageSize:], bytes.Repeat([]byte{fill}, pageSize))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		if exact {
			t.Fatal(err)
		}
		if core.CodeOf(err) != core.CodeCorrupt {
			t.Errorf("Open: %v", err)
		}
		return
	}
	defer s.Close()
	h, err := s.Check(ctx, true, deriveWords)
	if err != nil {
		if exact || core.CodeOf(err) != core.CodeCorrupt {
			t.Fatalf("Check: %v", err)
		}
		return
	}
	if !h.OK || len(h.Problems) == 0 || len(h.Fixed) == 0 {
		t.Errorf("Check = %+v", h)
	}
	again, err := s.Check(ctx, false, nil)
	if err != nil || !again.OK {
		t.Errorf("after the repair: %+v, %v", again, err)
	}
	got, err := recallOf(s)
	if err != nil {
		t.Fatal(err)
	}
	if exact && got != want {
		t.Errorf("recall differs:\n%s", firstDifference(got, want))
	}
	if _, err := os.Stat(path + ".damaged"); err != nil {
		t.Errorf("the damaged file was not kept: %v", err)
	}
	if _, err := s.Append(ctx, "a", []core.Draft{{Episode: core.Episode{Kind: core.KindNote, Role: core.RoleUser, Text: "more"}}}); err != nil {
		t.Error(err)
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
