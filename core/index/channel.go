package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/vector"
)

// Search is part of [frame.Source]. The channels it knows are bm25, cosine,
// neighbours, date and recent.
func (v *View) Search(ctx context.Context, ch frame.Channel, k int, dst []frame.Hit) ([]frame.Hit, error) {
	if err := ctx.Err(); err != nil || k <= 0 {
		return dst, err
	}
	switch ch.Name {
	case "bm25":
		return append(dst, v.bestByWords(k)...), nil
	case "cosine":
		list, err := v.bestByVector(ch.Embedder, k)
		return append(dst, list...), err
	case "neighbours":
		return v.neighbours(k, dst), nil
	case "recent":
		return v.recent(k, dst), nil
	case "date":
		return v.searchDates(k, dst), nil
	}
	return dst, fmt.Errorf("channel %q cannot be searched", ch.Name)
}

// leastK is how many hits a search is asked for at least: stages ask for different
// numbers, and one search serves them all.
const leastK = 128

// hits are the best docs of a channel, searched for once a view.
type hits struct {
	mu   sync.Mutex
	list []frame.Hit
	k    int
}

// best returns the k best docs, searching for them if that was not done yet.
func (h *hits) best(k int, search func(k int, dst []frame.Hit) ([]frame.Hit, error)) ([]frame.Hit, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.k < k {
		var err error
		want := max(k, leastK)
		if h.list, err = search(want, h.list[:0]); err != nil {
			h.k = 0
			return nil, err
		}
		h.k = want
	}
	return h.list[:min(k, len(h.list))], nil
}

// bestByWords returns the k best docs by their own words.
func (v *View) bestByWords(k int) []frame.Hit {
	list, _ := v.byWords.best(k, func(k int, dst []frame.Hit) ([]frame.Hit, error) {
		return v.searchWords(k, v.may, dst), nil
	})
	return list
}

// bestByVector returns the k docs with the highest cosines above zero.
func (v *View) bestByVector(embedder string, k int) ([]frame.Hit, error) {
	q, err := v.vectorOf(embedder)
	if q == nil || err != nil {
		return nil, err
	}
	return v.byVector.best(k, func(k int, dst []frame.Hit) ([]frame.Hit, error) {
		res, err := v.s.vecs.Search(q, k, vector.Options{Allow: v.rows}, nil)
		if err != nil {
			return dst, err
		}
		for _, h := range res.Hits {
			if h.Score > 0 {
				dst = append(dst, frame.Hit{Doc: v.s.vecDocs[h.Row], Score: h.Score})
			}
		}
		v.approximate.Store(res.Approximate)
		return dst, nil
	})
}

// neighbours returns the rows one and two places around the k best ones by words: an
// answer often stands beside the words of its question.
func (v *View) neighbours(k int, dst []frame.Hit) []frame.Hit {
	for _, h := range v.bestOfAll(k) {
		for _, off := range [...]int{-1, 1, -2, 2} {
			if d, ok := v.beside(h.Doc, off); ok && v.may(d) {
				dst = append(dst, frame.Hit{Doc: d, Score: h.Score / float32(1+max(off, -off))})
			}
		}
	}
	return dst
}

func (v *View) beside(doc uint32, off int) (uint32, bool) { return v.s.beside(doc, off) }

// beside returns the doc off places from doc in its session, and doc itself for 0.
func (s *Space) beside(doc uint32, off int) (uint32, bool) {
	if off == 0 {
		return doc, true
	}
	place := s.place[doc]
	if place < 0 {
		return 0, false
	}
	run := s.runs[s.items[doc].session]
	at := int(place) + off
	if at < 0 || at >= len(run) {
		return 0, false
	}
	return run[at], true
}

// recent returns the k docs that were said last.
func (v *View) recent(k int, dst []frame.Hit) []frame.Hit {
	for doc := len(v.s.items) - 1; doc >= 0 && k > 0; doc-- {
		if v.may(uint32(doc)) {
			dst = append(dst, frame.Hit{Doc: uint32(doc), Score: float32(k)})
			k--
		}
	}
	return dst
}

// Score is part of [frame.Source].
func (v *View) Score(ctx context.Context, ch frame.Channel, docs []uint32, dst []float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(dst)
	v.mu.Lock()
	defer v.mu.Unlock()
	switch ch.Name {
	case "bm25":
		v.ownWords(docs, dst, 0)
	case "before1":
		v.ownWords(docs, dst, -1)
	case "after1":
		v.ownWords(docs, dst, 1)
	case "before2":
		v.ownWords(docs, dst, -2)
	case "after2":
		v.ownWords(docs, dst, 2)
	case "session_text":
		v.sessionText(docs, dst)
	case "soft_context":
		v.softContext(docs, dst)
	case "cosine", "centred_cosine", "context_cosine", "session_cosine", "reply":
		return v.cosines(ch, docs, dst)
	case "before_length", "question", "named", "date_match", "answer_kind", "assistant":
		v.prior(ch.Name, docs, dst)
	default:
		return fmt.Errorf("channel %q is not known", ch.Name)
	}
	return nil
}

// ownWords writes BM25 of the rows off places beside docs.
func (v *View) ownWords(docs []uint32, dst []float32, off int) {
	v.learnOwn(docs, off)
	for i, d := range docs {
		if d, ok := v.beside(d, off); ok {
			dst[i] = v.own[d]
		}
	}
}

// resize keeps the first kept values and adds n zeros.
func resize(s []float32, kept, n int) []float32 {
	s = slices.Grow(s[:kept], n)[:kept+n]
	clear(s[kept:])
	return s
}

// nearness falls from 1 to 0 with the distance in days, by half about every scale
// days.
func nearness(days, scale float64) float32 { return float32(math.Exp(-math.Abs(days) / scale)) }

// bestOfAll returns the k best docs by words and vector together: the share of the best
// score by words, plus the cosine.
func (v *View) bestOfAll(k int) []frame.Hit {
	hits := slices.Clone(v.bestByWords(k))
	q, err := v.vectorOf("")
	if q == nil || err != nil || len(hits) == 0 && v.s.vecs == nil {
		return hits
	}
	more, err := v.bestByVector("", k)
	if err != nil {
		return hits
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	docs := make([]uint32, 0, len(hits)+len(more))
	for _, h := range append(hits, more...) {
		docs = append(docs, h.Doc)
	}
	slices.Sort(docs)
	docs = slices.Compact(docs)
	scores := make([]float32, len(docs))
	if err := v.dots(q, docs, scores); err != nil {
		return hits
	}
	v.learnOwn(docs, 0)
	top := float32(0)
	for _, d := range docs {
		top = max(top, v.own[d])
	}
	out := make([]frame.Hit, len(docs))
	for i, d := range docs {
		out[i] = frame.Hit{Doc: d, Score: max(0, scores[i])}
		if top > 0 {
			out[i].Score += v.own[d] / top
		}
	}
	slices.SortFunc(out, func(a, b frame.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc)) })
	return out[:min(k, len(out))]
}
