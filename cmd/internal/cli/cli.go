// Package cli is the command line. A command is a file: it reads its flags and
// arguments, calls a verb of the engine, and prints what came of it. Results go to
// standard output, all else to standard error.
//
// It is the only package that imports the cobra library.
package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/orma-memory/orma/core"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// Process is what a command line runs in.
type Process struct {
	Args   []string // without the program's name
	Env    []string // as os.Environ gives it
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Now    func() time.Time
}

// System returns the process that runs.
func System() Process {
	return Process{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now}
}

// Main runs one command line and returns its exit code: 0 ok, 1 failed, 2 called
// wrongly. An interrupt ends it cleanly, with what was done kept.
func Main(ctx context.Context, p Process) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	a := newApp(p)
	a.startFast()
	root := a.root()
	root.SetArgs(textArgs(root, p.Args))
	cmd, err := root.ExecuteContextC(ctx)
	if ferr := a.out.Flush(); err == nil && ferr != nil {
		err = core.Errorf(core.CodeUnavailable, "the result cannot be written: %w", ferr)
	}
	if err == nil {
		return exitOK
	}
	if !a.started { // cobra refused the words before a command ran
		err = usageError(cmd, err)
		a.json = a.json || wantsJSON(p.Args)
	}
	if cmd.Annotations[alwaysOK] != "" {
		a.hookFailed(cmd.Name(), err)
		return exitOK
	}
	return a.fail(ctx, err)
}

// wantsJSON reports whether --json is among words that were not understood to their end.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--json=true":
			return true
		case "--":
			return false
		}
	}
	return false
}
