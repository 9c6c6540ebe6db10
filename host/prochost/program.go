package prochost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
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

	mu     sync.Mutex
	last   []byte    // of what was read
	second time.Time // in which
	n      int       // bytes were read
}

// maxRate is how many bytes of a stream are looked at in a second. What is more is read
// too, so that the program does not wait, and dropped: lines cost more time than bytes.
const maxRate = 256 << 10

// maxLast is how much of a stream is kept for an error.
const maxLast = 1 << 10

// Read reads, and notes the end.
func (o *output) Read(b []byte) (int, error) {
	for {
		n, err := o.File.Read(b)
		flood := o.keep(b[:n])
		if err != nil {
			o.once.Do(func() { close(o.end) })
		}
		if err != nil || !flood {
			return n, err
		}
	}
}

// keep notes what was read, and reports whether it is too much in this second.
func (o *output) keep(b []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = append(o.last, b[max(0, len(b)-maxLast):]...)
	o.last = append(o.last[:0], o.last[max(0, len(o.last)-maxLast):]...)
	if now := time.Now().Truncate(time.Second); now != o.second {
		o.second, o.n = now, 0
	}
	o.n += len(b)
	return o.n > maxRate
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
		err = launch(p.cmd)
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

// launch starts a program. Its file is there: what the system says of one that does not
// start would send people looking for it.
func launch(cmd *exec.Cmd) error {
	err := cmd.Start()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the program that its first line names, or its loader, is not there: %w", err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("it is no program for %s/%s, and no script that begins with #!: %w", runtime.GOOS, runtime.GOARCH, err)
	}
	return err
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
