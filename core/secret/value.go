package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A test is what a secret must pass besides its pattern; see patterns.txt.
type test uint8

const (
	testNone test = iota
	testDigit
	testMixed
	testCard
	testValue
	testToken
	testOdd
)

var tests = map[string]test{
	"digit": testDigit, "mixed": testMixed, "card": testCard, "value": testValue, "token": testToken, "odd": testOdd,
}

// words are what a value after "password:" may be besides a password.
type words struct {
	plain map[string]bool // prose
	code  map[string]bool // the beginning of a reference in code
}

// trim narrows a bare value to what is its own: without the punctuation at its
// end, and without what follows a separator ("x;Server=db", "x&user=y").
func (w words) trim(text string, start, end int, need test) (int, int) {
	if need != testValue && need != testToken && need != testOdd {
		return start, end
	}
	if start > 0 && strings.IndexByte("\"'`", text[start-1]) >= 0 || strings.ContainsAny(text[start:end], " \t") {
		return start, end // quoted
	}
	v := text[start:end]
	for i := 1; i < len(v); i++ {
		if strings.IndexByte(";,&", v[i]) >= 0 && isKey(v[i+1:]) {
			v = v[:i]
			break
		}
	}
	v = strings.TrimRight(v, ".,;:!?)}]>|")
	if n := strings.Index(v, "</"); n > 0 {
		v = v[:n]
	}
	return start, start + len(v)
}

// isKey reports whether s begins with a name and a sign that gives it a value,
// or is empty.
func isKey(s string) bool {
	for i, c := range s {
		if c == '=' || c == ':' {
			return i > 0
		}
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' && c != '.' && c != '"' && c != '\'' {
			return false
		}
	}
	return s == ""
}

func (w words) passes(text string, start, end int, need test) bool {
	v := text[start:end]
	quoted := start > 0 && strings.IndexByte("\"'`", text[start-1]) >= 0
	switch need {
	case testDigit:
		return has(v, isDigit) && has(v, isLetter)
	case testMixed:
		return count(v, unicode.IsUpper) >= 5 && count(v, unicode.IsLower) >= 5 && has(v, isDigit)
	case testCard:
		return isCard(v)
	case testValue:
		return !w.isPlain(v, quoted)
	case testToken:
		long := len(v) >= 16 && !strings.Contains(v, " ")
		return !w.isPlain(v, quoted) && (len(v) >= 8 && has(v, isDigit) && has(v, isLetter) || long && (has(v, isDigit) || quoted || mixedCase(v)))
	case testOdd:
		return !w.isPlain(v, quoted) && (quoted || has(v, func(c rune) bool { return !unicode.IsLower(c) && c != '-' }))
	default:
		return true
	}
}

// isPlain reports whether a value is a word of prose, a placeholder, or a
// reference in code.
func (w words) isPlain(v string, quoted bool) bool {
	if strings.Trim(v, "*•xX.…-_#?") == "" && len(v) > 1 { // ****
		return true
	}
	if isPlaceholder(v, quoted) {
		return true
	}
	if rest, ok := strings.CutPrefix(v, "$"); ok && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		return true // $DB_PASSWORD
	}
	if quoted {
		return false
	}
	if w.plain[strings.ToLower(strings.Trim(v, ".,;:!?()"))] {
		return true
	}
	if i := strings.IndexAny(v, ".[("); i >= 0 {
		if call := v[i] == '('; call && i > 0 && strings.Trim(v[:i], identifier) == "" {
			return true // getenv("X")
		}
		return w.code[strings.ToLower(v[:i])]
	}
	return strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") // PWD=/home
}

// isPlaceholder reports whether a value stands for one to be filled in. A bare
// value ends at a space, so its closing bracket may be missing.
func isPlaceholder(v string, quoted bool) bool {
	for _, pair := range [][2]string{{"${", "}"}, {"$(", ")"}, {"{{", "}}"}, {"<", ">"}, {"{", "}"}, {"[", "]"}, {"%", "%"}, {"__", "__"}} {
		rest, ok := strings.CutPrefix(v, pair[0])
		if !ok {
			continue
		}
		cut := !quoted && (len(pair[0]) == 2 || pair[0] == "<" && strings.Trim(rest, identifier) == "" || rest == "")
		if cut || strings.HasSuffix(rest, pair[1]) {
			return true
		}
	}
	return false
}

const identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

func has(s string, f func(rune) bool) bool { return strings.IndexFunc(s, f) >= 0 }

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func isLetter(c rune) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func mixedCase(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	inner := s[min(len(s), utf8.RuneLen(max(c, 0))):]
	return has(inner, unicode.IsUpper) && has(s, unicode.IsLower)
}

func count(s string, f func(rune) bool) int {
	n := 0
	for _, c := range s {
		if f(c) {
			n++
		}
	}
	return n
}
