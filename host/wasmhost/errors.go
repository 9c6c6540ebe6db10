package wasmhost

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/orma-memory/orma/sdk/abi"
)

// Errors of a run, for errors.Is.
var (
	// ErrAnswer is a guest's answer that breaks the contract.
	ErrAnswer = errors.New("bad answer")
	// ErrTrap is a guest that crashed.
	ErrTrap   = errors.New("trap")
	errClosed = errors.New("the plugin is closed")
)

// GuestError is an error code that a guest returned. Its text comes from the guest and
// may hold what the guest was given, so Error leaves it out.
type GuestError struct {
	Code uint32
	Text string
}

// Error names the code.
func (e *GuestError) Error() string { return fmt.Sprintf("guest error %d", e.Code) }

// trapError is a crash. The trace, which has names from the guest, is for its author.
type trapError struct {
	reason, trace string
}

// Error is the first line of the trace.
func (e *trapError) Error() string { return "trap: " + e.reason }

// Is makes it an [ErrTrap].
func (e *trapError) Is(target error) bool { return target == ErrTrap }

// Detail returns what a plugin's author wants to know of an error and no log should
// hold: the guest's own message, or the trace of a trap. Control characters are gone.
func Detail(err error) string {
	if e := (*GuestError)(nil); errors.As(err, &e) {
		return e.Text
	}
	if e := (*trapError)(nil); errors.As(err, &e) {
		return e.trace
	}
	return ""
}

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
	return &trapError{printable(first), lines(err.Error())}
}

// plainError is the first line of a compiler's error.
func plainError(err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(printable(first))
}

// printable makes one short line of a text from outside.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, s)
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// lines is a longer text from outside, without control characters.
func lines(s string) string {
	if len(s) > abi.MaxError {
		s = s[:abi.MaxError]
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "·"))
}
