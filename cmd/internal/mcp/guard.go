package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/core"
)

// guard turns a panic, such as one of a plugin, into an error of that one request.
func (s *server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(method, p)
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: describe(errPanic)}
			}
		}()
		return next(ctx, method, req)
	}
}

var errPanic = core.Errorf(core.CodeInternal, "a part of memory failed").Hinted("see the log of orma mcp, or run orma doctor")

// panicked logs a panic.
func (s *server) panicked(method string, p any) {
	s.o.Log.Error("request panicked", slog.String("method", method), slog.String("what", panicText(p)), slog.String("stack", string(debug.Stack())))
	s.o.Log.Debug("panic value", slog.Any("value", p))
}

// panicText describes a panic without its value, which may hold text of a memory. The
// runtime's own errors hold none.
func panicText(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}

// describe writes an error for a model: its code, the sentence, what to do.
func describe(err error) string {
	code := core.CodeOf(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		code = core.CodeBusy
	case errors.Is(err, context.Canceled):
		code = "canceled"
	}
	return string(code) + ": " + err.Error()
}
