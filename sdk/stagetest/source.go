package stagetest

import (
	"cmp"
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/orma-memory/orma/core/frame"
)

// spare is how many items the source has beside those in the frame.
const spare = 40

// source is a made-up space. Everything it says follows from its seed, the channel
// and the item, and it has every ability a source may have.
type source struct {
	rows     int
	seed     uint64
	mentions [rings + ring][]uint32
	texts    []string
}

func newSource(rows int, seed uint64) *source {
	s := &source{rows: rows, seed: seed}
	r := rand.New(rand.NewPCG(seed, uint64(rows)))
	for range rows {
		s.texts = append(s.texts, text(r, seed%2 == 1))
	}
	for doc := range uint32(rows) {
		for _, e := range s.Entities(doc) {
			s.mentions[e] = append(s.mentions[e], doc)
		}
	}
	return s
}

var (
	_ frame.Source   = (*source)(nil)
	_ frame.Graph    = (*source)(nil)
	_ frame.Floored  = (*source)(nil)
	_ frame.Comparer = (*source)(nil)
	_ frame.Reader   = (*source)(nil)
)

// mix scrambles x (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Rows returns the number of items.
func (s *source) Rows() int { return s.rows }

// score is in [-1, 1] in steps of a tenth; many are zero.
func (s *source) score(channel uint64, doc uint32) float32 {
	h := mix(s.seed ^ mix(channel^uint64(doc)))
	if h%3 == 0 {
		return 0
	}
	return float32(int(h>>8%21)-10) / 10
}

func channelKey(ch frame.Channel) uint64 {
	h := fnv.New64a()
	h.Write([]byte(ch.Name + "\x00" + ch.Embedder))
	return h.Sum64()
}

// Search returns the best items of a channel.
func (s *source) Search(ctx context.Context, ch frame.Channel, k int, dst []frame.Hit) ([]frame.Hit, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	key, start := channelKey(ch), len(dst)
	for doc := range uint32(s.rows) {
		if v := s.score(key, doc); v > 0 {
			dst = append(dst, frame.Hit{Doc: doc, Score: v})
		}
	}
	slices.SortFunc(dst[start:], func(a, b frame.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	return dst[:min(len(dst), start+max(k, 0))], nil
}

// Score writes the channel's score of each item.
func (s *source) Score(ctx context.Context, ch frame.Channel, docs []uint32, dst []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	key := channelKey(ch)
	for i, d := range docs {
		dst[i] = s.score(key, d)
	}
	return nil
}

// Texts writes what items say; every third says what the one before it does.
func (s *source) Texts(docs []uint32, dst []string) error {
	for i, d := range docs {
		if d%3 == 2 {
			d--
		}
		dst[i] = s.texts[d]
	}
	return nil
}

// Fill does nothing: [Frame] has filled the columns.
func (s *source) Fill(*frame.Frame) error { return nil }

// The graph: an item of number d mentions the entities d mod 16 and 16 + d mod 7,
// and entity e is linked to its two neighbours in the ring of all 23.

const rings, ring = 16, 7

// Named returns one or two entities, or none.
func (s *source) Named(dst []uint32) []uint32 {
	h := mix(s.seed)
	switch h % 3 {
	case 0:
		return dst
	case 1:
		return append(dst, uint32(h>>8%rings))
	}
	return append(dst, uint32(h>>8%rings), rings+uint32(h>>16%ring))
}

var entityPairs = func() (out [rings * ring][2]uint32) {
	for i := range out {
		out[i] = [2]uint32{uint32(i % rings), rings + uint32(i%ring)}
	}
	return out
}()

// Entities returns what an item mentions; every fifth item mentions nothing.
func (s *source) Entities(doc uint32) []uint32 {
	if doc%5 == 4 {
		return nil
	}
	return entityPairs[doc%(rings*ring)][:]
}

// Mentions returns the items that mention an entity.
func (s *source) Mentions(entity uint32) []uint32 { return s.mentions[entity] }

var entityLinks = func() (out [rings + ring][2]frame.Edge) {
	n := uint32(len(out))
	for e := range n {
		out[e] = [2]frame.Edge{{To: (e + 1) % n, Weight: 1}, {To: (e + n - 1) % n, Weight: 0.5}}
	}
	return out
}()

// Links returns an entity's two neighbours.
func (s *source) Links(entity uint32) []frame.Edge { return entityLinks[entity][:] }

// Floor is known for every other seed.
func (s *source) Floor(string) (float32, bool) {
	return float32(s.seed%5) / 4, s.seed/2%2 == 0 // 1 is among them
}

// Cosines are high for items that are next to each other.
func (s *source) Cosines(doc uint32, to []uint32, dst []float32) {
	for i, other := range to {
		low, high := min(doc, other), max(doc, other)
		switch {
		case doc%11 == 3 || other%11 == 3:
			dst[i] = float32(math.NaN())
		case high-low <= 2:
			dst[i] = 1 - float32(high-low)/64
		default:
			dst[i] = s.score(7, low*31+high)
		}
	}
}
