package text

import (
	_ "embed" // for the word list
	"strings"
)

//go:embed stopwords/en.txt
var stopFile string

// stopUse tells when a word is a function word.
type stopUse uint8

const (
	stopNever       stopUse = iota
	stopAlways              // in any spelling
	stopUnlessUpper         // not as an acronym: US, IT
	stopUnlessTitle         // not as a name: Will, May
)

var stopWords = parseStopWords(stopFile)

// parseStopWords reads a word a line; "upper" or "title" after it names the
// spelling in which it is no function word. # begins a comment.
func parseStopWords(file string) map[string]stopUse {
	words := make(map[string]stopUse, 256)
	for line := range strings.Lines(file) {
		line, _, _ = strings.Cut(line, "#")
		word, spelling, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		use := stopAlways
		switch spelling {
		case "upper":
			use = stopUnlessUpper
		case "title":
			use = stopUnlessTitle
		}
		words[word] = use
	}
	return words
}

// stopKind looks up a folded word without apostrophes, before stemming.
func stopKind(word []byte) stopUse {
	if len(word) > 10 {
		return stopNever
	}
	return stopWords[string(word)]
}

// isStop tells whether the atom is a function word as it is written.
func (t *Terms) isStop(a *atom, word []byte) bool {
	switch stopKind(word) {
	case stopAlways:
		return true
	case stopUnlessUpper:
		return a.upper < len(word)
	case stopUnlessTitle:
		return t.pos == 0 || !a.title
	}
	return false
}

// IsStopWord tells whether the lower-case ASCII word is an English function
// word, in the tokeniser's spelling: without apostrophes, not stemmed.
func IsStopWord(word string) bool {
	return len(word) <= 10 && stopWords[word] != stopNever
}
