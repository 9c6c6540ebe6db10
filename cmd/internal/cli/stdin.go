package cli

import (
	"context"
	"io"
	"os"
)

// stdin returns standard input as a reader that ends when ctx does: a read of a pipe or
// a terminal cannot be stopped otherwise. The goroutine of the read that was under way
// ends with the process, or with the next line that comes.
func (a *app) stdin(ctx context.Context) io.Reader { return untilStopped(ctx, a.proc.Stdin) }

// untilStopped makes such a reader of any other.
func untilStopped(ctx context.Context, r io.Reader) io.Reader {
	return &stoppable{ctx: ctx, r: r, buf: make([]byte, 64<<10), done: make(chan int, 1), fail: make(chan error, 1)}
}

// openFile opens a file for reading. To open a named pipe is to wait for who writes into
// it, which ends when ctx does.
func openFile(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-done:
		if o.err != nil {
			return nil, fileError(path, o.err)
		}
		return o.f, nil
	}
}

type stoppable struct {
	ctx  context.Context // a reader has no other way to learn of it
	r    io.Reader
	buf  []byte
	rest []byte // read and not given out
	err  error
	done chan int
	fail chan error
}

// Read reads as the reader below does, until ctx ends.
func (s *stoppable) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		go func() {
			n, err := s.r.Read(s.buf)
			s.fail <- err
			s.done <- n
		}()
		select {
		case <-s.ctx.Done():
			s.err = s.ctx.Err()
			return 0, s.err
		case s.err = <-s.fail:
			s.rest = s.buf[:<-s.done]
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	if n == 0 {
		return 0, s.err
	}
	return n, nil
}
