package history

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/engine"
)

// damaged reports whether JSON holds what is no text: bytes that are not UTF-8, or half
// of a surrogate pair in an escape. The decoder puts U+FFFD in their place and says
// nothing.
func damaged(data []byte) bool {
	if !utf8.Valid(data) {
		return true
	}
	for i := 0; ; {
		n := bytes.IndexByte(data[i:], '\\')
		if n < 0 || i+n+1 >= len(data) {
			return false
		}
		i += n
		switch surrogate(data[i:]) {
		case 0:
			i += 2 // the escaped character may be a backslash
		case 'h':
			if surrogate(data[i+6:]) != 'l' {
				return true
			}
			i += 12
		default:
			return true
		}
	}
}

// surrogate says which half of a pair the escape is that data begins with: 'h' for the
// high one, 'l' for the low one, 0 for none.
func surrogate(data []byte) byte {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' || data[2]|0x20 != 'd' {
		return 0
	}
	switch c := data[3] | 0x20; {
	case c == '8' || c == '9' || c == 'a' || c == 'b': // the bit is set in digits too
		return 'h'
	case c >= 'c' && c <= 'f':
		return 'l'
	}
	return 0
}

// markRepaired marks an episode whose text the decoder had to mend.
func markRepaired(in *engine.Input, broken bool) {
	if broken && strings.ContainsRune(in.Text, utf8.RuneError) {
		in.Marks |= core.MarkRepaired
	}
}

// markItems is markRepaired for what was read from one piece of JSON.
func markItems(items []Item, data []byte) {
	if !damaged(data) {
		return
	}
	for i := range items {
		markRepaired(&items[i].Input, true)
	}
}
