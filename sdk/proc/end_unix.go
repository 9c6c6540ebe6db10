//go:build unix

package proc

import (
	"os"
	"syscall"
)

// end ends the program and what it started: the host made it the leader of a group.
func end() {
	if syscall.Getpgrp() == os.Getpid() {
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	os.Exit(0)
}
