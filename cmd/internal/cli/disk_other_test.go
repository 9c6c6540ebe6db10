//go:build !linux

package cli

import "testing"

func smallDisk(t *testing.T) string {
	t.Skip("skipped: a full disk (one is mounted on Linux only)")
	return ""
}

func immutable(t *testing.T, _ ...string) func() {
	t.Skip("skipped: a read-only store (files are fixed on Linux only)")
	return nil
}
