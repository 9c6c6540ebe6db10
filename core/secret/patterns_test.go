package secret

import (
	"strings"
	"testing"
)

// TestEveryPatternCompiles compiles what Mask would only compile at a hint.
func TestEveryPatternCompiles(t *testing.T) {
	m, err := parse(builtin)
	if err != nil {
		t.Fatal(err)
	}
	hinted := map[int]bool{}
	for _, hs := range m.index.rules {
		for _, h := range hs {
			hinted[h.rule] = true
		}
	}
	for i, r := range m.rules {
		if len(r.patterns) == 0 {
			t.Errorf("[%s] has no pattern", r.kind)
		}
		if !hinted[i] && r.digits < 12 && r.longest < 32 {
			t.Errorf("[%s] has no hint that is looked for", r.kind)
		}
		for _, p := range r.patterns {
			p() // panics on a bad pattern
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hint x", "line 1: \"hint\" stands before any [KIND]"},
		{"\n[Bad]", "line 2: the kind \"Bad\""},
		{"[x]\nhint a,,b", "is not a hint"},
		{"[x]\nhint A", "is not a hint"},
		{"[x]\nneed luck", "unknown test \"luck\""},
		{"[x]\nmatch ${nosuch}", "is not defined"},
		{"[x]\nmask y", "unknown word \"mask\""},
	} {
		if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("parse(%q): error %v, want %q", c.text, err, c.want)
		}
	}
}
