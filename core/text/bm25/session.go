package bm25

import (
	"math"

	"github.com/orma-memory/orma/core/text"
)

// ScoreSessions appends the scores of the given sessions for q to dst, in
// their order: plain BM25 with K1 and B of p, a session being one document of
// all its documents' own text, rarity counted in sessions. Sessions without a
// term of q and unknown ones score 0. The cost is one pass over the postings
// of q's terms, whatever the number of sessions asked for.
func (x *Index) ScoreSessions(q text.Query, p Params, sessions []uint32, dst []float32) []float32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.scratch()
	defer x.scratches.Put(s)
	live, total := 0, uint64(0)
	for i := range x.sessions {
		if x.sessions[i].docs > 0 {
			live++
			total += x.sessions[i].length
		}
	}
	from := len(dst)
	dst = append(dst, make([]float32, len(sessions))...)
	if live == 0 || total == 0 {
		return dst
	}
	avg := float64(total) / float64(live)
	s.sums = append(s.sums[:0], make([]float32, len(x.sessions))...)
	scores, freq, seen := s.sums, s.freq, s.seen // there are no more sessions than documents
	for _, t := range q.Terms {
		id, ok := x.dict.find(t.Text)
		w := weightOf(t)
		if !ok || w <= 0 {
			continue
		}
		seen = x.sessionFrequencies(&x.lists[id], freq, seen[:0])
		df := float64(len(seen))
		w *= math.Log(1+(float64(live)-df+0.5)/(df+0.5)) * float64(p.K1+1)
		for _, n := range seen {
			f := float64(freq[n])
			norm := float64(p.K1) * (1 - float64(p.B) + float64(p.B)*float64(x.sessions[n].length)/avg)
			scores[n] += float32(w * f / (f + norm))
			freq[n] = 0
		}
	}
	s.seen = seen[:0]
	for i, n := range sessions {
		if int(n) < len(scores) {
			dst[from+i] = scores[n]
		}
	}
	return dst
}

// sessionFrequencies adds up a term's frequencies by session in freq and
// appends the sessions that have it to seen.
func (x *Index) sessionFrequencies(l *list, freq, seen []uint32) []uint32 {
	for i, d := range l.docs {
		n := x.docs.session[d]
		if n == NoSession {
			continue
		}
		if freq[n] == 0 {
			seen = append(seen, n)
		}
		freq[n] += uint32(l.tfs[i])
	}
	return seen
}

// SessionOf returns the session of a document, or [NoSession].
func (x *Index) SessionOf(doc uint32) uint32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if int(doc) >= len(x.docs.session) {
		return NoSession
	}
	return x.docs.session[doc]
}
