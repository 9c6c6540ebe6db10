package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxRunes is the length of the longest word that is spelled with pieces.
const maxRunes = 100

// Encode appends the ids of text's tokens to dst: all of them, or the first limit if that is above 0.
func (v *Vocab) Encode(dst []int32, text string, limit int) []int32 {
	most := -1
	if limit > 0 {
		most = len(dst) + limit
	}
	w := word{}
	for len(text) > 0 && (most < 0 || len(dst) < most) {
		text = w.next(text)
		dst = w.spell(v, dst)
	}
	if most >= 0 && len(dst) > most {
		dst = dst[:most]
	}
	return dst
}

// Count returns the number of text's tokens.
func (v *Vocab) Count(text string) int {
	var room [maxRunes]int32
	n := 0
	w := word{}
	for len(text) > 0 {
		text = w.next(text)
		n += len(w.spell(v, room[:0]))
	}
	return n
}

// word is one normalised word.
type word struct {
	bytes [maxRunes * utf8.UTFMax]byte
	n     int // bytes in use
	runes int // in the word, those that found no room included
}

func (w *word) add(r rune) {
	w.runes++
	if w.runes > maxRunes {
		return
	}
	if r < utf8.RuneSelf {
		w.bytes[w.n] = byte(r)
		w.n++
		return
	}
	w.n += utf8.EncodeRune(w.bytes[w.n:], r)
}

// next reads one word from text, which may turn out empty, and returns what follows it.
func (w *word) next(text string) (rest string) {
	w.n, w.runes = 0, 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			switch ascii[c] {
			case classSpace:
				return text[i+1:]
			case classAlone:
				if w.runes > 0 {
					return text[i:]
				}
				w.add(rune(c))
				return text[i+1:]
			case classWord:
				if 'A' <= c && c <= 'Z' {
					c += 'a' - 'A'
				}
				w.add(rune(c))
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		// What a character comes apart into is, but for accents, of the class of the whole.
		switch class(r) {
		case classSpace:
			return text[i+size:]
		case classAlone:
			if w.runes > 0 {
				return text[i:]
			}
			w.decompose(r, text[i:])
			return text[i+size:]
		case classWord:
			w.decompose(r, text[i:])
		}
		i += size
	}
	return ""
}

// decompose adds the canonical decomposition of r, the first rune of text, in lower case and without
// accents.
func (w *word) decompose(r rune, text string) {
	if r >= hangulBase && r < hangulEnd {
		s := r - hangulBase
		w.add(0x1100 + s/588)
		w.add(0x1161 + s%588/28)
		if t := s % 28; t > 0 {
			w.add(0x11A7 + t)
		}
		return
	}
	parts := norm.NFD.PropertiesString(text).Decomposition()
	if parts == nil {
		w.add(unicode.ToLower(r))
		return
	}
	for len(parts) > 0 {
		r, size := utf8.DecodeRune(parts)
		if !unicode.Is(unicode.Mn, r) {
			w.add(unicode.ToLower(r))
		}
		parts = parts[size:]
	}
}

// Hangul syllables come apart by arithmetic (The Unicode Standard, section 3.12).
const (
	hangulBase = 0xAC00
	hangulEnd  = 0xD7A4
)

// spell appends the ids of the word's pieces to dst.
func (w *word) spell(v *Vocab, dst []int32) []int32 {
	if w.n == 0 {
		return dst
	}
	if w.runes > maxRunes {
		return append(dst, v.unk)
	}
	start, prefix, seed := len(dst), "", uint32(hashStart)
	for rest := w.bytes[:w.n]; len(rest) > 0; {
		id, n := v.longest(rest, prefix, seed)
		if n == 0 {
			return append(dst[:start], v.unk)
		}
		dst, rest = append(dst, id), rest[n:]
		prefix, seed = "##", continuation
	}
	return dst
}

// continuation is where the hash of "##" stands.
const continuation = uint32((((hashStart ^ '#') * hashPrime % (1 << 32)) ^ '#') * hashPrime % (1 << 32))

// longest returns the longest token that is prefix and then some start of rest, and that start's length
// in bytes, 0 if there is none. seed is the hash of prefix.
func (v *Vocab) longest(rest []byte, prefix string, seed uint32) (id int32, n int) {
	var hashes [64]uint32 // of each start; longer tokens are not worth the room
	most := min(len(rest), v.long, len(hashes))
	h := seed
	for i, b := range rest[:most] {
		h = hashByte(h, b)
		hashes[i] = fold(h)
	}
	for n := most; n > 0; n-- {
		if word, bit := v.knownAt(hashes[n-1]); v.known[word]&bit == 0 || n < len(rest) && !utf8.RuneStart(rest[n]) {
			continue
		}
		if id, ok := find(v, hashes[n-1], prefix, rest[:n]); ok {
			return id, n
		}
	}
	return 0, 0
}
