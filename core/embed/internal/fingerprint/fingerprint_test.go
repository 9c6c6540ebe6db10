package fingerprint

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

func of(t *testing.T, b []byte, settings ...any) string {
	t.Helper()
	s, err := Of(bytes.NewReader(b), int64(len(b)), settings...)
	if err != nil || len(s) != 12 {
		t.Fatalf("Of = %q, %v", s, err)
	}
	return s
}

func TestOf(t *testing.T) {
	small, large := []byte("weights"), bytes.Repeat([]byte{1, 2, 3}, 1<<20)
	seen := map[string]string{}
	for name, s := range map[string]string{
		"empty": of(t, nil), "small": of(t, small), "large": of(t, large),
		"longer": of(t, append(slices.Clone(large), 0)), "settings": of(t, small, "a"), "other settings": of(t, small, "a", 1),
		"settings not joined": of(t, small, "a 1"), "changed": of(t, []byte("Weights")), "changed at the end": of(t, []byte("weighty")),
		"changed everywhere": of(t, bytes.Repeat([]byte{1, 2, 4}, 1<<20)),
	} {
		if seen[s] != "" {
			t.Errorf("%q and %q are both %s", name, seen[s], s)
		}
		seen[s] = name
	}
	if first, second := of(t, small, "a"), of(t, small, "a"); first != second {
		t.Error("the same file has two fingerprints")
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errBroken }

func TestOfReportsReadErrors(t *testing.T) {
	if _, err := Of(broken{}, 10); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}
