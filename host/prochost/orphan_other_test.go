//go:build !linux

package prochost_test

// actAsHost is for a test that needs /proc.
func actAsHost() {}
