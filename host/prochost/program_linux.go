package prochost

import (
	"errors"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// lead makes the program the leader of a group, which can be killed whole, and has the
// kernel kill it when we end, even if we are killed ourselves.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a group of processes.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may be gone

// reap waits for a program, kills what it left behind, and says under the lock that it
// has ended. Its number is freed last, so that nobody else's group is killed.
func reap(cmd *exec.Cmd, mu sync.Locker, ended func(error)) {
	for {
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); !errors.Is(err, unix.EINTR) {
			break
		}
	}
	mu.Lock()
	defer mu.Unlock()
	killGroup(cmd.Process.Pid)
	ended(cmd.Wait())
}
