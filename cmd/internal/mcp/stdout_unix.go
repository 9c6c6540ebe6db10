//go:build unix

package mcp

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// TakeStdout gives the process's standard output to the caller alone: whatever else
// writes to it from now on, be it a library, a child process or the runtime, writes to
// standard error instead. A client that went away is then a failed write, not the
// signal that ends the process.
func TakeStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(uintptr(syscall.Stdout), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := unix.Dup2(syscall.Stderr, syscall.Stdout); err != nil {
		return nil, err
	}
	signal.Ignore(syscall.SIGPIPE)
	return os.NewFile(uintptr(fd), "stdout"), nil
}
