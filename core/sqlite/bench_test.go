package sqlite_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/sqlite"
)

// noteMaker makes notes of about 25 words with a Zipf vocabulary and a vector of
// 260 bytes each, always the same ones.
type noteMaker struct {
	rng  *rand.Rand
	zipf *rand.Zipf
	n    int
}

func newNoteMaker(seed uint64) *noteMaker {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &noteMaker{rng: rng, zipf: rand.NewZipf(rng, 1.1, 8, 60000)}
}

func word(n uint64) string {
	const syllables = "kalomiterusanopedivaxeruqobyfuhaje"
	var b strings.Builder
	for n += 17; n > 0; n /= 17 {
		i := n % 17 * 2
		b.WriteString(syllables[i : i+2])
	}
	return b.String()
}

func (m *noteMaker) text() string {
	words := make([]string, 20+m.rng.IntN(11))
	for i := range words {
		words[i] = word(m.zipf.Uint64())
	}
	return strings.Join(words, " ") + "."
}

func (m *noteMaker) draft() core.Draft {
	m.n++
	d := core.Draft{Episode: core.Episode{
		Kind: core.KindNote, Role: core.RoleUser, Source: "bench", Trust: core.TrustNote,
		Session: fmt.Sprintf("session-%d", m.n/20), At: epoch.Add(time.Duration(m.n) * time.Minute), Text: m.text(),
	}}
	binary.LittleEndian.PutUint64(d.NormHash[:], m.rng.Uint64()|1)
	vec := make([]byte, 260)
	for i := range vec {
		vec[i] = byte(m.rng.Uint32())
	}
	d.Passages = []core.DraftPassage{{End: len(d.Episode.Text), Terms: strings.TrimSuffix(d.Episode.Text, "."), Embedder: "bench-256", Vector: vec}}
	return d
}

func (m *noteMaker) drafts(n int) []core.Draft {
	out := make([]core.Draft, n)
	for i := range out {
		out[i] = m.draft()
	}
	return out
}

// fill appends n notes to each space, a thousand a call.
func fill(tb testing.TB, s *sqlite.Store, space string, m *noteMaker, n int) {
	tb.Helper()
	for n > 0 {
		k := min(n, 1000)
		if _, err := s.Append(context.Background(), space, m.drafts(k)); err != nil {
			tb.Fatal(err)
		}
		n -= k
	}
}

func size(path string) (n int64) {
	for _, suffix := range []string{"", "-wal"} {
		if i, err := os.Stat(path + suffix); err == nil {
			n += i.Size()
		}
	}
	return n
}

func BenchmarkAppend(b *testing.B) {
	for _, full := range []bool{false, true} {
		b.Run(map[bool]string{false: "normal", true: "full"}[full], func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{Full: full})
			m := newNoteMaker(1)
			drafts := m.drafts(5000)
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Append(b.Context(), "a", drafts[i%len(drafts):i%len(drafts)+1]); err != nil {
					b.Fatal(err)
				}
				i++
				if i%len(drafts) == 0 {
					b.StopTimer()
					drafts = m.drafts(len(drafts))
					b.StartTimer()
				}
			}
		})
	}
}

func BenchmarkAppendBulk(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{})
	m := newNoteMaker(1)
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		b.StopTimer()
		drafts := m.drafts(1000)
		b.StartTimer()
		if _, err := s.Append(b.Context(), "a", drafts); err != nil {
			b.Fatal(err)
		}
		rows += len(drafts)
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// countSink counts what it is fed.
type countSink struct{ passages, resets, vectors, bytes int }

func (c *countSink) Reset() { c.resets++ }
func (c *countSink) Passage(p *core.FeedPassage) error {
	c.passages++
	c.bytes += len(p.Text) + len(p.Vector)
	if p.Vector != nil {
		c.vectors++
	}
	return nil
}
func (c *countSink) State(*core.State) error   { return nil }
func (c *countSink) Event(*core.Event) error   { return nil }
func (c *countSink) Entity(*core.Entity) error { return nil }
func (c *countSink) Link(core.Link) error      { return nil }
func (c *countSink) Use(core.Use) error        { return nil }

func BenchmarkFeed(b *testing.B) {
	for _, n := range []int{2000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "m.db")
			s := openAt(b, path, sqlite.Options{})
			fill(b, s, "a", newNoteMaker(1), n)
			b.ReportMetric(float64(size(path))/float64(n), "bytes/note")
			b.ReportAllocs()
			for b.Loop() {
				var c countSink
				if _, err := s.Changes(b.Context(), "a", "bench-256", core.Version{}, &c); err != nil || c.passages != n || c.vectors != n {
					b.Fatal(c, err)
				}
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{2000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{})
			fill(b, s, "a", newNoteMaker(1), n)
			fill(b, s, "b", newNoteMaker(2), n)
			rng := rand.New(rand.NewPCG(7, 7))
			zipf := rand.NewZipf(rng, 1.1, 8, 60000)
			b.ReportAllocs()
			for b.Loop() {
				var q []string
				for range 6 {
					q = append(q, word(20+zipf.Uint64()))
				}
				if _, err := s.SearchText(b.Context(), "a", q, 60); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "m.db")
	s := openAt(b, path, sqlite.Options{})
	fill(b, s, "a", newNoteMaker(1), 2000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Version(b.Context(), "a"); err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}
