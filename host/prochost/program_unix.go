//go:build unix && !linux

package prochost

import (
	"os/exec"
	"sync"
	"syscall"
)

// lead makes the program the leader of a group, which can be killed whole. When we end
// without doing so it sees its stdin close.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a group of processes.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may be gone

// reap waits for a program, kills what it left behind, and says under the lock that it
// has ended.
func reap(cmd *exec.Cmd, mu sync.Locker, ended func(error)) {
	err := cmd.Wait()
	mu.Lock()
	defer mu.Unlock()
	killGroup(cmd.Process.Pid)
	ended(err)
}
