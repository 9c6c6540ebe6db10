package prochost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// program is the process itself, as go-plugin wants to start and end it. It differs
// from go-plugin's own in what the program inherits: not our stdin, which may be a
// client's, but a pipe that closes when we end, however we end; and in that what the
// program started is killed with it.
type program struct {
	cmd   *exec.Cmd
	dir   string // of its socket
	stdin *os.File
	out   *output
	err   *output

	mu     sync.Mutex
	killed bool
	ended  chan struct{} // closed when it has ended
	over   chan struct{} // closed when its output has been read too
	status error         // of its end; valid once ended is closed
}

func newProgram(path string, env []string, dir string) *program {
	cmd := exec.Command(path)
	cmd.Env, cmd.Dir = env, filepath.Dir(path)
	lead(cmd)
	return &program{cmd: cmd, dir: dir, ended: make(chan struct{}), over: make(chan struct{})}
}

// output is one of the program's streams.
type output struct {
	*os.File
	once sync.Once
	end  chan struct{} // closed when it has been read to its end

	mu   sync.Mutex
	last []byte // of what was read
}

// maxLast is how much of a stream is kept for an error.
const maxLast = 1 << 10

// Read reads, and notes the end.
func (o *output) Read(b []byte) (int, error) {
	n, err := o.File.Read(b)
	o.mu.Lock()
	o.last = append(o.last, b[:n]...)
	o.last = o.last[max(0, len(o.last)-maxLast):]
	o.mu.Unlock()
	if err != nil {
		o.once.Do(func() { close(o.end) })
	}
	return n, err
}

// lastLine is the last line that was read.
func (o *output) lastLine() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := strings.TrimSpace(string(o.last))
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// Start starts the program.
func (p *program) Start(context.Context) error {
	var theirs, ours [3]*os.File
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(theirs[:i], ours[:i])
			return err
		}
		theirs[i], ours[i] = w, r
		if i == 0 {
			theirs[i], ours[i] = r, w
		}
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	p.stdin = ours[0]
	p.out, p.err = &output{File: ours[1], end: make(chan struct{})}, &output{File: ours[2], end: make(chan struct{})}
	started := make(chan error)
	go p.live(started)
	err := <-started
	closeAll(theirs[:])
	if err != nil {
		closeAll(ours[:])
	}
	return err
}

func closeAll(lists ...[]*os.File) {
	for _, l := range lists {
		for _, f := range l {
			_ = f.Close() // pipes: nothing is lost
		}
	}
}

// drain is how long output of an ended program is still read. What comes later comes
// from processes that it started and that outlived it.
const drain = 250 * time.Millisecond

// live starts the program and ends with it. The kernel may end a program with the
// thread that started it, so that thread stays.
func (p *program) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p.mu.Lock()
	err := errors.New("it was stopped before it started")
	if !p.killed {
		err = p.cmd.Start()
	}
	p.mu.Unlock()
	started <- err
	if err != nil {
		return
	}
	reap(p.cmd, &p.mu, func(status error) {
		p.status = status
		close(p.ended)
	})
	timer := time.NewTimer(drain)
	defer timer.Stop()
	for _, o := range []*output{p.out, p.err} {
		select {
		case <-o.end:
		case <-timer.C:
			timer.Reset(0)
		}
	}
	closeAll([]*os.File{p.stdin, p.out.File, p.err.File})
	close(p.over)
}

// Diagnose says what may have gone wrong before the handshake.
func (p *program) Diagnose(context.Context) string { return "" }

// Stdout is where the handshake is read.
func (p *program) Stdout() io.ReadCloser { return p.out }

// Stderr is what goes to the log.
func (p *program) Stderr() io.ReadCloser { return p.err }

// Name is the program's path.
func (p *program) Name() string { return p.cmd.Path }

// ID is the number of the process; empty if there is none.
func (p *program) ID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd.Process == nil {
		return ""
	}
	return strconv.Itoa(p.cmd.Process.Pid)
}

// Wait waits for the program's end.
func (p *program) Wait(context.Context) error {
	<-p.ended
	return p.status
}

// Kill ends the program and what it started.
func (p *program) Kill(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	select {
	case <-p.ended: // its number may be another's by now
		return nil
	default:
	}
	if p.cmd.Process != nil {
		killGroup(p.cmd.Process.Pid)
		_ = p.cmd.Process.Kill() // it may have left the group
	}
	return nil
}

// PluginToHost accepts addresses on this machine only: a program must not point us
// elsewhere.
func (p *program) PluginToHost(network, address string) (string, string, error) {
	switch network {
	case "unix":
		if filepath.Dir(filepath.Clean(address)) != filepath.Clean(p.dir) {
			return "", "", errors.New("its socket is not in the folder that it was given")
		}
		return network, address, nil
	case "tcp":
		if h, _, err := net.SplitHostPort(address); err == nil && (strings.EqualFold(h, "localhost") || net.ParseIP(h).IsLoopback()) {
			return network, address, nil
		}
	}
	return "", "", fmt.Errorf("it listens at %s %s, which is not on this machine", network, address)
}

// HostToPlugin is not used: nothing of ours listens.
func (p *program) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
