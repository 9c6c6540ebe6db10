package cli

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// smallDisk returns the folder of a disk of its own that is soon full.
func smallDisk(t *testing.T) string {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=24m,mode=700"); err != nil {
		t.Skipf("skipped: a full disk (it takes the right to mount one: %v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// The flags of a file's inode, as chattr sets them.
const (
	getFlags = 0x80086601
	setFlags = 0x40086602
	fixed    = 0x10
)

// immutable makes files unwritable, also to those who have them open, whoever they are.
func immutable(t *testing.T, paths ...string) (undo func()) {
	set := func(path string, on bool) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		var flags uint32
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getFlags, uintptr(unsafe.Pointer(&flags))); e != 0 {
			return e
		}
		if flags &^= fixed; on {
			flags |= fixed
		}
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), setFlags, uintptr(unsafe.Pointer(&flags))); e != 0 {
			return e
		}
		return nil
	}
	undone := false
	undo = func() {
		if undone {
			return
		}
		undone = true
		for _, p := range paths {
			if err := set(p, false); err != nil {
				t.Error(err)
			}
		}
	}
	for _, p := range paths {
		if err := set(p, true); err != nil {
			if strings.Contains(err.Error(), "permitted") || strings.Contains(err.Error(), "supported") || strings.Contains(err.Error(), "inappropriate") {
				t.Skipf("skipped: a read-only store (it takes a file system with fixed files, and root: %v)", err)
			}
			t.Fatal(err)
		}
		t.Cleanup(undo)
	}
	return undo
}
