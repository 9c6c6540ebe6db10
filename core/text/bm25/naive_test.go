package bm25_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/bm25"
)

// naive is the formula of the package comment, written down plainly: the index
// has to agree with it.
type naive struct {
	docs []naiveDoc
}

type naiveDoc struct {
	tf      map[string]float64
	length  float64
	session uint32
	turn    int
	kind    uint8
	removed bool
}

func (n *naive) add(d bm25.Doc, turn int) {
	var t text.Terms
	t.Tokenize(d.Text)
	doc := naiveDoc{tf: map[string]float64{}, length: float64(t.Words()), session: d.Session, turn: turn, kind: d.Kind}
	for term := range t.All() {
		doc.tf[string(term.Text)] = min(255, doc.tf[string(term.Text)]+1)
	}
	n.docs = append(n.docs, doc)
}

// around returns the documents of the context of doc.
func (n *naive) around(doc int) []int {
	var out []int
	if n.docs[doc].session == bm25.NoSession {
		return nil
	}
	for _, dir := range []int{-1, 1} {
		count := 0
		for i := doc + dir; i >= 0 && i < len(n.docs) && count < bm25.ContextDocs; i += dir {
			d := n.docs[i]
			if d.removed || d.session != n.docs[doc].session {
				continue
			}
			if gap := d.turn - n.docs[doc].turn; gap > bm25.ContextTurns || gap < -bm25.ContextTurns {
				break
			}
			out = append(out, i)
			count++
		}
	}
	return out
}

func (n *naive) idf(term string) float64 {
	live, df := 0.0, 0.0
	for _, d := range n.docs {
		if d.removed {
			continue
		}
		live++
		if d.tf[term] > 0 {
			df++
		}
	}
	return math.Log(1 + (live-df+0.5)/(df+0.5))
}

// scores returns the score of every document, and for coverage the share of
// the query each holds.
func (n *naive) scores(q text.Query, p bm25.Params) (scores, coverage []float64) {
	k1, b := float64(p.K1), float64(p.B)
	wt, wc := float64(p.Text), float64(p.Context)
	lengths := make([]float64, len(n.docs))
	context := make([]map[string]float64, len(n.docs))
	avg, live := 0.0, 0.0
	for i, d := range n.docs {
		if d.removed {
			continue
		}
		context[i] = map[string]float64{}
		lengths[i] = wt * d.length
		for _, j := range n.around(i) {
			lengths[i] += wc * n.docs[j].length
			for term, tf := range n.docs[j].tf {
				context[i][term] += tf
			}
		}
		avg += lengths[i]
		live++
	}
	avg /= live
	scores, coverage = make([]float64, len(n.docs)), make([]float64, len(n.docs))
	all := 0.0
	for _, t := range q.Terms {
		idf := float64(t.Weight) * n.idf(t.Text)
		all += idf
		for i, d := range n.docs {
			if d.removed {
				continue
			}
			if d.tf[t.Text] > 0 {
				coverage[i] += idf
			}
			if f := wt*d.tf[t.Text] + wc*context[i][t.Text]; f > 0 {
				scores[i] += idf * f * (k1 + 1) / (f + k1*(1-b+b*lengths[i]/avg))
			}
		}
	}
	for i := range coverage {
		if all > 0 {
			coverage[i] /= all
		}
	}
	return scores, coverage
}

func (n *naive) sessions(q text.Query, p bm25.Params, count int) []float64 {
	k1, b := float64(p.K1), float64(p.B)
	tf := make([]map[string]float64, count)
	length := make([]float64, count)
	has := make([]bool, count)
	for _, d := range n.docs {
		if d.removed || d.session == bm25.NoSession {
			continue
		}
		if !has[d.session] {
			has[d.session], tf[d.session] = true, map[string]float64{}
		}
		length[d.session] += d.length
		for term, f := range d.tf {
			tf[d.session][term] += f
		}
	}
	live, avg := 0.0, 0.0
	for s := range has {
		if has[s] {
			live++
			avg += length[s]
		}
	}
	avg /= live
	scores := make([]float64, count)
	for _, t := range q.Terms {
		df := 0.0
		for s := range tf {
			if tf[s][t.Text] > 0 {
				df++
			}
		}
		idf := float64(t.Weight) * math.Log(1+(live-df+0.5)/(df+0.5))
		for s := range tf {
			if f := tf[s][t.Text]; f > 0 {
				scores[s] += idf * f * (k1 + 1) / (f + k1*(1-b+b*length[s]/avg))
			}
		}
	}
	return scores
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*(1+math.Abs(b)) }

// corpus builds an index and its naive twin from random documents of a small
// vocabulary, so that ties, long lists and repeated words are frequent.
func corpus(rng *rand.Rand, docs int) (*bm25.Index, *naive) {
	x, n := bm25.New(), &naive{}
	words := 3 + rng.IntN(40)
	sessions, turn := 0, map[uint32]int{}
	ids := map[uint32]uint64{}
	cur, interleave := bm25.NoSession, rng.IntN(2) == 0
	for range docs {
		switch r := rng.IntN(20); {
		case r == 0:
			cur = bm25.NoSession
		case r < 3 || sessions == 0:
			cur = uint32(sessions)
			sessions++
		case r < 6 && interleave: // back to an older session: sessions interleave
			cur = uint32(rng.IntN(sessions))
		}
		if cur != bm25.NoSession && rng.IntN(2) == 0 {
			if _, begun := turn[cur]; begun {
				turn[cur]++
			}
			ids[cur] = rng.Uint64()
		}
		if _, begun := turn[cur]; !begun {
			turn[cur] = 0
		}
		d := bm25.Doc{Text: sentenceOf(rng, words), Session: cur, Turn: ids[cur], Kind: uint8(rng.IntN(3))}
		if _, err := x.Add(d); err != nil {
			panic(err)
		}
		n.add(d, turn[cur])
	}
	return x, n
}

func sentenceOf(rng *rand.Rand, words int) string {
	var b strings.Builder
	for range rng.IntN(12) {
		r := rng.Float64()
		fmt.Fprintf(&b, "w%d ", int(float64(words)*r*r*r))
	}
	if rng.IntN(50) == 0 {
		b.WriteString(strings.Repeat("w1 ", 300))
	}
	return b.String()
}

func randomParams(rng *rand.Rand) bm25.Params {
	p := usual()
	switch rng.IntN(5) {
	case 0:
		p.Context = 0
	case 1:
		p.Text = 0
	case 2:
		p = bm25.Params{K1: float32(rng.Float64() * 3), B: float32(rng.Float64()), Text: float32(rng.Float64()), Context: float32(rng.Float64())}
	case 3:
		p.K1, p.B = 0, 0
	}
	return p
}

func TestIndexEqualsTheFormula(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 7))
		docs := 1 + rng.IntN(400)
		if seed%25 == 0 {
			docs = 2500 // enough for pruning
		}
		x, n := corpus(rng, docs)
		if seed%2 == 1 {
			removeSome(t, rng, x, n)
		}
		for range 12 {
			var words []string
			for range 1 + rng.IntN(8) {
				words = append(words, fmt.Sprintf("w%d", rng.IntN(45)))
			}
			q := text.ParseQuery(strings.Join(words, " "))
			for i := range q.Terms {
				q.Terms[i].Weight = float32(0.1 + rng.Float64())
			}
			p := randomParams(rng)
			compare(t, rng, x, n, q, p)
			if t.Failed() {
				t.Fatalf("seed %d, query %q, %+v", seed, q, p)
			}
		}
	}
}

func removeSome(t *testing.T, rng *rand.Rand, x *bm25.Index, n *naive) {
	t.Helper()
	for range 3 {
		var gone []uint32
		want := 0
		for range rng.IntN(30) {
			d := rng.IntN(len(n.docs) + 1)
			gone = append(gone, uint32(d))
			if d < len(n.docs) && !n.docs[d].removed {
				n.docs[d].removed = true
				want++
			}
		}
		if got := x.Remove(gone...); got != want {
			t.Errorf("Remove(%v) = %d, want %d", gone, got, want)
		}
	}
}

// compare holds one query's answers of the index against the formula.
func compare(t *testing.T, rng *rand.Rand, x *bm25.Index, n *naive, q text.Query, p bm25.Params) {
	t.Helper()
	o := bm25.Options{Params: p}
	if rng.IntN(3) == 0 {
		o.Kinds = uint32(rng.IntN(8))
	}
	if rng.IntN(3) == 0 {
		o.Keep = func(d uint32) bool { return d%3 != 1 }
	}
	want, coverage := n.scores(q, p)
	var order []int
	for i := range want {
		if want[i] > 0 && (o.Kinds == 0 || o.Kinds>>n.docs[i].kind&1 == 1) && (o.Keep == nil || o.Keep(uint32(i))) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case want[a] > want[b]:
			return -1
		case want[a] < want[b]:
			return 1
		}
		return 0
	})
	k := 1 + rng.IntN(40)
	hits := x.Search(q, o, k, nil)
	if len(hits) != min(k, len(order)) {
		t.Errorf("%d hits, want %d", len(hits), min(k, len(order)))
		return
	}
	var all []uint32
	for i := range n.docs {
		all = append(all, uint32(i))
	}
	scores := x.Score(q, p, all, nil)
	for i, s := range scores {
		if !near(float64(s), want[i]) {
			t.Errorf("Score of %d = %v, want %v", i, s, want[i])
		}
	}
	for i, h := range hits {
		if !near(float64(h.Score), want[order[i]]) || !near(float64(h.Score), want[h.Doc]) {
			t.Errorf("hit %d is %d with %v, want score %v", i, h.Doc, h.Score, want[order[i]])
		}
		if scores[h.Doc] != h.Score {
			t.Errorf("Score of %d is %v, Search gives %v", h.Doc, scores[h.Doc], h.Score)
		}
		if i > 0 && (hits[i-1].Score < h.Score || hits[i-1].Score == h.Score && hits[i-1].Doc > h.Doc) {
			t.Errorf("hits %v before %v", hits[i-1], h)
		}
	}
	for i, c := range x.Coverage(q, all, nil) {
		if !near(float64(c), coverage[i]) {
			t.Errorf("coverage of %d is %v, want %v", i, c, coverage[i])
		}
	}
	var sessions []uint32
	for s := range x.Sessions() {
		sessions = append(sessions, uint32(s))
	}
	wantSessions := n.sessions(q, p, len(sessions))
	for s, got := range x.ScoreSessions(q, p, sessions, nil) {
		if !near(float64(got), wantSessions[s]) {
			t.Errorf("session %d scores %v, want %v", s, got, wantSessions[s])
		}
	}
}
