package sleep

import (
	"slices"
	"strings"

	"github.com/orma-memory/orma/core/sleep/lang"
)

// sameValue reports whether two values are one: the same content words in any
// order. Numbers, dates, units, names and negation all count, so 12,000 is not
// 13,000 and vegetarian is not non-vegetarian. A place may be given with what it
// lies in: "Turin" is "Turin, Italy".
func sameValue(set *lang.Set, a, b string) bool {
	if strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) {
		return true
	}
	if sameWords(set, a, b) {
		return true
	}
	ha, ra, ca := strings.Cut(a, ",")
	hb, rb, cb := strings.Cut(b, ",")
	if ca == cb || lang.HasDigit(ra) || lang.HasDigit(rb) {
		return false
	}
	return sameWords(set, ha, hb)
}

func sameWords(set *lang.Set, a, b string) bool {
	wa, na := set.Content(a)
	wb, nb := set.Content(b)
	return na == nb && len(wa) > 0 && slices.Equal(stems(wa), stems(wb))
}

func stems(ws []lang.Word) []string {
	var out []string
	for _, w := range ws {
		switch w.Norm {
		case "dr", "mr", "mrs", "ms", "prof", "sir", "doctor", "professor":
			if len(ws) > 1 {
				continue
			}
		}
		out = append(out, w.Stem)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sameButNumbers reports whether two values differ in numbers and nothing else,
// and both have some: "Postgres 15" and "Postgres 16".
func sameButNumbers(set *lang.Set, a, b string) bool {
	wa, na := set.Content(a)
	wb, nb := set.Content(b)
	ta, da := dropNumbers(wa)
	tb, db := dropNumbers(wb)
	return na == nb && da > 0 && db > 0 && len(ta) > 0 && slices.Equal(stems(ta), stems(tb))
}

func dropNumbers(ws []lang.Word) (rest []lang.Word, dropped int) {
	for _, w := range ws {
		if w.Exact {
			dropped++
			continue
		}
		rest = append(rest, w)
	}
	return rest, dropped
}

// covers reports whether all content words of a are among those of b.
func covers(set *lang.Set, b, a string) bool {
	wa, _ := set.Content(a)
	wb, _ := set.Content(b)
	sb := stems(wb)
	for _, s := range stems(wa) {
		if !slices.Contains(sb, s) {
			return false
		}
	}
	return len(wa) > 0
}

// SameValue reports whether two values are one by their words; see the package's
// rules on numbers, names and negation.
func SameValue(a, b string) bool { return sameValue(lang.Default(), a, b) }

// SameKind reports whether two values are one, or differ in numbers only.
func SameKind(a, b string) bool {
	return sameValue(lang.Default(), a, b) || sameButNumbers(lang.Default(), a, b)
}
