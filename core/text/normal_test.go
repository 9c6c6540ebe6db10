package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Text of visible ASCII takes a shorter way to the same fold.
func TestFoldASCII(t *testing.T) {
	for c := byte(0); c < utf8.RuneSelf; c++ {
		for _, s := range []string{string(rune(c)), "Ab" + string(rune(c)) + "1z"} {
			long, ok := strings.CutSuffix(Fold(s+"é"), "e")
			if got := Fold(s); !ok || got != long {
				t.Errorf("Fold(%q) = %q, want %q", s, got, long)
			}
		}
	}
}
