//go:build unix

package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// publicDir is a folder that another user may look into.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "orma-store-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// asNobody runs a child of this test as a user without rights.
func asNobody(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	exe := filepath.Join(publicDir(t), "test")
	b, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, b, 0o755); err != nil {
		t.Fatal(err)
	}
	c.Path, c.Dir = exe, "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
