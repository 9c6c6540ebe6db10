package index_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/embed"
	"github.com/orma-memory/orma/core/embed/static"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
	"github.com/orma-memory/orma/core/sqlite"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/vector"
)

var noon = time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC)

var em = static.New()

func options() index.Options {
	return index.Options{Embedder: "static", Dim: em.Dim(), Words: em, Dates: func(q *frame.Query) []index.DaySpan {
		if strings.Contains(q.Text, "today") {
			day := q.Now.Unix() / 86400
			return []index.DaySpan{{First: day, Last: day, Weight: 1}}
		}
		return nil
	}}
}

func open(t *testing.T) *sqlite.Store {
	t.Helper()
	st, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "x.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

// draft is an episode of one passage with its vector.
func draft(t *testing.T, e core.Episode) core.Draft {
	t.Helper()
	e.Kind, e.Role, e.Source = core.KindTurn, core.RoleUser, "test"
	e.Trust = core.TrustUser
	var terms text.Terms
	terms.Tokenize(e.Text)
	v := vec(t, e.Speaker+": "+e.Text)
	blob, err := vector.AppendBlob(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	d := core.Draft{Episode: e, Passages: []core.DraftPassage{{End: len(e.Text), Terms: string(terms.AppendJoined(nil)), Embedder: "static", Vector: blob}}}
	sum := sha256.Sum256([]byte(e.Text))
	copy(d.NormHash[:], sum[:])
	return d
}

func vec(t *testing.T, s string) []float32 {
	t.Helper()
	v := make([]float32, em.Dim())
	if err := em.Embed(context.Background(), v, []string{s}, embed.Passage); err != nil {
		t.Fatal(err)
	}
	return v
}

func put(t *testing.T, st core.Store, eps ...core.Episode) []core.Appended {
	t.Helper()
	var ds []core.Draft
	for _, e := range eps {
		ds = append(ds, draft(t, e))
	}
	out, err := st.Append(context.Background(), "s", ds)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func query(t *testing.T, s string) *frame.Query {
	v := vec(t, s)
	return &frame.Query{Space: "s", Text: s, Now: noon, Zone: time.UTC, Vectors: map[string][]float32{"": v}}
}

// channels are all that an index can score, and all it can search.
var (
	channels = []string{"bm25", "before1", "after1", "before2", "after2", "session_text", "soft_context", "cosine", "centred_cosine",
		"context_cosine", "session_cosine", "reply", "before_length", "question", "named", "date_match", "answer_kind", "assistant"}
	searches = []string{"bm25", "cosine", "neighbours", "date", "recent"}
)

// answers is everything that a view says about a query.
func answers(t *testing.T, s *index.Space, q *frame.Query) map[string]any {
	t.Helper()
	ctx := context.Background()
	v := s.Begin(q)
	defer v.End()
	out := map[string]any{"rows": v.Rows(), "named": v.Named(nil)}
	var docs []uint32
	for _, ch := range searches {
		hits, err := v.Search(ctx, frame.Channel{Name: ch}, 20, nil)
		if err != nil {
			t.Fatalf("%s: %v", ch, err)
		}
		out["search "+ch] = hits
		for _, h := range hits {
			docs = append(docs, h.Doc)
		}
	}
	for _, ch := range channels {
		scores := make([]float32, len(docs))
		if err := v.Score(ctx, frame.Channel{Name: ch}, docs, scores); err != nil {
			t.Fatalf("%s: %v", ch, err)
		}
		for i, x := range scores {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("%s: %v for doc %d", ch, x, docs[i])
			}
		}
		out[ch] = scores
	}
	f := frame.New(0, frame.Base()...)
	f.Query, f.Source = q, v
	for _, d := range docs {
		f.Row(d)
	}
	v.ReadBy(func(docs []uint32, dst []string) error {
		for i, d := range docs {
			dst[i] = fmt.Sprint("item ", v.Ref(d).ID)
		}
		return nil
	})
	if err := v.Fill(f); err != nil {
		t.Fatal(err)
	}
	for row, d := range f.Docs() {
		if got, want := f.Strings(frame.Text)[row], fmt.Sprint("item ", v.Ref(d).ID); got != want {
			t.Fatalf("row %d reads %q, want %q", row, got, want)
		}
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestIncrementalEqualsFresh holds an index that followed every write to one that is
// built at the end.
func TestIncrementalEqualsFresh(t *testing.T) {
	ctx := context.Background()
	words := strings.Fields("heron mill pond tram box river lamp stone bread violin garden letter Anna Boris Kothrud")
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			st := open(t)
			follower := index.NewCache(st, options(), 1<<30)
			for step := range 25 {
				var eps []core.Episode
				for range 1 + r.IntN(5) {
					var w []string
					for range 1 + r.IntN(6) {
						w = append(w, words[r.IntN(len(words))])
					}
					e := core.Episode{Text: strings.Join(w, " ") + fmt.Sprint(" ", r.IntN(step+3)), At: noon.Add(-time.Duration(r.IntN(5000)) * time.Minute)}
					if r.IntN(3) > 0 {
						e.Session = fmt.Sprint("session ", r.IntN(3))
					}
					if r.IntN(2) > 0 {
						e.Speaker = []string{"Anna", "Boris"}[r.IntN(2)]
					}
					if r.IntN(4) == 0 {
						e.Text += "?"
					}
					if r.IntN(6) == 0 {
						e.Expires = e.At.Add(time.Hour)
					}
					eps = append(eps, e)
				}
				out := put(t, st, eps...)
				if r.IntN(8) == 0 {
					if _, err := st.Erase(ctx, "s", out[0].ID, noon); err != nil {
						t.Fatal(err)
					}
				}
				a, err := follower.Space(ctx, "s")
				if err != nil {
					t.Fatal(err)
				}
				answers(t, a, query(t, "heron at the mill")) // what a query leaves behind must not outlive a write
			}
			for _, text := range []string{"heron at the mill", "where does Anna keep the violin?", "Boris", "today garden", "unknownword", "the of"} {
				q := query(t, text)
				a, err := follower.Space(ctx, "s")
				if err != nil {
					t.Fatal(err)
				}
				fresh, err := index.NewCache(st, options(), 1<<30).Space(ctx, "s")
				if err != nil {
					t.Fatal(err)
				}
				got, want := answers(t, a, q), answers(t, fresh, q)
				for k := range want {
					if !reflect.DeepEqual(got[k], want[k]) {
						t.Errorf("query %q, %s: followed %.200v, fresh %.200v", text, k, got[k], want[k])
					}
				}
			}
		})
	}
}

func TestChannels(t *testing.T) {
	st := open(t)
	at := func(days int) time.Time { return noon.AddDate(0, 0, -days) }
	put(t, st,
		core.Episode{Text: "Where did you put the ladder?", Session: "1", Speaker: "Anna", At: at(9)},
		core.Episode{Text: "Behind the shed, as always.", Session: "1", Speaker: "Boris", At: at(9)},
		core.Episode{Text: "The physician moved to 12 Mill Road near Nagpur yesterday.", Session: "2", Speaker: "Anna", At: at(2)},
		core.Episode{Text: "We ate soup.", Session: "3", Speaker: "Boris", At: at(0)})
	s, err := index.NewCache(st, options(), 1<<30).Space(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	score := func(text, ch string) []float32 {
		v := s.Begin(query(t, text))
		defer v.End()
		out := make([]float32, 4)
		if err := v.Score(context.Background(), frame.Channel{Name: ch}, []uint32{0, 1, 2, 3}, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct {
		name, query, channel string
		best                 int // the doc with the highest score, -1 for none at all
	}{
		{"words find their row", "ladder", "bm25", 0},
		{"the row before has the words", "ladder", "before1", 1},
		{"the row after has them", "shed", "after1", 0},
		{"other words for the same", "which doctor", "soft_context", 2},
		{"the answer to a question like it", "where is the ladder?", "reply", 1},
		{"the speaker who is named", "what did Boris eat?", "named", 1},
		{"nobody is named", "who ate?", "named", -1},
		{"a number is asked for", "how many mills?", "answer_kind", 2},
		{"a place is asked for", "in which city is the physician?", "answer_kind", 2},
		{"nothing special is asked for", "tell of the physician", "answer_kind", -1},
		{"the day that is named", "what happened today?", "date_match", 3},
		{"no day is named", "what happened?", "date_match", -1},
		{"questions are known", "x", "question", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := score(c.query, c.channel)
			best, top := -1, float32(0)
			for i, x := range got {
				if x > top {
					best, top = i, x
				}
			}
			if best != c.best {
				t.Errorf("%s of %q: %v, want the best at %d", c.channel, c.query, got, c.best)
			}
		})
	}
	v := s.Begin(query(t, "x"))
	defer v.End()
	if _, err := v.Search(context.Background(), frame.Channel{Name: "nonsense"}, 5, nil); err == nil {
		t.Error("an unknown channel is searched")
	}
	if err := v.Score(context.Background(), frame.Channel{Name: "nonsense"}, nil, nil); err == nil {
		t.Error("an unknown channel is scored")
	}
}

// TestReadersAndWriterAtOnce is for the race detector.
func TestReadersAndWriterAtOnce(t *testing.T) {
	st := open(t)
	put(t, st, core.Episode{Text: "The heron nests by the mill.", Session: "1", At: noon})
	c := index.NewCache(st, options(), 1<<30)
	var wg sync.WaitGroup
	for i := range 4 {
		q := query(t, fmt.Sprintf("heron mill tram %d", i))
		wg.Go(func() {
			for range 30 {
				s, err := c.Space(context.Background(), "s")
				if err != nil {
					t.Error(err)
					return
				}
				answers(t, s, q)
			}
		})
	}
	for i := range 30 {
		put(t, st, core.Episode{Text: fmt.Sprintf("Tram %d passed the mill.", i), Session: "1", At: noon})
	}
	wg.Wait()
}

func TestCacheForgetsTheLeastUsed(t *testing.T) {
	st := open(t)
	c := index.NewCache(st, options(), 1) // room for the one in use alone
	for i := range 5 {
		d := draft(t, core.Episode{Text: fmt.Sprintf("Note %d", i), At: noon})
		space := fmt.Sprint("space ", i)
		if _, err := st.Append(context.Background(), space, []core.Draft{d}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Space(context.Background(), space); err != nil {
			t.Fatal(err)
		}
		if n, _ := c.Loaded(); n != 1 {
			t.Errorf("%d spaces in memory, want the last one", n)
		}
	}
}
