package engine

import (
	"strings"
	"unicode"

	"github.com/orma-memory/orma/core/text"
	"github.com/orma-memory/orma/core/text/sentence"
)

// passageWords is the length up to which sentences that follow each other make one
// passage: about three of them. A turn of a conversation is mostly one passage; of a
// document the sentence that answers comes with its neighbours.
const passageWords = 60

// passages cuts a text into passages: runs of whole sentences, of up to passageWords
// words, that end where a paragraph ends.
func passages(body string) []sentence.Span {
	var out []sentence.Span
	words := 0
	for _, sp := range sentence.Split(body, nil) {
		n := wordCount(body[sp.Start:sp.End])
		if last := len(out) - 1; last >= 0 && words+n <= passageWords && !paragraph(body[out[last].End:sp.Start]) {
			out[last].End = sp.End
			words += n
			continue
		}
		out = append(out, sp)
		words = n
	}
	return out
}

// runesPerWord is how many characters a word has in scripts that are written without
// spaces between words: Chinese words have mostly two, Thai ones four or five, which
// a reader of the block pays for alike.
const runesPerWord = 2

// wordCount counts what stands between spaces and, in scripts that have none, every
// runesPerWord characters.
func wordCount(s string) int {
	n := len(strings.Fields(s))
	unspaced := 0
	for _, r := range s {
		if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan) {
			unspaced++
		}
	}
	return n + unspaced/runesPerWord
}

// paragraph reports whether the text between two sentences ends a paragraph.
func paragraph(between string) bool { return strings.Count(between, "\n") > 1 }

// Body is a passage as it is embedded: with the name of who said it, since questions
// name people.
func Body(speaker, body string) string {
	if speaker == "" {
		return body
	}
	return speaker + ": " + body
}

// normalise is the text by which exact repeats are known: NFC, white space as single
// spaces. Case and accents stay: they can be all that differs.
func normalise(body string) string {
	return strings.Join(strings.Fields(text.NFC(body)), " ")
}
