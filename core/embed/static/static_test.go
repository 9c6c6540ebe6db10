package static

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/internal/parity"
)

func vectors(t testing.TB, e embed.Embedder, texts ...string) []float32 {
	t.Helper()
	dst := make([]float32, len(texts)*e.Info().Dim)
	if err := e.Embed(t.Context(), dst, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestEmbedAsTheOriginal(t *testing.T) {
	e, p := New(), parity.Load(t)
	for _, c := range p.Cases {
		got := vectors(t, e, c.Text)
		if len(c.TokenIDs) == 0 {
			if embed.Usable(got) != embed.ErrZero {
				t.Errorf("%q has no tokens, but a vector", c.Text)
			}
			continue
		}
		if err := embed.Usable(got); err != nil {
			t.Errorf("%q: %v", c.Text, err)
		}
		if cos := parity.Cosine(got, c.Static); cos < p.Tolerance.Static {
			t.Errorf("%q: cosine %.6f to the original", c.Text, cos)
		}
	}
}

// The bits must not depend on the machine.
func TestEmbedBits(t *testing.T) {
	h := sha256.New()
	e := New()
	for _, c := range parity.Load(t).Cases {
		for _, x := range vectors(t, e, c.Text) {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	const want = "167915f4f930f44bfed6a7739e88afa8b21463a2586a4cdbe280443f40bad3b3"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the vectors have the hash %s, want %s", got, want)
	}
}

func TestBatchEqualsSingles(t *testing.T) {
	e := New()
	texts := []string{"the tram was late", "", "blue paint", "the tram was late"}
	batch := vectors(t, e, texts...)
	for i, text := range texts {
		if single := vectors(t, e, text); !slices.Equal(batch[i*256:][:256], single) {
			t.Errorf("%q differs in a batch", text)
		}
	}
	if len(vectors(t, e)) != 0 {
		t.Error("no texts gave vectors")
	}
}

func TestRelatedTextsAreNearer(t *testing.T) {
	e := New()
	v := vectors(t, e, "Where did we leave the car?", "The vehicle is parked behind the station.", "Add two spoons of sugar to the dough.")
	near, far := parity.Cosine(v[:256], v[256:512]), parity.Cosine(v[:256], v[512:])
	if near < far+0.2 {
		t.Errorf("cosine of the related %.3f, of the unrelated %.3f", near, far)
	}
}

func TestEmbedRefuses(t *testing.T) {
	e := New()
	for _, room := range []int{0, 255, 257, 512} {
		if err := e.Embed(t.Context(), make([]float32, room), []string{"a"}, embed.Query); !errors.Is(err, embed.ErrBadCount) {
			t.Errorf("room of %d: error %v, want %v", room, err, embed.ErrBadCount)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Embed(ctx, make([]float32, 256), []string{"a"}, embed.Query); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestHugeText(t *testing.T) {
	e := New()
	one := vectors(t, e, "pear plum")
	if many := vectors(t, e, strings.Repeat("pear plum ", 50_000)); parity.Cosine(one, many) < 0.99999 {
		t.Error("a text repeated points elsewhere")
	}
}

func TestRevisionIsTheTables(t *testing.T) {
	sum := sha256.Sum256([]byte(embedded))
	if got := hex.EncodeToString(sum[:6]); got != revision {
		t.Errorf("the table's hash starts with %s, the revision is %s", got, revision)
	}
	e := New()
	if e.table.rows != e.vocab.Len() || e.Info().Dim != 256 {
		t.Errorf("%d rows of %d for %d tokens", e.table.rows, e.Info().Dim, e.vocab.Len())
	}
}

func TestParseRefuses(t *testing.T) {
	for name, file := range map[string]string{
		"empty": "", "short": "\x01\x00\x00", "header only": "\x01\x00\x00\x00\x08\x00\x00\x00",
		"no rows": strings.Repeat("\x00", 8), "cut": embedded[:len(embedded)-1], "longer": embedded + "x",
		"huge": "\xff\xff\xff\xff\xff\xff\xff\xff" + strings.Repeat("x", 100),
	} {
		if _, err := parse(file); !errors.Is(err, errTable) {
			t.Errorf("%s: error %v, want %v", name, err, errTable)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("\x01\x00\x00\x00\x08\x00\x00\x00" + strings.Repeat("\x01", 12))
	f.Fuzz(func(_ *testing.T, file string) {
		t, err := parse(file)
		if err != nil {
			return
		}
		v := make([]float32, t.dim)
		for id := range min(t.rows, 1000) {
			t.add(v, int32(id))
		}
		t.add(v, int32(t.rows))
	})
}

func TestConcurrentUse(t *testing.T) {
	e := New()
	want := vectors(t, e, "a quiet street")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got := make([]float32, 256)
			for range 50 {
				if err := e.Embed(context.Background(), got, []string{"a quiet street"}, embed.Query); err != nil || !slices.Equal(got, want) {
					t.Errorf("got another vector, %v", err)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkQuery(b *testing.B) {
	benchmark(b, "When did we move the staging queue to the new cluster?")
}

func BenchmarkNote(b *testing.B) {
	benchmark(b, "The staging queue moved to the new cluster on a rainy Thursday in March, after two failed attempts, because the old machines had run out of memory again.")
}

func benchmark(b *testing.B, text string) {
	e, dst, texts := New(), make([]float32, 256), []string{text}
	b.ReportAllocs()
	for b.Loop() {
		if err := e.Embed(b.Context(), dst, texts, embed.Query); err != nil {
			b.Fatal(err)
		}
	}
}

// A query in a script that the table does not know must not be near to whatever else is
// foreign to it.
func TestQueriesOfForeignScriptsSayNothing(t *testing.T) {
	e := New()
	embedQuery := func(text string) []float32 {
		v := make([]float32, e.Info().Dim)
		if err := e.Embed(t.Context(), v, []string{text}, embed.Query); err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, text := range []string{"👾", "部署", "താക്കോൽ", "صاروخ", "Ключи", "μέλι", "열쇠"} {
		if err := embed.Usable(embedQuery(text)); err != embed.ErrZero {
			t.Errorf("%q has a vector: %v", text, err)
		}
	}
	if !slices.Equal(embedQuery("where is the key 部署 👾"), embedQuery("where is the key")) {
		t.Error("foreign words move a query")
	}
	for _, text := range []string{"Käthe Größl", "łódź", "x = 5 €"} {
		if err := embed.Usable(embedQuery(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, word := range []string{"部", "ключ", "🦊"} {
		if e.WordVector(make([]float32, e.Dim()), word) {
			t.Errorf("the word %q has a vector", word)
		}
	}
}
