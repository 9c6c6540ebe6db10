package index

import (
	"context"
	"fmt"
	"math"
	"slices"

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
		return v.searchVector(ch.Embedder, k, dst)
	case "neighbours":
		return v.neighbours(k, dst), nil
	case "recent":
		return v.recent(k, dst), nil
	case "date":
		return v.searchDates(k, dst), nil
	}
	return dst, fmt.Errorf("channel %q cannot be searched", ch.Name)
}

// bestByWords returns the k best docs by their own words.
func (v *View) bestByWords(k int) []frame.Hit {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bestK < k {
		v.best = v.searchWords(k, v.may, v.best[:0])
		v.bestK = k
	}
	return v.best[:min(k, len(v.best))]
}

func (v *View) searchVector(embedder string, k int, dst []frame.Hit) ([]frame.Hit, error) {
	q, err := v.vectorOf(embedder)
	if q == nil || err != nil {
		return dst, err
	}
	res, err := v.s.vecs.Search(q, k, vector.Options{Allow: v.rows}, nil)
	if err != nil {
		return dst, err
	}
	for _, h := range res.Hits {
		if h.Score > 0 {
			dst = append(dst, frame.Hit{Doc: v.s.vecDocs[h.Row], Score: h.Score})
		}
	}
	if res.Approximate {
		v.mu.Lock()
		v.approximate = true
		v.mu.Unlock()
	}
	return dst, nil
}

// neighbours returns the rows one and two places around the k best ones by words: an
// answer often stands beside the words of its question.
func (v *View) neighbours(k int, dst []frame.Hit) []frame.Hit {
	for _, h := range v.bestByWords(k) {
		for _, off := range [...]int{-1, 1, -2, 2} {
			if d, ok := v.beside(h.Doc, off); ok && v.may(d) {
				dst = append(dst, frame.Hit{Doc: d, Score: h.Score / float32(1+max(off, -off))})
			}
		}
	}
	return dst
}

// beside returns the doc off places from doc in its session.
func (v *View) beside(doc uint32, off int) (uint32, bool) {
	place := v.s.place[doc]
	if place < 0 {
		return 0, false
	}
	run := v.s.runs[v.s.items[doc].session]
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
	case "before_length", "question", "position", "named", "date", "when_time", "where_name":
		v.prior(ch.Name, docs, dst)
	default:
		return fmt.Errorf("channel %q is not known", ch.Name)
	}
	return nil
}

// ownWords writes BM25 of the rows off places beside docs.
func (v *View) ownWords(docs []uint32, dst []float32, off int) {
	v.learnOwn(docs)
	for i, d := range docs {
		if off != 0 {
			var ok bool
			if d, ok = v.beside(d, off); !ok {
				continue
			}
		}
		dst[i] = v.own[d]
	}
}

func resize(s []float32, n int) []float32 {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// nearness falls from 1 to 0 with the distance in days, by half about every scale
// days.
func nearness(days, scale float64) float32 { return float32(math.Exp(-math.Abs(days) / scale)) }
