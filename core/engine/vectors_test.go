package engine_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/engine"
	"github.com/orma-memory/orma/core/pack"
)

// stored counts the vectors of the embedder, and says what the store knows to be wrong with it.
func stored(t *testing.T, e *engine.Engine) (int, string) {
	t.Helper()
	s, err := e.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s.Vectors[s.Embedder], s.EmbedderError
}

// A text that the embedder knows nothing of goes without a vector, and takes none from the texts
// beside it.
func TestTextWithoutDirectionCostsNoOtherItsVector(t *testing.T) {
	for _, odd := range []string{"\u200b", "\U000F0000", "\u2060\u2060"} {
		m := open(t)
		add(t, m, "", engine.Input{Text: "The heron stands in the reeds."}, engine.Input{Text: odd}, engine.Input{Text: "Seven jars of quince."})
		if n, wrong := stored(t, m.Engine); n != 2 || wrong != "" {
			t.Errorf("%q: %d vectors, embedder error %q; want 2 and none", odd, n, wrong)
		}
		if made, err := m.Reindex(context.Background(), nil); made != 0 || err != nil {
			t.Errorf("%q: reindex made %d, %v; want none and no error", odd, made, err)
		}
	}
}

// fickle is an embedder that answers some texts with what is no vector.
type fickle struct{ bad map[string]float32 }

func (fickle) Info() embed.Info { return embed.Info{ID: "fickle", Dim: 2} }

func (f fickle) Embed(_ context.Context, dst []float32, texts []string, _ embed.Kind) error {
	for i, s := range texts {
		dst[2*i], dst[2*i+1] = 1, 0
		if x, ok := f.bad[s]; ok {
			dst[2*i] = x
		}
	}
	return nil
}

// Reindexing goes past what an embedder answers badly, makes the rest, and says at the end what was
// wrong, if it was more than a text without a direction.
func TestReindexGoesPastBadVectors(t *testing.T) {
	nan := float32(math.NaN())
	for _, tc := range []struct {
		name   string
		inline bool
		bad    map[string]float32
		want   int
		err    error
	}{
		{"zero", false, map[string]float32{"one": 0}, 2, nil},
		{"not finite", false, map[string]float32{"one": nan, "two": 0}, 1, embed.ErrNotFinite},
		{"too long", false, map[string]float32{"three": 7}, 2, embed.ErrNotUnit},
		{"zero, at once", true, map[string]float32{"one": 0}, 2, nil},
		{"not finite, at once", true, map[string]float32{"two": nan}, 2, embed.ErrNotFinite},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := withEmbedder(t, embed.Checked(fickle{tc.bad}), tc.inline)
			added, err := e.Add(context.Background(), "", engine.Input{Text: "one"}, engine.Input{Text: "two"}, engine.Input{Text: "three"})
			if err != nil || len(added) != 3 {
				t.Fatal(added, err)
			}
			if _, err := e.Reindex(context.Background(), nil); !errors.Is(err, tc.err) {
				t.Errorf("reindex: %v, want %v", err, tc.err)
			}
			n, wrong := stored(t, e)
			if n != tc.want || tc.inline && (wrong != "") != (tc.err != nil) {
				t.Errorf("%d vectors, embedder error %q; want %d", n, wrong, tc.want)
			}
		})
	}
}

// bytes counts bytes for tokens.
type bytes struct{}

func (bytes) Count(s string) int { return len(s) }
func (bytes) Name() string       { return "bytes" }

// withEmbedder returns an engine over a fresh store that makes its vectors with em.
func withEmbedder(t *testing.T, em embed.Embedder, inline bool) *engine.Engine {
	t.Helper()
	m := open(t)
	packer, ok := m.Config.Pack().(pack.Packer)
	if !ok {
		t.Fatal("no packer")
	}
	e, err := engine.New(engine.Options{
		Store: m.Store, Recall: m.Config.Recall, Packer: packer, Counter: bytes{},
		Embedder: em, EmbedInline: inline, EmbedLater: true, Now: func() time.Time { return noon },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}
