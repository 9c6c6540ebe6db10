package mcp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orma-memory/orma/core/engine"
)

// The tokens of a result. A client shows its model the text of a result or its
// structured content, and some show both, so both together stay within the limit.
const (
	DefaultTokens = 2_000  // where a request names no limit
	MaxTokens     = 10_000 // the most that a request may name, and of a resource
	minTokens     = 500    // the least: room for one item
)

// The most tokens of a part of an item in a list. What is longer is cut, and its handle
// reads it in full.
const (
	textTokens = 100
	nameTokens = 30
)

func limitOf(asked int) int {
	if asked == 0 {
		return DefaultTokens
	}
	return min(max(asked, minTokens), MaxTokens)
}

// meter counts what a text costs its reader.
type meter struct {
	e     *engine.Engine
	short int // tokens of a long text in a list; 0 means textTokens
}

func newMeter(e *engine.Engine) meter { return meter{e: e, short: textTokens} }

// listMeter is for lists of few tokens, whose items must be short for one to fit.
func listMeter(e *engine.Engine, limit, shown int) meter {
	return meter{e: e, short: min(textTokens, limit/(4*shown))}
}

// cost counts tokens as budgets do, and never fewer than a quarter of the bytes: a
// tokenizer that calls a long word one unknown token would let it through.
func (m meter) cost(text string) int {
	return max(m.e.CountTokens(text)+unspelt(text), (len(text)+3)/4)
}

// longWord is the length from which WordPiece calls a word unknown, in characters.
const longWord = 100

// unspelt is what very long words cost beyond the one token they are counted as: about
// one for two bytes.
func unspelt(text string) int {
	extra, start, runes := 0, 0, 0
	end := func(at int) {
		if runes > longWord {
			extra += (at - start) / 2
		}
		runes = 0
	}
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end(i)
			continue
		}
		if runes == 0 {
			start = i
		}
		runes++
	}
	end(len(text))
	return extra
}

// cut returns how many bytes of a text fit into a number of tokens: all of them, or up
// to the end of a word if there is one not far back, never less than a character.
func (m meter) cut(text string, tokens int) int {
	if m.cost(text) <= tokens {
		return len(text)
	}
	low, high := 0, min(len(text), 4*tokens)
	for low < high {
		mid := (low + high + 1) / 2
		if m.cost(text[:mid]) <= tokens {
			low = mid
		} else {
			high = mid - 1
		}
	}
	for low > 0 && !utf8.RuneStart(text[low]) {
		low--
	}
	if at := strings.LastIndexAny(text[:low], " \n\t"); at >= low*3/4 {
		low = at + 1
	}
	if low == 0 {
		_, low = utf8.DecodeRuneInString(text)
	}
	return low
}

// clip returns a text for a list: on one line, of at most so many tokens, and whether
// something of it is missing.
func (m meter) clip(text string, tokens int) (string, bool) {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	n := m.cut(text, tokens)
	if n == len(text) {
		return text, false
	}
	return strings.TrimSpace(text[:n]) + "…", true
}

// shrink makes a result that fits. build is given the tokens that the text of the
// result may have and returns what the whole of it costs; it is called with fewer of
// them until the whole is within the limit.
func shrink[T any](limit, tokens int, build func(tokens int) (T, int, error)) (T, error) {
	const least = 16
	for {
		r, total, err := build(tokens)
		if err != nil || total <= limit || tokens <= least {
			return r, err
		}
		tokens = max(least, min(tokens*limit/total, tokens-least))
	}
}
