// Package secret takes keys, tokens, passwords and card numbers out of a text
// before it is stored, and puts a mark such as "[secret: password]" in their
// place. The rest of the text stays as it is.
//
// What counts as a secret is in patterns.txt: RE2, so that no text takes more
// than linear time. A password in plain prose is none for it ("the wifi
// password is painted under the router"); it must look like a value, after a
// colon, an equals sign or in quotes.
package secret

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed patterns.txt
var builtin string

// A Masker finds secrets. It never changes and is safe for concurrent use.
type Masker struct {
	rules []*rule
	words words
	index index
}

// New returns a masker with the patterns of the package. It costs next to
// nothing: a pattern is compiled when a text first has a hint of it.
func New() (*Masker, error) {
	return parse(builtin)
}

// A rule is one kind of secret.
type rule struct {
	kind     string
	digits   int // so many digits are a hint,
	longest  int // or a word of so many bytes
	need     test
	patterns []pattern
}

// A pattern is compiled when it is first needed; the tests compile all.
type pattern func() *regexp.Regexp

func newPattern(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// A region is a stretch of bytes that a mark of a kind replaces.
type region struct {
	start, end int
	kind       string
}

// mark is what a masked text holds in place of secrets.
var mark = regexp.MustCompile(`\[secret: [a-z0-9 ]{1,40}\]`)

// maxRounds bounds how often a text is searched. One round finds all but what
// only the marks of the round before set free, so two nearly always suffice.
const maxRounds = 8

// Mask returns the text with a mark in place of each secret, and how many it
// newly masked. A masked text stays as it is when masked again.
func (m *Masker) Mask(text string) (masked string, n int) {
	for range maxRounds {
		found := m.find(text)
		if len(found) == 0 {
			break
		}
		n += len(found)
		text = replace(text, found)
	}
	return text, n
}

func replace(text string, found []region) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, r := range found {
		b.WriteString(text[at:r.start])
		b.WriteString("[secret: " + r.kind + "]")
		at = r.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// find returns the secrets of a text in order, none over another and none over
// a mark.
func (m *Masker) find(text string) []region {
	var all []region
	for r, hints := range m.look(text) {
		all = m.around(all, m.rules[r], text, hints)
	}
	if len(all) == 0 {
		return nil
	}
	return disjoint(all, mark.FindAllStringIndex(text, -1))
}

// The bytes around a hint that are searched, and how many of them must follow
// a hint for it to count as searched. A match that reaches the end of the
// window is tried again in a larger one.
const (
	bytesBefore = 64
	bytesAfter  = 640
	mustFollow  = 384
)

// around searches the windows around the hints of a rule, which are in order.
func (m *Masker) around(all []region, r *rule, text string, hints []int) []region {
	done := 0
	for _, h := range hints {
		if h < done {
			continue
		}
		from, to := max(0, h-bytesBefore), min(len(text), h+bytesAfter)
		for {
			before := len(all)
			open := false
			for _, p := range r.patterns {
				for _, hit := range p().FindAllStringSubmatchIndex(text[from:to], -1) {
					if hit[0] == 0 && from > 0 {
						continue // it may begin before the window
					}
					open = open || from+hit[1] == to && to < len(text)
					all = m.add(all, r, text, from, hit)
				}
			}
			if !open {
				break
			}
			all = all[:before]
			to = min(len(text), to+4*(to-from))
		}
		if done = to - mustFollow; to == len(text) {
			break
		}
	}
	return all
}

// add appends the secrets of one match in text[from:]: its groups, or all of it.
func (m *Masker) add(all []region, r *rule, text string, from int, hit []int) []region {
	first := 2
	if len(hit) == 2 {
		first = 0
	}
	for i := first; i+1 < len(hit); i += 2 {
		start, end := from+hit[i], from+hit[i+1]
		if hit[i] < 0 || start == end {
			continue
		}
		if start, end = m.words.trim(text, start, end, r.need); start < end && m.words.passes(text, start, end, r.need) {
			all = append(all, region{start, end, r.kind})
		}
	}
	return all
}

// disjoint keeps the earliest of overlapping regions, of equally early ones the
// longest, and drops those that touch a mark.
func disjoint(all []region, marks [][]int) []region {
	slices.SortStableFunc(all, func(a, b region) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out := all[:0]
	last, next := 0, 0
	for _, r := range all {
		for next < len(marks) && marks[next][1] <= r.start {
			next++
		}
		if r.start < last || next < len(marks) && marks[next][0] < r.end {
			continue
		}
		out = append(out, r)
		last = r.end
	}
	return out
}
