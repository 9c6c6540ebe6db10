package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
)

// filled is a space with a bit of everything, fed by hand.
func filled(t testing.TB) *Space {
	t.Helper()
	s := New("s", Options{Embedder: "e", Dim: 8})
	r := rand.New(rand.NewPCG(1, 1))
	texts := []string{"I met Anna Schmidt in New York.", "Where is Boris?", "Tea at 4 with Anna Schmidt and Boris", "plain words here"}
	for i := range 60 {
		blob := make([]byte, 12)
		binary.LittleEndian.PutUint32(blob, 0x3c000000)
		for j := range 8 {
			blob[4+j] = byte(r.IntN(255))
		}
		p := &core.FeedPassage{
			Passage: core.Passage{ID: core.ID(2*i + 2), Episode: core.ID(2*i + 1), End: len(texts[i%4])}, Kind: core.KindTurn, Role: core.RoleUser,
			Session: []string{"", "a", "b"}[i%3], Speaker: []string{"", "Anna"}[i%2], Source: "test", Trust: core.TrustUser, Text: texts[i%4], Vector: blob,
		}
		if err := s.Passage(p); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Entity(&core.Entity{ID: 500, Name: "Anna Schmidt", Aliases: []string{"Annie"}}))
	must(s.Entity(&core.Entity{ID: 501, Name: "Nobody"}))
	must(s.State(&core.State{ID: 502, Space: "s", Subject: "user", Attribute: "home_city", Value: "Pune", Sources: []core.Source{{Episode: 1, Passage: 2, End: 5}}}))
	must(s.Event(&core.Event{ID: 503, Space: "s", Subject: "user", Text: "met Anna", Entities: []core.ID{500}, Sources: []core.Source{{Episode: 1, Passage: 2, End: 5}}}))
	must(s.Link(core.Link{From: 500, To: 501, Weight: 0.25}))
	must(s.Link(core.Link{From: 501, To: 4, Weight: 1}))
	must(s.Use(core.Use{Item: 2, Kind: core.UseRecalled}))
	s.version = core.Version{Epoch: 1, Gen: 7}
	return s
}

func TestSnapshotHoldsEverything(t *testing.T) {
	a := filled(t)
	data, err := a.encode()
	if err != nil {
		t.Fatal(err)
	}
	b := New("s", Options{Embedder: "e", Dim: 8})
	if err := b.decode(data); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"items": {a.items, b.items}, "live": {a.live, b.live}, "rows": {a.liveRows, b.liveRows}, "docs": {a.docs, b.docs},
		"speakers": {a.speakers, b.speakers}, "speaker terms": {a.speakerTerms, b.speakerTerms}, "sessions": {a.sessions, b.sessions},
		"runs": {a.runs, b.runs}, "place": {a.place, b.place}, "uses": {a.uses, b.uses}, "sum": {a.sum, b.sum}, "vec docs": {a.vecDocs, b.vecDocs},
		"words": {a.lex.words, b.lex.words}, "flat": {a.lex.flat, b.lex.flat}, "time": {a.lex.time, b.lex.time},
		"facts": {a.facts, b.facts}, "names": {a.graph.byName, b.graph.byName}, "numbers": {a.graph.number, b.graph.number},
		"mentions": {a.graph.mentions, b.graph.mentions}, "links": {a.graph.links, b.graph.links}, "met": {a.graph.met, b.graph.met}, "by doc": {a.graph.byDoc, b.graph.byDoc},
		"labels": {a.graph.labels, b.graph.labels}, "keys": {a.graph.keys, b.graph.keys}, "ids": {a.graph.ids, b.graph.ids},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %v, want %v", name, pair[1], pair[0])
		}
	}
	if c := New("s", Options{Embedder: "other", Dim: 8}); c.decode(data) == nil {
		t.Error("another embedder's snapshot is taken")
	}
}

// TestSnapshotHoldsEveryField fills each field of a state and an event, those that come
// to be too.
func TestSnapshotHoldsEveryField(t *testing.T) {
	var want factList
	for i := range 3 {
		n := i * 100
		want.States = append(want.States, core.State{})
		want.Events = append(want.Events, core.Event{})
		fill(t, reflect.ValueOf(&want.States[i]).Elem(), &n)
		fill(t, reflect.ValueOf(&want.Events[i]).Elem(), &n)
		want.States[i].Space, want.Events[i].Space = "s", "s"
	}
	want.States = append(want.States, core.State{Space: "s"})
	want.Events = append(want.Events, core.Event{Space: "s"})
	w := &writer{}
	w.facts(want)
	r := &reader{b: w.b}
	if got := r.facts("s"); r.bad || len(r.b) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("bad: %v, %d bytes left\n%+v, want\n%+v", r.bad, len(r.b), got, want)
	}
}

// fill gives every field a value of its own.
func fill(t *testing.T, v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(*n)<<32-1<<40, int64(*n)).UTC()))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("ünd\x00 %d", *n))
	case v.Kind() == reflect.Bool:
		v.SetBool(*n%3 != 0) // not all alike: none may stand for another
	case v.CanInt():
		v.SetInt(int64(*n) % 100)
	case v.CanUint():
		v.SetUint(uint64(*n) % 100)
	default:
		t.Fatalf("a field of a kind that this test does not know: %s", v.Type())
	}
}

func TestSnapshotRefusesDamage(t *testing.T) {
	data, err := filled(t).encode()
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 7 {
		if New("s", Options{Embedder: "e", Dim: 8}).decode(data[:n]) == nil {
			t.Fatalf("%d of %d bytes are taken", n, len(data))
		}
		bad := append([]byte(nil), data...)
		bad[n] ^= 0x41
		if New("s", Options{Embedder: "e", Dim: 8}).decode(bad) == nil {
			t.Fatalf("a flip at byte %d is taken", n)
		}
	}
}

// FuzzSnapshot plays bytes behind a valid checksum.
func FuzzSnapshot(f *testing.F) {
	data, err := filled(f).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		s := New("s", Options{Embedder: "e", Dim: 8})
		_ = s.decode(binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, castagnoli)))
	})
}

// memory is a feeder that keeps one snapshot and has nothing new.
type memory struct {
	data []byte
	v    core.Version
}

func (m *memory) Version(context.Context, string) (core.Version, error) {
	return core.Version{Epoch: 1, Gen: 7}, nil
}
func (m *memory) Changes(_ context.Context, _, _ string, after core.Version, sink core.Sink) (core.Version, error) {
	return core.Version{Epoch: 1, Gen: 7}, nil
}
func (m *memory) Snapshot(context.Context, string, string) ([]byte, core.Version, bool, error) {
	return m.data, m.v, m.data != nil, nil
}
func (m *memory) SaveSnapshot(_ context.Context, _, _ string, v core.Version, data []byte) error {
	m.data, m.v = data, v
	return nil
}

func TestSnapshotIsSavedOnce(t *testing.T) {
	s := filled(t)
	m := &memory{}
	if err := s.save(context.Background(), m); err != nil || m.data != nil {
		t.Fatalf("60 rows are saved: %v", err)
	}
	s.saved = -snapshotRows // as if many were new
	if err := s.save(context.Background(), m); err != nil || m.data == nil {
		t.Fatalf("not saved: %v", err)
	}
	c := NewCache(m, Options{Embedder: "e", Dim: 8}, 1<<30)
	got, err := c.Space(context.Background(), "s")
	if err != nil || len(got.items) != len(s.items) {
		t.Errorf("loaded %d items, %v; want %d", len(got.items), err, len(s.items))
	}
	m.data[50] ^= 1
	got, err = NewCache(m, Options{Embedder: "e", Dim: 8}, 1<<30).Space(context.Background(), "s")
	if err != nil || len(got.items) != 0 {
		t.Errorf("a damaged snapshot gave %d items, %v; want an index built from the feed", len(got.items), err)
	}
}
