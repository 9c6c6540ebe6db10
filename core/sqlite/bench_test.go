package sqlite_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
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

// BenchmarkAppend times one note a call, and reports the percentiles.
func BenchmarkAppend(b *testing.B) {
	for _, full := range []bool{false, true} {
		b.Run(map[bool]string{false: "normal", true: "full"}[full], func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{Full: full})
			m := newNoteMaker(1)
			fill(b, s, "a", m, 2000)
			drafts := m.drafts(1000)
			var took []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				if len(drafts) == 0 {
					b.StopTimer()
					drafts = m.drafts(1000)
					b.StartTimer()
				}
				began := time.Now()
				if _, err := s.Append(b.Context(), "a", drafts[:1]); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
				drafts = drafts[1:]
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

// BenchmarkSpaces reads and searches one space of a file with few and with many
// others.
func BenchmarkSpaces(b *testing.B) {
	spaces := []int{1, 1000}
	if testing.Short() { // a million notes take minutes to write
		spaces = []int{1, 10}
	}
	for _, n := range spaces {
		path := filepath.Join(b.TempDir(), "m.db")
		s := openAt(b, path, sqlite.Options{})
		m := newNoteMaker(1)
		// In turns, as real spaces grow: their rows arrive mixed.
		for range 10 {
			for i := range n {
				fill(b, s, fmt.Sprint("space ", i), m, 100)
			}
		}
		space := fmt.Sprint("space ", n/2)
		b.Run(fmt.Sprintf("%d/feed", n), func(b *testing.B) {
			for b.Loop() {
				var c countSink
				if _, err := s.Changes(b.Context(), space, "bench-256", core.Version{}, &c); err != nil || c.passages != 1000 {
					b.Fatal(c, err)
				}
			}
			b.ReportMetric(float64(size(path))/float64(n*1000), "bytes/note")
		})
		b.Run(fmt.Sprintf("%d/search", n), func(b *testing.B) {
			q := queries(50)
			for i := 0; b.Loop(); i++ {
				if _, err := s.SearchText(b.Context(), space, q[i%len(q)], 60); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/append", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Append(b.Context(), space, []core.Draft{m.draft()}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/version", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Version(b.Context(), space); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/cold open and feed", n), func(b *testing.B) {
			for b.Loop() {
				s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
				if err != nil {
					b.Fatal(err)
				}
				var c countSink
				if _, err := s.Changes(b.Context(), space, "bench-256", core.Version{}, &c); err != nil {
					b.Fatal(err)
				}
				_ = s.Close()
			}
		})
		b.Run(fmt.Sprintf("%d/list spaces", n), func(b *testing.B) {
			for b.Loop() {
				if sp, err := s.Spaces(b.Context()); err != nil || len(sp) != n {
					b.Fatal(len(sp), err)
				}
			}
		})
	}
}

// queries makes questions of six words that are not the commonest.
func queries(n int) (out [][]string) {
	rng := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(rng, 1.1, 8, 60000)
	for range n {
		var q []string
		for range 6 {
			q = append(q, word(20+zipf.Uint64()))
		}
		out = append(out, q)
	}
	return out
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
	notes := []int{2000, 10000, 100000}
	if testing.Short() {
		notes = notes[:1]
	}
	for _, n := range notes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "m.db")
			s := openAt(b, path, sqlite.Options{})
			fill(b, s, "a", newNoteMaker(1), n)
			b.ReportAllocs()
			for b.Loop() {
				var c countSink
				if _, err := s.Changes(b.Context(), "a", "bench-256", core.Version{}, &c); err != nil || c.passages != n || c.vectors != n {
					b.Fatal(c, err)
				}
			}
			b.ReportMetric(float64(size(path))/float64(n), "bytes/note")
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{2000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{})
			fill(b, s, "a", newNoteMaker(1), n)
			fill(b, s, "b", newNoteMaker(2), n)
			q := queries(50)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := s.SearchText(b.Context(), "a", q[i%len(q)], 60); err != nil {
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

// BenchmarkAppendTogether times calls that arrive at once: they share a flush.
func BenchmarkAppendTogether(b *testing.B) {
	s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{Full: true})
	const writers = 16
	b.SetParallelism(writers / runtime.GOMAXPROCS(0))
	var seed atomic.Uint64
	b.RunParallel(func(pb *testing.PB) {
		m := newNoteMaker(seed.Add(1))
		for pb.Next() {
			if _, err := s.Append(b.Context(), "a", []core.Draft{m.draft()}); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkErase(b *testing.B) {
	for _, n := range []int{2000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := openAt(b, filepath.Join(b.TempDir(), "m.db"), sqlite.Options{})
			fill(b, s, "a", newNoteMaker(1), n)
			id := core.ID(1)
			for b.Loop() {
				rc, err := s.Erase(b.Context(), "a", id, epoch)
				if err != nil || !rc.Clean {
					b.Fatal(rc, err)
				}
				id += 2 // an episode and its passage
			}
		})
	}
}
