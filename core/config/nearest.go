package config

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// hint returns ` (did you mean "x"?)` for the candidate that is closest to name, or
// "" when none is close.
func hint(name string, candidates []string) string {
	best := Nearest(name, candidates)
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// Nearest returns the candidate that name was probably meant to be: one that
// differs in case, begins with it, or is a few letters away; "" if there is none. Ties
// go to the earlier.
func Nearest(name string, candidates []string) string {
	folded := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	if utf8.RuneCountInString(folded) > 64 {
		return ""
	}
	best, dist := "", 1+max(1, len(folded)/3)
	for _, c := range candidates {
		d := distance(folded, c)
		if len(folded) >= 3 && strings.HasPrefix(c, folded) {
			d = min(d, 1)
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance, where two neighbours that changed places
// count once.
func distance(a, b string) int {
	two, one, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		two, one, row = one, row, two
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(one[j+1]+1, row[j]+1, one[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], two[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
