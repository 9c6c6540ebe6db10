package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

// Clean makes bytes a text that can be stored: what is not UTF-8, and NUL, become
// U+FFFD, and repaired says so. A text of nothing but white space is refused, and
// one above limit bytes likewise.
func Clean(s string, limit int) (text string, repaired bool, err error) {
	if limit > 0 && len(s) > limit {
		return "", false, core.Errorf(core.CodeTooLarge, "the text has %d bytes, more than limits.episode_bytes = %d", len(s), limit).
			Hinted("add it as a file, which is split, or raise the limit")
	}
	if !utf8.ValidString(s) {
		s, repaired = strings.ToValidUTF8(s, "\uFFFD"), true
	}
	if strings.ContainsRune(s, 0) {
		s, repaired = strings.ReplaceAll(s, "\x00", "\uFFFD"), true
	}
	if strings.TrimSpace(s) == "" {
		return "", false, core.Errorf(core.CodeInvalid, "the text is empty")
	}
	return s, repaired, nil
}
