package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/orma-memory/orma/core"
)

// usagef returns the error of a command that was called wrongly.
func usagef(format string, args ...any) *core.Error {
	return core.Errorf(core.CodeUsage, format, args...)
}

// usageError makes an error of the flag parser one of ours.
func usageError(err error) error {
	if errors.As(err, new(*core.Error)) {
		return err
	}
	text, _, _ := strings.Cut(err.Error(), "\n") // below it cobra prints suggestions
	e := usagef("%s", text)
	if _, names, ok := strings.Cut(err.Error(), "Did you mean this?\n"); ok {
		return e.Hinted("did you mean %s?", strings.Join(strings.Fields(names), " or "))
	}
	if strings.HasPrefix(text, "unknown flag") || strings.HasPrefix(text, "unknown shorthand") {
		return e.Hinted("see orma --help; a text that begins with a dash stands after --: orma recall -- \"-5 degrees\"")
	}
	return e.Hinted("see orma --help")
}

// failure is an error as --json shows it.
type failure struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
}

// describe takes an error apart into a sentence and what to do.
func describe(ctx context.Context, err error) failure {
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return failure{Code: "interrupted", Message: "stopped", Hint: "what was done until then is kept"}
	}
	f := failure{Code: core.CodeOf(err), Message: err.Error()}
	if e := (*core.Error)(nil); errors.As(err, &e) && e.Hint != "" {
		f.Hint = e.Hint
		f.Message = strings.Replace(f.Message, "; "+e.Hint, "", 1)
	}
	return f
}

// fail prints an error and returns the exit code.
func (a *app) fail(ctx context.Context, err error) int {
	f := describe(ctx, err)
	if a.json {
		data, jerr := json.Marshal(map[string]failure{"error": f})
		if jerr == nil {
			fmt.Fprintf(a.err, "%s\n", data)
		}
	} else {
		fmt.Fprintf(a.err, "orma: %s\n", f.Message)
		if f.Hint != "" {
			fmt.Fprintf(a.err, "      %s\n", f.Hint)
		}
	}
	if f.Code == core.CodeUsage {
		return exitUsage
	}
	return exitFailed
}

// wrapped puts the name of a thing before what is wrong with it.
func wrapped(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

// fileError says why a file cannot be read.
func fileError(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the name is said already
	}
	e := core.Errorf(core.CodeInvalid, "%s cannot be read: %w", name, err)
	if errors.Is(err, fs.ErrNotExist) {
		e = core.Errorf(core.CodeNotFound, "there is no file %s", name).Hinted("check the path")
	}
	return e
}
