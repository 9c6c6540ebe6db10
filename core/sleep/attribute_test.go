package sleep

import "testing"

func TestAttributesFileIsSound(t *testing.T) {
	if _, err := parseAttributes(attributesFile); err != nil {
		t.Fatal(err)
	}
}
