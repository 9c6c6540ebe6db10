package bm25_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/bm25"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func snapshot(t testing.TB, x *bm25.Index) []byte {
	t.Helper()
	var buf bytes.Buffer
	n, err := x.WriteTo(&buf)
	if err != nil || n != int64(buf.Len()) {
		t.Fatalf("WriteTo = %d, %v, wrote %d", n, err, buf.Len())
	}
	return buf.Bytes()
}

func TestSnapshotRoundTrip(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		x, n := corpus(rng, rng.IntN(300))
		removeSome(t, rng, x, n)
		data := snapshot(t, x)
		y := bm25.New()
		if _, err := y.Add(bm25.Doc{Text: "what was there before", Session: bm25.NoSession}); err != nil {
			t.Fatal(err)
		}
		read, err := y.ReadFrom(iotest.HalfReader(bytes.NewReader(append(slices.Clone(data), "what follows"...))))
		if err != nil || read != int64(len(data)) {
			t.Fatalf("ReadFrom = %d, %v, want %d", read, err, len(data))
		}
		if again := snapshot(t, y); !bytes.Equal(again, data) {
			t.Fatalf("seed %d: snapshot of the loaded index differs", seed)
		}
		// Both go on alike.
		d := bm25.Doc{Text: "w1 w2 new", Session: uint32(x.Sessions()), Turn: 5}
		for range 2 {
			a, errA := x.Add(d)
			b, errB := y.Add(d)
			if a != b || errA != nil || errB != nil {
				t.Fatalf("Add after loading = %d, %v, want %d, %v", b, errB, a, errA)
			}
		}
		q := text.ParseQuery("w0 w1 w2 w7 new")
		o := bm25.Options{Params: usual()}
		if got, want := y.Search(q, o, 50, nil), x.Search(q, o, 50, nil); !slices.Equal(got, want) {
			t.Fatalf("seed %d: hits of the loaded index differ:\n%v\n%v", seed, got, want)
		}
	}
}

// goldenIndex is small and has everything the format can hold.
func goldenIndex(t testing.TB) *bm25.Index {
	t.Helper()
	x := bm25.New()
	for _, d := range []bm25.Doc{
		{Text: "The boiler hums", Session: 0, Turn: 7},
		{Text: "hums and hums", Session: 0, Turn: 7, Kind: 2},
		{Text: "a note of its own, soon gone", Session: bm25.NoSession, Kind: 31},
		{Text: "", Session: 1, Turn: 1 << 40},
		{Text: "വീട് 部署 🦊", Session: 0, Turn: 8},
	} {
		if _, err := x.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	x.Remove(2)
	return x
}

func TestSnapshotGolden(t *testing.T) {
	file := filepath.Join("testdata", "snapshot.bin")
	got := snapshot(t, goldenIndex(t))
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("snapshot differs from %s: a change of the format or the terms needs a new version number\n got %q\nwant %q", file, got, want)
	}
	if bytes.Contains(got, []byte("gone")) {
		t.Error("snapshot holds a word of a removed document")
	}
}

func TestReadFromRefusesDamage(t *testing.T) {
	good := snapshot(t, goldenIndex(t))
	x := goldenIndex(t)
	refuse := func(what string, data []byte, want error) {
		t.Helper()
		if _, err := x.ReadFrom(bytes.NewReader(data)); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", what, err, want)
		}
	}
	for n := range good {
		refuse("cut", good[:n], bm25.ErrCorrupt)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x41
		want := bm25.ErrCorrupt
		if i >= 8 && i < 16 {
			want = bm25.ErrVersion
		}
		refuse("flipped", bad, want)
	}
	failing := errors.New("disk on fire")
	if _, err := x.ReadFrom(iotest.ErrReader(failing)); !errors.Is(err, failing) {
		t.Errorf("error of the reader is lost: %v", err)
	}
	if again := snapshot(t, x); !bytes.Equal(again, good) {
		t.Error("a refused snapshot changed the index")
	}
}

// seal gives a body the header and checksum of a snapshot, so that the checks
// behind them are reached.
func seal(body []byte) []byte {
	b := append([]byte("ormabm25"), 1, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, text.TokenizerVersion)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(body)))
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func FuzzReadFrom(f *testing.F) {
	good := snapshot(f, goldenIndex(f))
	f.Add(good[24 : len(good)-4])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		x := bm25.New()
		if _, err := x.ReadFrom(bytes.NewReader(seal(body))); err != nil {
			if !errors.Is(err, bm25.ErrCorrupt) {
				t.Fatalf("error %v, want ErrCorrupt", err)
			}
			return
		}
		// What loads works.
		q := text.ParseQuery("boiler hums 部署 വീട്")
		hits := x.Search(q, bm25.Options{Params: usual()}, 10, nil)
		x.ScoreSessions(q, usual(), []uint32{0, 1}, nil)
		for _, h := range hits {
			x.Remove(h.Doc)
		}
		if _, err := x.Add(bm25.Doc{Text: "boiler", Session: uint32(x.Sessions())}); err != nil {
			t.Fatal(err)
		}
	})
}
