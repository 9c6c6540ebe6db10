package sqlite

import (
	"slices"
	"strings"
)

// phrases finds which of many strings are in a text, in one walk through the text however
// many they are.
type phrases struct {
	sorted []string
	within []int           // by phrase: the longest other one that it begins with, or -1
	heads  [1 << 12]uint64 // a bit for what phrases begin with; others may share it
}

// headLen is how many bytes tell most places of a text where no phrase begins. No phrase
// is shorter.
const headLen = 3

func newPhrases(set map[string]bool) *phrases {
	p := &phrases{}
	for s := range set {
		if len(s) >= headLen {
			p.sorted = append(p.sorted, s)
		}
	}
	slices.Sort(p.sorted)
	p.within = make([]int, len(p.sorted))
	for i, s := range p.sorted {
		h := head(s)
		p.heads[h/64] |= 1 << (h % 64)
		// What s begins with is before it, and all between the two begins so too.
		w := i - 1
		for w >= 0 && !strings.HasPrefix(s, p.sorted[w]) {
			w = p.within[w]
		}
		p.within[i] = w
	}
	return p
}

func head(s string) uint32 {
	return (uint32(s[0])<<10 ^ uint32(s[1])<<5 ^ uint32(s[2])) % (1 << 18)
}

// find calls found with the index of each phrase that is in the text, once or more often.
func (p *phrases) find(text string, found func(i int)) {
	if len(p.sorted) == 0 {
		return
	}
	for ; len(text) >= headLen; text = text[1:] {
		if h := head(text); p.heads[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		i, same := slices.BinarySearch(p.sorted, text)
		if !same {
			i-- // the last one before the text
		}
		for ; i >= 0; i = p.within[i] {
			if strings.HasPrefix(text, p.sorted[i]) {
				found(i)
			}
		}
	}
}
