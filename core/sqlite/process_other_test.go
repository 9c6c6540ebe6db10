//go:build !unix

package sqlite_test

import (
	"os/exec"
	"testing"
)

func publicDir(t *testing.T) string             { return t.TempDir() }
func asNobody(t *testing.T, _ *exec.Cmd) string { t.Skip("no other user to play"); return "" }
