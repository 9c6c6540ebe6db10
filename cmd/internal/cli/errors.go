package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/config"
)

// usagef returns the error of a command that was called wrongly.
func usagef(format string, args ...any) *core.Error {
	return core.Errorf(core.CodeUsage, format, args...)
}

// usageError makes an error of the flag parser one of ours. A word that is not known gets
// the nearest one that is; cmd is how far the line was understood.
func usageError(cmd *cobra.Command, err error) error {
	if errors.As(err, new(*core.Error)) {
		return err
	}
	text, _, _ := strings.Cut(err.Error(), "\n") // below it cobra prints suggestions
	e := usagef("%s", text)
	if word, ok := quoted(text, "unknown command "); ok {
		if best := config.Nearest(word, commandNames(cmd)); best != "" {
			return e.Hinted("did you mean %s %s?", cmd.CommandPath(), best)
		}
		return e.Hinted("see %s --help", cmd.CommandPath())
	}
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		if best := config.Nearest(name, flagNames(cmd)); best != "" {
			return e.Hinted("did you mean --%s?", best)
		}
	}
	if cmd.Annotations["text"] != "" && strings.HasPrefix(text, "unknown ") {
		return e.Hinted("see %s --help; a text that begins with a dash stands after --: %[1]s -- \"-5 degrees\"", cmd.CommandPath())
	}
	return e.Hinted("see %s --help", cmd.CommandPath())
}

// quoted returns the word in quotation marks behind a beginning.
func quoted(text, before string) (string, bool) {
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", false
	}
	prefix, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", false
	}
	word, err := strconv.Unquote(prefix)
	return word, err == nil
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	for _, set := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	}
	return names
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
