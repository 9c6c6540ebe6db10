package engine

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/orma-memory/orma/core"
)

// MaxSpaceName is the length of the longest space name, in characters.
const MaxSpaceName = 128

// Space returns the canonical form of a space name: NFC, case kept. An empty name
// is the default space. Names with control or invisible characters are refused,
// since two that look alike must not be two spaces.
func Space(name string) (string, error) {
	if name == "" {
		return core.DefaultSpace, nil
	}
	if !utf8.ValidString(name) {
		return "", core.Errorf(core.CodeInvalid, "space name is not valid UTF-8")
	}
	name = norm.NFC.String(name)
	if n := utf8.RuneCountInString(name); n > MaxSpaceName {
		return "", core.Errorf(core.CodeInvalid, "space name has %d characters, more than %d", n, MaxSpaceName)
	}
	for _, r := range name {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return "", core.Errorf(core.CodeInvalid, "space name holds the control character %U", r)
		}
	}
	return name, nil
}
