package bm25

import (
	"math"
	"slices"
)

// list holds the postings of one term.
type list struct {
	docs []uint32 // ascending
	tfs  []uint8  // frequency in each, at most 255

	maxTF  uint8  // no frequency is greater
	minLen uint32 // no document is shorter
}

// add counts one more occurrence of the term in doc, which has length words.
func (l *list) add(doc, length uint32) {
	n := len(l.docs)
	switch {
	case n == 0 || l.docs[n-1] != doc:
		if n == 0 {
			l.minLen = math.MaxUint32
		}
		l.docs = append(l.docs, doc)
		l.tfs = append(l.tfs, 1)
		l.minLen = min(l.minLen, length)
		l.maxTF = max(l.maxTF, 1)
	case l.tfs[n-1] < math.MaxUint8:
		l.tfs[n-1]++
		l.maxTF = max(l.maxTF, l.tfs[n-1])
	}
}

// seek returns the first position at or after i whose document is doc or a
// later one, by growing steps.
func (l *list) seek(i int, doc uint32) int {
	a := l.docs
	if i >= len(a) || a[i] >= doc {
		return i
	}
	step := 1
	for i+step < len(a) && a[i+step] < doc {
		i += step
		step <<= 1
	}
	lo, hi := i+1, min(i+step, len(a))
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if a[m] < doc {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// without returns a copy of the list without the given documents (ascending;
// gone holds the same as bits), and whether it had any of them.
func (l *list) without(docs []uint32, gone []uint64, sizes []size) (list, bool) {
	if len(l.docs) == 0 || l.docs[len(l.docs)-1] < docs[0] || l.docs[0] > docs[len(docs)-1] {
		return list{}, false
	}
	if !l.hasAny(docs, gone) {
		return list{}, false
	}
	out := list{docs: make([]uint32, 0, len(l.docs)), tfs: make([]uint8, 0, len(l.docs)), minLen: math.MaxUint32}
	for i, d := range l.docs {
		if gone[d>>6]>>(d&63)&1 == 1 {
			continue
		}
		out.docs = append(out.docs, d)
		out.tfs = append(out.tfs, l.tfs[i])
		out.maxTF = max(out.maxTF, l.tfs[i])
		out.minLen = min(out.minLen, sizes[d].own)
	}
	return out, true
}

func (l *list) hasAny(docs []uint32, gone []uint64) bool {
	if len(docs)*16 < len(l.docs) {
		for _, d := range docs {
			if _, ok := slices.BinarySearch(l.docs, d); ok {
				return true
			}
		}
		return false
	}
	for _, d := range l.docs {
		if gone[d>>6]>>(d&63)&1 == 1 {
			return true
		}
	}
	return false
}
