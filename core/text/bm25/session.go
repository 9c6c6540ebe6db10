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
	scores := make([]float32, len(x.sessions))
	freq := make([]uint32, len(x.sessions))
	var seen []uint32
	for _, t := range q.Terms {
		id, ok := x.dict.find(t.Text)
		w := weightOf(t)
		if !ok || w <= 0 {
			continue
		}
		seen = x.sessionFrequencies(&x.lists[id], freq, seen[:0])
		df := float64(len(seen))
		w *= math.Log(1+(float64(live)-df+0.5)/(df+0.5)) * float64(p.K1+1)
		for _, s := range seen {
			f := float64(freq[s])
			norm := float64(p.K1) * (1 - float64(p.B) + float64(p.B)*float64(x.sessions[s].length)/avg)
			scores[s] += float32(w * f / (f + norm))
			freq[s] = 0
		}
	}
	for i, s := range sessions {
		if int(s) < len(scores) {
			dst[from+i] = scores[s]
		}
	}
	return dst
}

// sessionFrequencies adds up a term's frequencies by session in freq and
// appends the sessions that have it to seen.
func (x *Index) sessionFrequencies(l *list, freq, seen []uint32) []uint32 {
	for i, d := range l.docs {
		s := x.docs.place[d].session
		if s == NoSession {
			continue
		}
		if freq[s] == 0 {
			seen = append(seen, s)
		}
		freq[s] += uint32(l.tfs[i])
	}
	return seen
}

// SessionOf returns the session of a document, or [NoSession].
func (x *Index) SessionOf(doc uint32) uint32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if int(doc) >= len(x.docs.place) {
		return NoSession
	}
	return x.docs.place[doc].session
}
