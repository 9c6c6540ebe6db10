package index

import (
	_ "embed" // for the word lists
	"strings"
	"sync"
)

//go:embed when/en.txt
var whenFile string

// whenWords are the words of time, and those that ask for it, from a data file.
type whenWords struct{ ask, time, name map[string]bool }

var whens = sync.OnceValue(func() whenWords {
	w := whenWords{ask: map[string]bool{}, time: map[string]bool{}, name: map[string]bool{}}
	into := w.time
	for line := range strings.Lines(whenFile) {
		switch line = strings.TrimSpace(line); {
		case line == "[ask]":
			into = w.ask
		case line == "[name]":
			into = w.name
		case line == "[time]":
			into = w.time
		case line != "" && line[0] != '#':
			for word := range strings.FieldsSeq(line) {
				into[word] = true
			}
		}
	}
	return w
})

// saysWhen reports whether a text has a word of time.
func saysWhen(body string, buf []byte) (bool, []byte) {
	found := false
	buf = eachWord(body, buf, func(w []byte) { found = found || whens().time[string(w)] })
	return found, buf
}

// asks reports whether a query asks for a time, and whether for a name.
func asks(query string) (when, name bool) {
	query = strings.ToLower(query)
	for word := range strings.FieldsFuncSeq(query, func(r rune) bool { return r < 'a' || r > 'z' }) {
		when = when || whens().ask[word]
		name = name || whens().name[word]
	}
	return when || strings.Contains(query, "how long"), name
}
