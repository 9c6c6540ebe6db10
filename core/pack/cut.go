package pack

import (
	"sort"
	"strings"

	"github.com/rivo/uniseg"
)

// Longest fields, in bytes before cleaning. Rules are never shortened.
const (
	maxValue     = 1200
	maxCondition = 400
	maxName      = 120
	maxSaid      = 6000
)

// ellipsis ends a text that was cut.
const ellipsis = "…"

// clip shortens s to at most n bytes at the end of a grapheme, and reports whether
// it did.
func clip(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	// Graphemes are short: reading a little past n finds the boundary before it.
	end, state, rest := 0, -1, s[:min(len(s), n+256)]
	for rest != "" {
		var g string
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end+len(g) > n {
			break
		}
		end += len(g)
	}
	return strings.TrimRight(s[:end], " \n\t"), true
}

// fit returns the longest beginning of s, with an ellipsis, for which ok holds; it
// ends after a grapheme, and after a word where one ends near. It returns "" when
// nothing useful fits.
func fit(s string, ok func(string) bool) string {
	var ends []int
	state, rest, at := -1, s, 0
	for rest != "" {
		var g string
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(g)
		ends = append(ends, at)
	}
	// Token counts grow with the text, give or take a merge at its end.
	n := sort.Search(len(ends), func(i int) bool { return !ok(s[:ends[i]] + ellipsis) })
	if n < 12 {
		return ""
	}
	cut := s[:ends[n-1]]
	if i := strings.LastIndexByte(cut, ' '); n < len(ends) && i > len(cut)*3/4 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ") + ellipsis
}
