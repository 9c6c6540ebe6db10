package bert

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/internal/parity"
)

// openMiniLM opens the real model, which is not part of the repository: from the folder models in
// ORMA_SHARED, or in a folder shared beside the repository.
func openMiniLM(t testing.TB) *Model {
	t.Helper()
	dir := os.Getenv("ORMA_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	path := filepath.Join(dir, "models", MiniLMFile)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s needs the model file %s, which is not here", t.Name(), path)
	}
	m, err := Open(Config{Path: path, ID: "all-MiniLM-L6-v2"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func vectors(t testing.TB, e embed.Embedder, texts ...string) []float32 {
	t.Helper()
	dst := make([]float32, len(texts)*e.Info().Dim)
	if err := e.Embed(t.Context(), dst, texts, embed.Passage); err != nil {
		t.Fatal(err)
	}
	return dst
}

func TestMiniLMAsTheOriginal(t *testing.T) {
	m, p := openMiniLM(t), parity.Load(t)
	least := 1.0
	for _, c := range p.Cases {
		if c.MiniLM == nil {
			continue
		}
		got := vectors(t, m, c.Text)
		if err := embed.Usable(got); err != nil {
			t.Errorf("%q: %v", c.Text, err)
		}
		cos := parity.Cosine(got, c.MiniLM)
		least = min(least, cos)
		if cos < p.Tolerance.MiniLM {
			t.Errorf("%q: cosine %.5f to the original", c.Text, cos)
		}
	}
	t.Logf("least cosine %.5f", least)
}

// The bits must not depend on the machine.
func TestMiniLMBits(t *testing.T) {
	m, h := openMiniLM(t), sha256.New()
	for _, x := range vectors(t, m, "When did we move the queue?", "The blue tram was late again.", "naïve 東京 x") {
		h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	const want = "ce77101eb5ba8dc8a0393911e9ce98ac847bf479f1e0d95956084881cec8b769"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the vectors have the hash %s, want %s", got, want)
	}
}

func TestMiniLMBatchEqualsSingles(t *testing.T) {
	m := openMiniLM(t)
	var texts []string
	for _, c := range parity.Load(t).Cases[:8] {
		texts = append(texts, c.Text)
	}
	batch := vectors(t, m, texts...)
	for i, text := range texts {
		if !slices.Equal(batch[i*384:][:384], vectors(t, m, text)) {
			t.Errorf("%q differs in a batch", text)
		}
	}
}

func BenchmarkMiniLMQuery(b *testing.B) {
	benchmark(b, "When did we move the staging queue to the new cluster?")
}

func BenchmarkMiniLMNote(b *testing.B) {
	benchmark(b, "The staging queue moved to the new cluster on a rainy Thursday in March, after two failed attempts, because the old machines had run out of memory again.")
}

func benchmark(b *testing.B, text string) {
	m := openMiniLM(b)
	dst, texts := make([]float32, 384), []string{text}
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Embed(b.Context(), dst, texts, embed.Query); err != nil {
			b.Fatal(err)
		}
	}
}
