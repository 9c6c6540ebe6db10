package mcp

import (
	"os"

	"golang.org/x/sys/windows"
)

// TakeStdout gives the process's standard output to the caller alone: whatever else
// writes to it from now on, be it a library, a child process or the runtime, writes to
// standard error instead.
func TakeStdout() (*os.File, error) {
	real := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return real, nil
}
