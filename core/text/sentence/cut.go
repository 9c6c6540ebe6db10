package sentence

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// cut returns where the passage that begins at start ends if it must not pass
// end: at end if it fits, else after the last mark or space in its second
// half, else at a grapheme boundary.
func (p *splitter) cut(start, end int) int {
	s := p.text[start:end]
	if fits(s) {
		return end
	}
	most := limit(s)
	best := 0
	for i := most; i > most/2; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if isPause(r) && (r >= utf8.RuneSelf || unicode.IsSpace(runeAt(s, i))) {
			best = i
			break
		}
		if best == 0 && unicode.IsSpace(r) {
			best = i
		}
		i -= n
	}
	if best == 0 {
		best = len(Truncate(s, most))
	}
	if best == 0 { // one cluster longer than a passage
		best = most
	}
	return start + best
}

func runeAt(s string, i int) rune {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

// isPause tells whether r is a mark at which a long sentence may be cut.
func isPause(r rune) bool {
	switch r {
	case ',', ';', ':', '—', '–', '、', '，', '；', '：', '،', '؛', '၊', '፣', '፤', '｜':
		return true
	}
	return false
}

// Truncate returns the longest beginning of s of at most n bytes that ends at
// a grapheme boundary, so that no accent, vowel sign or joined emoji is torn
// off. It is empty if already the first grapheme is longer.
func Truncate(s string, n int) string {
	if n >= len(s) {
		return s
	}
	end, state := 0, -1
	for rest := s; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end+len(cluster) > n {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}
