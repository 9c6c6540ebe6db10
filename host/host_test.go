package host

import (
	"errors"
	"strings"
	"testing"
)

func TestSourceChecksItsDigest(t *testing.T) {
	for _, c := range []struct {
		name, want, got string
		fails           bool
	}{
		{"any will do", "", "ab12", false},
		{"the same", "ab12", "ab12", false},
		{"the same in capitals", "AB12", "ab12", false},
		{"another", "AB12", "ab13", true},
		{"only a part", "ab", "ab12", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Source{Path: "a.wasm", SHA256: c.want}.Check(c.got)
			var bad *DigestError
			if errors.As(err, &bad) != c.fails {
				t.Fatalf("Check = %v", err)
			}
			if c.fails && *bad != (DigestError{"a.wasm", strings.ToLower(c.want), c.got}) {
				t.Errorf("Check = %+v", bad)
			}
		})
	}
}
