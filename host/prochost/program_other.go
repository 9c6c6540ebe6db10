//go:build !unix

package prochost

import (
	"os/exec"
	"sync"
)

// lead does nothing: a program sees its stdin close when we end.
func lead(*exec.Cmd) {}

// killGroup does nothing: the program itself is killed on its own.
func killGroup(int) {}

// reap waits for a program and says under the lock that it has ended.
func reap(cmd *exec.Cmd, mu sync.Locker, ended func(error)) {
	err := cmd.Wait()
	mu.Lock()
	defer mu.Unlock()
	ended(err)
}
