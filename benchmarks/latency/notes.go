// Package latency measures how long memory takes on generated notes, or on a user's own
// database: a cold open, the first recall, warm recalls, appends, bulk import, memory
// and disk. `orma bench latency` runs it.
package latency

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// The notes are made of a vocabulary whose frequencies follow Zipf's law, as those of
// words in any language do: a few words are in most notes, most are in few. About 25
// words make a note.
const (
	vocabulary = 30_000
	zipf       = 1.07 // the exponent for English
	noteWords  = 25
)

// Notes makes notes and queries. Equal seeds make equal ones.
type Notes struct {
	rng   *rand.Rand
	zipf  *rand.Zipf
	words []string
	at    time.Time
	n     int
}

// NewNotes returns a generator.
func NewNotes(seed uint64) *Notes {
	rng := rand.New(rand.NewPCG(seed, 1))
	g := &Notes{rng: rng, zipf: rand.NewZipf(rng, zipf, 2.7, vocabulary-1), at: time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC)}
	seen := map[string]bool{}
	for len(g.words) < vocabulary {
		if w := g.word(); !seen[w] {
			seen[w] = true
			g.words = append(g.words, w)
		}
	}
	return g
}

// word makes a word of syllables; common words, which are made first, are short.
func (g *Notes) word() string {
	const consonants, vowels = "bcdfghklmnprstvwz", "aeiou"
	var b strings.Builder
	for range 1 + g.rng.IntN(1+min(3, 1+len(g.words)/200)) {
		b.WriteByte(consonants[g.rng.IntN(len(consonants))])
		b.WriteByte(vowels[g.rng.IntN(len(vowels))])
		if g.rng.IntN(3) == 0 {
			b.WriteByte(consonants[g.rng.IntN(len(consonants))])
		}
	}
	return b.String()
}

// Next makes a note, said some minutes after the one before.
func (g *Notes) Next() engine.Input {
	g.n++
	g.at = g.at.Add(time.Duration(1+g.rng.IntN(40)) * time.Minute)
	return engine.Input{Text: g.text(noteWords - 8 + g.rng.IntN(17)), Kind: core.KindNote, At: g.at, Source: "bench"}
}

// Query makes a question: common words, and a few that are rarer.
func (g *Notes) Query() string {
	words := []string{g.text(4)}
	for range 2 {
		words = append(words, g.words[200+g.rng.IntN(5000)])
	}
	return strings.Join(words, " ") + "?"
}

// Now is when the last note was said.
func (g *Notes) Now() time.Time { return g.at }

func (g *Notes) text(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = g.words[g.zipf.Uint64()]
	}
	return strings.Join(words, " ")
}
