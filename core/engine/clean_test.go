package engine

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/orma-memory/orma/core"
)

func TestClean(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		repaired       bool
	}{
		{"plain text is kept", "I live in Pune.", "I live in Pune.", false},
		{"white space around is kept", "  a\n", "  a\n", false},
		{"a lone byte is replaced", "a\xffb", "a\uFFFDb", true},
		{"a surrogate half is replaced", "a\xed\xa0\x80b", "a\uFFFDb", true},
		{"an overlong form is replaced", "\xc0\xafx", "\uFFFDx", true},
		{"a cut character is replaced", "caf\xc3", "caf\uFFFD", true},
		{"NUL is replaced", "a\x00b", "a\uFFFDb", true},
		{"emoji and joiners are kept", "👩‍👩‍👧 ക്ഷ", "👩‍👩‍👧 ക്ഷ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, repaired, err := Clean(c.in, 0)
			if err != nil || got != c.want || repaired != c.repaired {
				t.Errorf("Clean(%q) = %q, %v, %v; want %q, %v", c.in, got, repaired, err, c.want, c.repaired)
			}
		})
	}
	for _, in := range []string{"", " \n\t", "\u00a0\u2003"} {
		if _, _, err := Clean(in, 0); !errors.Is(err, core.ErrInvalid) {
			t.Errorf("Clean(%q) = %v, want invalid", in, err)
		}
	}
	if _, _, err := Clean(strings.Repeat("x", 11), 10); !errors.Is(err, core.ErrTooLarge) {
		t.Errorf("over the limit: %v, want too large", err)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\xff\x00")
	f.Fuzz(func(t *testing.T, s string) {
		got, repaired, err := Clean(s, 0)
		if err != nil {
			return
		}
		if !utf8.ValidString(got) || strings.ContainsRune(got, 0) {
			t.Fatalf("not clean: %q", got)
		}
		if !repaired && got != s {
			t.Fatalf("changed without saying so: %q to %q", s, got)
		}
		if again, r, err := Clean(got, 0); again != got || r || err != nil {
			t.Fatalf("not stable: %q to %q", got, again)
		}
	})
}

func TestSpace(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", "default"}, {"work", "work"}, {"Work", "Work"}, {"a:b", "a:b"}, {"../x", "../x"},
		{"cafe\u0301", "caf\u00e9"}, {" lead", " lead"}, {strings.Repeat("é", 128), strings.Repeat("é", 128)},
	} {
		if got, err := Space(c.in); err != nil || got != c.want {
			t.Errorf("Space(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"a\nb", "a\x00", "\u200bx", "x\u202e", "\ufeff", "a\xff", strings.Repeat("x", 129), "a\u2028b", "\u0085"} {
		if got, err := Space(in); !errors.Is(err, core.ErrInvalid) {
			t.Errorf("Space(%q) = %q, %v; want invalid", in, got, err)
		}
	}
}
