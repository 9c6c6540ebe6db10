package index

import (
	_ "embed" // for the word lists
	"strings"
	"sync"
)

//go:embed asks/en.txt
var asksFile string

// askWords are the words by which a question asks for a kind of thing, and words of
// time, and those by which it is about the user or the assistant, from a data file:
// [when], [many], [name], [time], [user], [told] and [answer]. Phrases of two words stand
// with an underscore.
var askWords = sync.OnceValue(func() map[string]map[string]bool {
	lists := map[string]map[string]bool{}
	var into map[string]bool
	for line := range strings.Lines(asksFile) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "["); ok {
			into = map[string]bool{}
			lists[strings.TrimSuffix(name, "]")] = into
			continue
		}
		for word := range strings.FieldsSeq(line) {
			into[word] = true
		}
	}
	return lists
})

// asks returns the flags of rows that hold the kind of thing that a query asks for: a
// time, a number or a name.
func asks(query string) uint8 {
	lists := askWords()
	wants := uint8(0)
	before := ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(query), func(r rune) bool { return r < 'a' || r > 'z' }) {
		for list, flag := range map[string]uint8{"when": flagTime, "many": flagDigit, "name": flagName} {
			if lists[list][word] || before != "" && lists[list][before+"_"+word] {
				wants |= flag
			}
		}
		before = word
	}
	return wants
}
