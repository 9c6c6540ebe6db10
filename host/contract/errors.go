package contract

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/orma-memory/orma/sdk/abi"
)

// Errors of a call, for errors.Is.
var (
	// ErrAnswer is a plugin's answer that breaks the contract.
	ErrAnswer = errors.New("bad answer")
	// ErrDown is a plugin that does not run just now. Nothing is wrong with what it was
	// to be given.
	ErrDown = errors.New("the plugin is down")
)

// CodeError is an error code that a plugin returned. Its text comes from the plugin and
// may hold what the plugin was given, so Error leaves it out.
type CodeError struct {
	Code uint32
	Text string
}

// Error names the code.
func (e *CodeError) Error() string { return fmt.Sprintf("plugin error %d", e.Code) }

// Detail is the plugin's text.
func (e *CodeError) Detail() string { return e.Text }

// Detail returns what a plugin's author wants to know of an error and no log should
// hold: the plugin's own message, or the trace of a trap. Control characters are gone.
func Detail(err error) string {
	if e := (interface{ Detail() string })(nil); errors.As(err, &e) {
		return e.Detail()
	}
	return ""
}

// Configure makes an error of what a plugin says of its parameters. There is no memory
// text yet, so its words may be shown.
func Configure(err error) error {
	if e := (*CodeError)(nil); errors.As(err, &e) && e.Text != "" {
		return errors.New(Printable(e.Text))
	}
	return fmt.Errorf("configure: %w", err)
}

// Printable makes one short line of a text from outside.
func Printable(s string) string {
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

// Lines is a longer text from outside, without control characters.
func Lines(s string) string {
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
