package bm25_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/bm25"
)

// benchSizes are the corpora of the benchmarks; a million documents take
// minutes to build, so they are asked for with ORMA_BENCH_1M=1.
func benchSizes() []int {
	sizes := []int{2_000, 10_000, 100_000}
	if os.Getenv("ORMA_BENCH_1M") != "" {
		sizes = append(sizes, 1_000_000)
	}
	return sizes
}

// notes makes texts of about 25 words from a Zipf vocabulary: some 45 % of the
// words are function words, the rest have English endings.
type notes struct {
	rng     *rand.Rand
	content *rand.Zipf
	stop    *rand.Zipf
	words   []string
}

var benchStop = strings.Fields("the of and to a in that it is was for on with as at by this be are from or have an they which one had not but what all were when we there can said use each how")

func newNotes(seed uint64) *notes {
	rng := rand.New(rand.NewPCG(seed, 99))
	n := &notes{rng: rng, content: rand.NewZipf(rng, 1.07, 20, 59_999), stop: rand.NewZipf(rng, 1.2, 3, uint64(len(benchStop)-1))}
	syllables := strings.Fields("ba ke lo mi nu ra se ti vo du fa ge hi jo ku la me no pi qua ru sha tho wi ze gra ble stri plo cre")
	endings := []string{"", "", "", "s", "ing", "ed", "er", "ation", "ness", "ly"}
	for i := range 60_000 {
		w := ""
		for v := i + 30; v > 0; v /= len(syllables) {
			w += syllables[v%len(syllables)]
		}
		n.words = append(n.words, w+endings[i%len(endings)])
	}
	return n
}

func (n *notes) text() string {
	var b strings.Builder
	for range 15 + n.rng.IntN(20) {
		if n.rng.IntN(100) < 45 {
			b.WriteString(benchStop[n.stop.Uint64()])
		} else {
			b.WriteString(n.words[n.content.Uint64()])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// query takes five to eight words of a note.
func (n *notes) query(note string) string {
	words := strings.Fields(note)
	from := n.rng.IntN(len(words) - 8)
	return strings.Join(words[from:from+5+n.rng.IntN(4)], " ")
}

type benchCorpus struct {
	index   *bm25.Index
	queries []string
}

var (
	benchMu      sync.Mutex
	benchCorpora = map[int]*benchCorpus{}
)

func corpusOf(b *testing.B, size int) *benchCorpus {
	b.Helper()
	benchMu.Lock()
	defer benchMu.Unlock()
	if c := benchCorpora[size]; c != nil {
		return c
	}
	n := newNotes(uint64(size))
	c := &benchCorpus{index: bm25.New()}
	every := size / 400
	for i := range size {
		note := n.text()
		if _, err := c.index.Add(bm25.Doc{Text: note, Session: uint32(i / 30), Turn: uint64(i / 2)}); err != nil {
			b.Fatal(err)
		}
		if i%every == 0 {
			c.queries = append(c.queries, n.query(note))
		}
	}
	benchCorpora[size] = c
	return c
}

// rawQuery keeps function words, as whoever hands a question on unread does.
func rawQuery(s string) text.Query {
	q := text.ParseQuery(s)
	for _, w := range strings.Fields(s) {
		if text.IsStopWord(w) {
			var t text.Terms
			t.Tokenize(w)
			q.Terms = append(q.Terms, text.QueryTerm{Text: string(t.At(0).Text), Weight: 1})
		}
	}
	return q
}

func BenchmarkSearch(b *testing.B) {
	for _, size := range benchSizes() {
		for _, c := range []struct {
			name    string
			parse   func(string) text.Query
			context float32
		}{
			{"raw", rawQuery, 0}, {"pruned", text.ParseQuery, 0}, {"raw_context", rawQuery, 0.4}, {"pruned_context", text.ParseQuery, 0.4},
		} {
			b.Run(fmt.Sprintf("%d/%s", size, c.name), func(b *testing.B) {
				corpus := corpusOf(b, size)
				var queries []text.Query
				for _, q := range corpus.queries {
					queries = append(queries, c.parse(q))
				}
				o := bm25.Options{Params: usual()}
				o.Context = c.context
				var hits []bm25.Hit
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					hits = corpus.index.Search(queries[i%len(queries)], o, 60, hits[:0])
					i++
				}
			})
		}
	}
}

func BenchmarkScore(b *testing.B) {
	for _, c := range []struct {
		name string
		p    bm25.Params
	}{{"text", bm25.Params{K1: 1.2, B: 0.75, Text: 1}}, {"context", bm25.Params{K1: 1.2, B: 0.75, Context: 1}}} {
		b.Run(c.name, func(b *testing.B) {
			corpus := corpusOf(b, 100_000)
			docs := make([]uint32, 200)
			for i := range docs {
				docs[i] = uint32(i * 487)
			}
			q := text.ParseQuery(corpus.queries[7])
			var scores []float32
			b.ReportAllocs()
			for b.Loop() {
				scores = corpus.index.Score(q, c.p, docs, scores[:0])
			}
		})
	}
}

func BenchmarkScoreSessions(b *testing.B) {
	corpus := corpusOf(b, 100_000)
	sessions := make([]uint32, 60)
	for i := range sessions {
		sessions[i] = uint32(i * 50)
	}
	var scores []float32
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		scores = corpus.index.ScoreSessions(text.ParseQuery(corpus.queries[i%400]), usual(), sessions, scores[:0])
		i++
	}
}

func BenchmarkAdd(b *testing.B) {
	n := newNotes(1)
	var texts []string
	for range 10_000 {
		texts = append(texts, n.text())
	}
	x := bm25.New()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := x.Add(bm25.Doc{Text: texts[i%len(texts)], Session: uint32(i / 30), Turn: uint64(i)}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkSnapshot(b *testing.B) {
	corpus := corpusOf(b, 100_000)
	var buf bytes.Buffer
	if _, err := corpus.index.WriteTo(&buf); err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := corpus.index.WriteTo(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := bm25.New().ReadFrom(bytes.NewReader(buf.Bytes())); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(buf.Len()), "bytes")
	})
}
