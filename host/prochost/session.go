package prochost

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/orma-memory/orma/host/contract"
	"github.com/orma-memory/orma/sdk/abi"
	"github.com/orma-memory/orma/sdk/proc/pb"
)

// slack is what an answer may be larger than its block: an error's text and the rest of
// the message.
const slack = 4 << 10

// sessions are used again: a recall is too short to make garbage.
var sessions = sync.Pool{New: func() any { return new(session) }}

// session goes through one call.
type session struct {
	p       *plugin
	q       *process
	r       *running
	scratch contract.Scratch
	words   []uint64 // the arena
}

// Scratch returns memory for laying blocks out.
func (s *session) Scratch() *contract.Scratch { return &s.scratch }

// Arena returns n bytes.
func (s *session) Arena(_ context.Context, n int) ([]byte, error) {
	// A call that nobody waits for may still be sending the last arena, so each block has
	// its own.
	s.words = make([]uint64, (n+7)/8)
	return s.arena(n), nil
}

func (s *session) arena(n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.words))), n)
}

// answer is what came back of a call.
type answer struct {
	reply *pb.BlockReply
	err   error
}

// Call sends the arena and waits for the answer until ctx ends. The call itself may go
// on a little longer: a program that is late is let finish, one that does not end is
// killed, since nothing else stops a loop.
func (s *session) Call(ctx context.Context, n int) ([]byte, error) {
	limit := n + slack
	var call func(context.Context, *pb.BlockRequest, ...grpc.CallOption) (*pb.BlockReply, error)
	switch s.p.m.Contract {
	case abi.Rank:
		call = s.r.stage.Run
	case abi.Embed:
		call = s.r.stage.Embed
	case abi.Extract:
		call, limit = s.r.stage.Extract, abi.MaxAnswer+slack
	default:
		call, limit = s.r.stage.Sleep, abi.MaxAnswer+slack
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req, r, q := &pb.BlockRequest{Block: s.arena(n)}, s.r, s.q
	if end, ok := ctx.Deadline(); ok {
		req.DeadlineMs = uint32(max(time.Until(end).Milliseconds(), 1))
	}
	late, cancel := context.WithCancelCause(q.ctx)
	done := make(chan answer, 1)
	ok := q.spawn(func() {
		defer cancel(nil)
		reply, err := call(late, req, grpc.MaxCallRecvMsgSize(limit))
		switch {
		case err == nil:
			q.worked(r)
		case errors.Is(context.Cause(late), errOverrun):
			r.fail(errOverrun)
		case status.Code(err) == codes.Unavailable:
			r.fail(errConnection) // whether it has ended or only says so
		}
		done <- answer{reply, err}
	})
	if !ok {
		cancel(nil)
		return nil, errClosed
	}
	select {
	case a := <-done:
		return a.block(ctx, r)
	case <-ctx.Done():
		time.AfterFunc(s.p.o.Overrun, func() { cancel(errOverrun) })
		return nil, fmt.Errorf("stopped: %w", ctx.Err())
	}
}

var (
	errOverrun    = errors.New("a call went on long after its deadline, so the program was killed")
	errConnection = errors.New("it closed its connection")
)

// block returns the block of an answer, or its error.
func (a answer) block(ctx context.Context, r *running) ([]byte, error) {
	switch {
	case a.err != nil && status.Code(a.err) == codes.Unavailable:
		select { // it is being killed at the latest
		case <-r.gone:
			return nil, fmt.Errorf("the program ended: %w", r.why())
		case <-ctx.Done():
			return nil, callError(ctx, a.err)
		}
	case a.err != nil:
		return nil, callError(ctx, a.err)
	case a.reply.GetError() != nil:
		return nil, codeError(a.reply.GetError())
	case len(a.reply.GetBlock()) == 0:
		return nil, nil
	}
	return a.reply.GetBlock(), nil
}

// codeError is an error that the plugin returned.
func codeError(e *pb.Error) error {
	return &contract.CodeError{Code: e.GetCode(), Text: contract.Lines(e.GetText())}
}

// callError says in our words why a call failed. The words of the other end are for
// those who debug it.
func callError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", ctx.Err())
	}
	switch s := status.Convert(err); s.Code() {
	case codes.ResourceExhausted:
		return fmt.Errorf("%w: it is larger than it may be", contract.ErrAnswer)
	case codes.Unavailable:
		return &brokenError{"the program ended or closed its connection", s.Message()}
	case codes.DeadlineExceeded:
		return fmt.Errorf("stopped: %w", context.DeadlineExceeded)
	case codes.Unimplemented:
		return &brokenError{"the program does not serve this call", s.Message()}
	default:
		return &brokenError{"the call failed: " + s.Code().String(), s.Message()}
	}
}

// brokenError is a call that did not come back as it should.
type brokenError struct{ reason, text string }

// Error is the reason.
func (e *brokenError) Error() string { return e.reason }

// Detail is what the other end or the library said.
func (e *brokenError) Detail() string { return contract.Lines(e.text) }
