package index

import (
	"slices"

	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/text/bm25"
)

// byWords are the constants of scores by words: a row's own text, without the text
// around it, which the neighbours' channels give.
var byWords = bm25.Params{K1: 1.2, B: 0.75, Text: 1}

// addWords puts the text that was tokenised last into the text index, which gives it the
// next doc.
func (s *Space) addWords(it *item) error {
	d := bm25.Doc{Session: bm25.NoSession, Turn: uint64(it.episode), Kind: it.kind}
	if it.session >= 0 {
		d.Session = uint32(it.session)
	}
	_, err := s.words.AddTerms(d, &s.terms)
	return err
}

// searchWords appends the k best docs for which keep holds.
func (v *View) searchWords(k int, keep func(uint32) bool, dst []frame.Hit) []frame.Hit {
	for _, h := range v.s.words.Search(v.terms, bm25.Options{Params: byWords, Keep: keep}, k, nil) {
		dst = append(dst, frame.Hit(h))
	}
	return dst
}

// learnOwn scores the docs off places beside the given ones by their words, once a view.
func (v *View) learnOwn(docs []uint32, off int) {
	need := v.tmp.docs[:0]
	for _, d := range docs {
		d, ok := v.beside(d, off)
		if !ok {
			continue
		}
		if _, known := v.own[d]; !known {
			v.own[d] = 0
			need = append(need, d)
		}
	}
	if len(need) == 0 {
		return
	}
	slices.Sort(need)
	v.tmp.docs = need
	v.tmp.scores = v.s.words.Score(v.terms, byWords, need, v.tmp.scores[:0])
	for i, d := range need {
		v.own[d] = v.tmp.scores[i]
	}
}

// sessionText writes BM25 of each doc's session as one document; a doc without a
// session has its own score.
func (v *View) sessionText(docs []uint32, dst []float32) {
	sessions := v.tmp.beside[:0]
	for _, d := range docs {
		if v.s.place[d] >= 0 {
			sessions = append(sessions, uint32(v.s.items[d].session))
		}
	}
	slices.Sort(sessions)
	sessions = slices.Compact(sessions)
	v.tmp.beside = sessions
	v.tmp.scores = v.s.words.ScoreSessions(v.terms, byWords, sessions, v.tmp.scores[:0])
	for i, d := range docs {
		if v.s.place[d] < 0 {
			continue
		}
		if at, ok := slices.BinarySearch(sessions, uint32(v.s.items[d].session)); ok {
			dst[i] = v.tmp.scores[at]
		}
	}
}
