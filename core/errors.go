package core

import (
	"errors"
	"fmt"
)

// Code names a kind of failure for callers that branch on it. It is the same in
// every front end.
type Code string

// The codes.
const (
	CodeNotFound    Code = "not_found"    // no such item, or it is in another space
	CodeInvalid     Code = "invalid"      // the input cannot be accepted as it is
	CodeTooLarge    Code = "too_large"    // over a limit, which the text names
	CodeLimit       Code = "limit"        // a quota is used up
	CodeConflict    Code = "conflict"     // does not fit what is stored
	CodeConfig      Code = "config"       // a configuration file is wrong
	CodeReadOnly    Code = "read_only"    // the store cannot be written
	CodeCorrupt     Code = "corrupt"      // the store is damaged
	CodeNewer       Code = "newer"        // the store was written by a newer version
	CodeBusy        Code = "busy"         // another process holds it
	CodeUnavailable Code = "unavailable"  // something it needs does not answer
	CodeDenied      Code = "denied"       // not allowed
	CodeInternal    Code = "internal"     // a bug of ours
	CodeUnsupported Code = "unsupported"  // not possible here
	CodeUsage       Code = "usage"        // a command was called wrongly
	CodeDegraded    Code = "degraded"     // worked, with a part left out
	CodeUnauthed    Code = "unauthorized" // no valid token
)

// Error is a failure with its code, a sentence, and what to do about it.
type Error struct {
	Code Code
	Text string // a sentence without a full stop
	Hint string // what to do; may be empty
	Err  error  // the cause, printed after the text; may be nil

	wrapped error // a cause that the text already mentions
}

// Error returns the sentence, the cause and the hint.
func (e *Error) Error() string {
	s := e.Text
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error {
	if e.Err != nil {
		return e.Err
	}
	return e.wrapped
}

// Is reports whether target is an Error with the same code and no text: the
// sentinels below.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Text == "" && t.Code == e.Code
}

// Sentinels for errors.Is.
var (
	ErrNotFound error = &Error{Code: CodeNotFound}
	ErrInvalid  error = &Error{Code: CodeInvalid}
	ErrTooLarge error = &Error{Code: CodeTooLarge}
	ErrReadOnly error = &Error{Code: CodeReadOnly}
	ErrCorrupt  error = &Error{Code: CodeCorrupt}
	ErrNewer    error = &Error{Code: CodeNewer}
	ErrBusy     error = &Error{Code: CodeBusy}
	ErrConflict error = &Error{Code: CodeConflict}
)

// Errorf returns an error with a code and the text that format gives. What a %w
// verb wraps stays reachable through errors.Is and errors.As.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Text: err.Error(), wrapped: errors.Unwrap(err)}
}

// Hinted returns a copy of e that says what to do.
func (e *Error) Hinted(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// CodeOf returns the code of the first [Error] in err's chain, or
// [CodeInternal].
func CodeOf(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
