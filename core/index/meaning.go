package index

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/vector"
)

// around are the neighbours whose words count for a row, and how much: an answer is
// often split over turns.
var around = [...]struct {
	off   int
	share float32
}{{-1, 0.9}, {-2, 0.8}, {1, 0.5}}

// prepareSoft makes the query's words ready for soft matching, once a view.
func (v *View) prepareSoft() {
	if v.softOK {
		return
	}
	v.softOK = true
	words := v.queryWords()
	idf := func(w string) float32 { return v.s.words.IDF(stemOf(&v.tmp.tokens, w)) }
	if len(words) > maxSoftWords {
		slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(idf(b), idf(a)) })
		words = words[:maxSoftWords]
	}
	weights := make([]float32, len(words))
	for i, w := range words {
		weights[i] = idf(w)
	}
	v.soft.reset(v.s.lex, words, weights)
}

// maxQueryWords bounds the words of a query that are looked at, for one that is a
// document.
const maxQueryWords = 256

// queryWords are the words of the query, each once, without function words and, unless
// nothing else is there, without the names of speakers.
func (v *View) queryWords() []string {
	var words, names []string
	v.buf = eachWord(v.query.Text, v.buf, func(w []byte) {
		s := string(w)
		if len(words) == maxQueryWords || text.IsStopWord(s) || slices.Contains(words, s) {
			return
		}
		if _, speaker := v.s.speakerTerms[stemOf(&v.tmp.tokens, s)]; speaker {
			names = append(names, s)
			return
		}
		words = append(words, s)
	})
	if len(words) == 0 {
		return names
	}
	return words
}

// softContext writes how much of the query's words the rows hold with their
// neighbours', in these or other words.
func (v *View) softContext(docs []uint32, dst []float32) {
	v.prepareSoft()
	n := len(v.soft.weights)
	if n == 0 {
		return
	}
	all := append(v.tmp.rows[:0], docs...)
	for _, d := range docs {
		for _, a := range around {
			if b, ok := v.beside(d, a.off); ok {
				all = append(all, b)
			}
		}
	}
	v.tmp.rows = all
	v.soft.learn(all)
	v.tmp.likes = resize(v.tmp.likes, 0, 2*n)
	likes, near := v.tmp.likes[:n], v.tmp.likes[n:]
	for i, d := range docs {
		v.soft.best(d, likes)
		for _, a := range around {
			b, ok := v.beside(d, a.off)
			if !ok {
				continue
			}
			v.soft.best(b, near)
			for q, l := range near {
				if l *= a.share; l > likes[q] {
					likes[q] = l
				}
			}
		}
		dst[i] = v.soft.score(likes)
	}
}

// cosines writes the channels that compare vectors.
func (v *View) cosines(ch frame.Channel, docs []uint32, dst []float32) error {
	q, err := v.vectorOf(ch.Embedder)
	if q == nil || err != nil {
		return err
	}
	switch ch.Name {
	case "cosine":
		return v.dots(q, docs, dst)
	case "centred_cosine":
		return v.centred(q, docs, dst)
	case "context_cosine":
		return v.contextCosines(q, docs, dst)
	case "session_cosine":
		return v.sessionCosines(q, docs, dst)
	default: // reply
		return v.replies(q, docs, dst)
	}
}

// dots writes the cosine of q and each doc; 0 for one without a vector.
func (v *View) dots(q []float32, docs []uint32, dst []float32) error {
	rows := v.tmp.rows[:0]
	for _, d := range docs {
		if r := v.s.items[d].vec; r >= 0 {
			rows = append(rows, uint32(r))
		}
	}
	v.tmp.rows = rows
	v.tmp.scores = resize(v.tmp.scores, 0, len(rows))
	if err := v.s.vecs.Dots(q, rows, v.tmp.scores); err != nil {
		return err
	}
	n := 0
	for i, d := range docs {
		if v.s.items[d].vec >= 0 {
			dst[i] = v.tmp.scores[n]
			n++
		} else {
			dst[i] = 0
		}
	}
	return nil
}

// centred writes the cosine of query and row after the space's mean was taken from
// both: what all texts of a space have in common says nothing about one of them.
func (v *View) centred(q []float32, docs []uint32, dst []float32) error {
	mean := v.s.meanVec
	if mean == nil {
		return v.dots(q, docs, dst)
	}
	if err := v.dots(q, docs, dst); err != nil {
		return err
	}
	toMean := resize(v.tmp.means, 0, len(docs))
	v.tmp.means = toMean
	if err := v.dots(mean, docs, toMean); err != nil {
		return err
	}
	mm, qm := vector.Dot(mean, mean), vector.Dot(q, mean)
	qq := vector.Dot(q, q) - 2*qm + mm
	for i, d := range docs {
		if v.s.items[d].vec < 0 {
			continue
		}
		rr := 1 - 2*toMean[i] + mm
		if n := float64(qq) * float64(rr); n > 1e-12 {
			dst[i] = (dst[i] - toMean[i] - qm + mm) / float32(math.Sqrt(n))
		} else {
			dst[i] = 0
		}
	}
	return nil
}

// contextShare is how much of its neighbours' vectors a row's context vector has.
const contextShare = 0.5

// contextCosines writes the cosine of q and the unit vector of each row with half of
// its neighbours': r + (before + after)/2. It needs no vector of its own: with a, b
// the cosines of q to row and neighbours, it is (a + Σb/2) / |r + Σn/2|.
func (v *View) contextCosines(q []float32, docs []uint32, dst []float32) error {
	if err := v.dots(q, docs, dst); err != nil {
		return err
	}
	near := resize(v.tmp.means, 0, len(docs))
	v.tmp.means = near
	sums := make([]float32, len(docs))
	for _, off := range [...]int{-1, 1} {
		beside := v.tmp.beside[:0]
		at := v.tmp.docs[:0]
		for i, d := range docs {
			if b, ok := v.beside(d, off); ok && v.s.items[b].vec >= 0 && v.s.items[d].vec >= 0 {
				beside, at = append(beside, b), append(at, uint32(i))
			}
		}
		v.tmp.beside, v.tmp.docs = beside, at
		if err := v.dots(q, beside, near[:len(beside)]); err != nil {
			return err
		}
		for j, i := range at {
			sums[i] += contextShare * near[j]
		}
	}
	for i, d := range docs {
		if n := v.s.contextLength(d); n > 0 {
			dst[i] = (dst[i] + sums[i]) / n
		}
	}
	return nil
}

// contextLength is the length of a row's vector with half of its neighbours'; 0 for a
// row without a vector. It is kept for the next query: lengths are as good as fixed.
func (s *Space) contextLength(d uint32) float32 {
	if known := atomic.LoadUint32(&s.lengths[d]); known != 0 {
		return math.Float32frombits(known)
	}
	n := s.measure(d)
	atomic.StoreUint32(&s.lengths[d], math.Float32bits(n))
	return n
}

// forgetLengths drops what is known of the lengths that a doc's vector and place count
// for.
func (s *Space) forgetLengths(doc uint32) {
	for off := -1; off <= 1; off++ {
		if d, ok := s.beside(doc, off); ok {
			s.lengths[d] = 0
		}
	}
}

func (s *Space) measure(d uint32) float32 {
	r := s.items[d].vec
	if r < 0 {
		return 0
	}
	pair := func(a, b int32) float32 {
		c, err := s.vecs.Pair(uint32(a), uint32(b))
		if err != nil {
			return 0
		}
		return c
	}
	sum := float32(1)
	var near [2]int32
	n := 0
	for _, off := range [...]int{-1, 1} {
		if b, ok := s.beside(d, off); ok && s.items[b].vec >= 0 {
			near[n] = s.items[b].vec
			sum += 2*contextShare*pair(r, near[n]) + contextShare*contextShare
			n++
		}
	}
	if n == 2 {
		sum += 2 * contextShare * contextShare * pair(near[0], near[1])
	}
	return float32(math.Sqrt(float64(max(sum, 0))))
}

// sessionCosines writes the best cosine among the candidates of each row's session.
func (v *View) sessionCosines(q []float32, docs []uint32, dst []float32) error {
	if err := v.dots(q, docs, dst); err != nil {
		return err
	}
	best := map[int32]float32{}
	for i, d := range docs {
		if s := v.s.items[d].session; s >= 0 {
			best[s] = max(best[s], dst[i])
		}
	}
	for i, d := range docs {
		if s := v.s.items[d].session; s >= 0 {
			dst[i] = best[s]
		}
	}
	return nil
}

// replies writes the cosine of q and the row before, where that asks something.
func (v *View) replies(q []float32, docs []uint32, dst []float32) error {
	asked := v.tmp.beside[:0]
	at := v.tmp.docs[:0]
	for i, d := range docs {
		if b, ok := v.beside(d, -1); ok && v.s.items[b].flags&flagQuestion != 0 {
			asked, at = append(asked, b), append(at, uint32(i))
		}
	}
	v.tmp.beside, v.tmp.docs = asked, at
	near := resize(v.tmp.means, 0, len(asked))
	v.tmp.means = near
	if err := v.dots(q, asked, near); err != nil {
		return err
	}
	for j, i := range at {
		dst[i] = near[j]
	}
	return nil
}
