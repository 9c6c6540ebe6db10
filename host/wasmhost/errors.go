package wasmhost

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/orma-memory/orma/host/contract"
)

// ErrTrap is a guest that crashed, for errors.Is.
var ErrTrap = errors.New("trap")

var errDeep = errors.New("recursion too deep")

var errClosed = errors.New("the plugin is closed")

// trapError is a crash. The trace, which has names from the guest, is for its author.
type trapError struct {
	reason, trace string
}

// Error is the first line of the trace.
func (e *trapError) Error() string { return "trap: " + e.reason }

// Detail is the trace.
func (e *trapError) Detail() string { return e.trace }

// Is makes it an [ErrTrap].
func (e *trapError) Is(target error) bool { return target == ErrTrap }

// callError says in our words why a call into a guest failed.
func callError(ctx context.Context, err error) error {
	if s := (stopped{}); errors.As(err, &s) {
		return fmt.Errorf("stopped: %w", s.error)
	}
	if e := exitError(0); errors.As(err, &e) {
		return &trapError{reason: e.Error()}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", ctx.Err())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	first = strings.TrimSuffix(strings.TrimPrefix(first, "wasm error: "), " (recovered by wazero)")
	return &trapError{contract.Printable(first), contract.Lines(err.Error())}
}

// plainError is the first line of a compiler's error.
func plainError(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(contract.Printable(first))
}
